//! Which rings may be shift registers, and which ones windows.

use super::search::StorageSearch;
use super::{Optimized, Outcome};
use polyfold_flow::DeadCode;
use polyfold_isl::ErrorKind;
use polyfold_prove::{CarriedWindow, Placed, Reach, ShiftRegister, carried_windows, shift_registers};
use polyfold_scop::{ArrayId, Scop};

/// Steps of isl for the rings of a scop, about a third of a second.
const MOST_STEPS: u64 = 1_000_000;

/// The rings that can be shift registers; none where that takes too long to find out.
///
/// # Errors
/// When isl fails otherwise.
pub fn registers(
    scop: &Scop,
    result: &Optimized,
    mapped: &[Placed],
    reach: Reach,
) -> Result<Vec<ShiftRegister>, polyfold_isl::Error> {
    let find = || shift_registers((scop, &result.statements), mapped, &result.dead.statements, &result.proved, reach);
    in_time(result, find)
}

/// The rings that can be windows which loops over strips carry along; none where that takes too long to find out.
///
/// # Errors
/// When isl fails otherwise.
pub fn windows(scop: &Scop, result: &Optimized, mapped: &[Placed]) -> Result<Vec<CarriedWindow>, polyfold_isl::Error> {
    in_time(result, || carried_windows((scop, &result.statements), mapped, &result.dead.statements, &result.proved))
}

/// The arrays that are windows by themselves: in a buffer with others they would be none.
///
/// # Errors
/// When the work bound is reached.
pub(super) fn carried(
    search: &StorageSearch,
    alone: &[(ArrayId, Outcome)],
    dead: &DeadCode,
) -> Result<Vec<ArrayId>, polyfold_isl::Error> {
    if !search.options.in_strips {
        return Ok(Vec::new());
    }
    let mapped = alone.iter().filter_map(|(_, outcome)| match outcome {
        Outcome::Mapped { storage, .. } => Some(storage.place().clone()),
        _ => None,
    });
    let (mapped, model): (Vec<Placed>, _) = (mapped.collect(), search.model);
    let windows = carried_windows((model.scop, &model.statements), &mapped, &dead.statements, &model.context)?;
    Ok(windows.iter().map(CarriedWindow::array).collect())
}

fn in_time<T>(
    result: &Optimized,
    find: impl FnOnce() -> Result<Vec<T>, polyfold_isl::Error>,
) -> Result<Vec<T>, polyfold_isl::Error> {
    match result.proved.context().with_quota(MOST_STEPS, find) {
        Err(error) if error.kind == ErrorKind::Quota => Ok(Vec::new()),
        other => other,
    }
}

//! Which rings may be windows that loops over strips carry along, and which storage may be counted from where tiles begin.

use crate::in_time::in_time;
use crate::optimize::{Optimized, Outcome};
use crate::search::StorageSearch;
use polyfold_flow::DeadCode;
use polyfold_isl::Error;
use polyfold_prove::{CarriedWindow, Placed, TiledRows, carried_windows, tiled_rows};
use polyfold_scop::{ArrayId, Scop};

/// The rings that can be windows; none where that takes too long to find out.
///
/// # Errors
/// When isl fails otherwise.
pub(crate) fn windows(scop: &Scop, result: &Optimized, mapped: &[Placed]) -> Result<Vec<CarriedWindow>, Error> {
    in_time(result, || carried_windows((scop, &result.statements), mapped, &result.dead.statements, &result.proved))
}

/// The storage of several dimensions that may be counted from where tiles begin; none where that takes too long to find out.
///
/// # Errors
/// When isl fails otherwise.
pub(crate) fn tiles(scop: &Scop, result: &Optimized, mapped: &[Placed]) -> Result<Vec<TiledRows>, Error> {
    in_time(result, || tiled_rows((scop, &result.statements), mapped, &result.dead.statements, &result.proved))
}

/// The arrays that are windows by themselves: in a buffer with others they would be none.
///
/// # Errors
/// When the work bound is reached.
pub(crate) fn carried(
    search: &StorageSearch,
    alone: &[(ArrayId, Outcome)],
    dead: &DeadCode,
) -> Result<Vec<ArrayId>, Error> {
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

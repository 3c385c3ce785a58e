//! Which rings may be shift registers.

use super::Optimized;
use polyfold_isl::ErrorKind;
use polyfold_prove::{Placed, Reach, ShiftRegister, shift_registers};
use polyfold_scop::Scop;

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
    match result.proved.context().with_quota(MOST_STEPS, find) {
        Err(error) if error.kind == ErrorKind::Quota => Ok(Vec::new()),
        other => other,
    }
}

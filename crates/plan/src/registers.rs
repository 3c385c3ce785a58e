//! Which rings may be shift registers.

use crate::in_time::in_time;
use crate::optimize::Optimized;
use polyfold_isl::Error;
use polyfold_prove::{Placed, Reach, ShiftRegister, shift_registers};
use polyfold_scop::Scop;

/// The rings that can be shift registers; none where that takes too long to find out.
///
/// # Errors
/// When isl fails otherwise.
pub(crate) fn registers(
    scop: &Scop,
    result: &Optimized,
    mapped: &[Placed],
    reach: Reach,
) -> Result<Vec<ShiftRegister>, Error> {
    let find = || shift_registers((scop, &result.statements), mapped, &result.dead.statements, &result.proved, reach);
    in_time(result, find)
}

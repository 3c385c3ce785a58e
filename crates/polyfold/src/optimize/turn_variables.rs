//! Which arrays of one cell may be variables of a loop's turns.

use super::Optimized;
use super::in_time::in_time;
use polyfold_isl::Error;
use polyfold_prove::{Placed, TurnVariable, turn_variables};
use polyfold_scop::Scop;

/// The arrays whose values stay in one turn; none where that takes too long to find out.
///
/// # Errors
/// When isl fails otherwise.
pub fn variables_of_turns(scop: &Scop, result: &Optimized, mapped: &[Placed]) -> Result<Vec<TurnVariable>, Error> {
    in_time(result, || turn_variables((scop, &result.statements), mapped, &result.dead.statements, &result.proved))
}

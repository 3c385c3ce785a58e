//! What compilers may be promised of loops over new storage.

use super::{Optimized, Outcome};
use polyfold_codegen::WritableValues;
use polyfold_isl::ErrorKind;
use polyfold_prove::{ApartLoops, Placed, Storage, apart_loops};
use polyfold_scop::Scop;

/// Steps of isl for the loops of a scop, about a second: what is promised saves less than that.
const MOST_STEPS: u64 = 3_000_000;

/// The loops whose iterations share no cell that one of them writes; none where that takes too long to find out.
/// `are_distinct`: parameters are taken not to overlap.
///
/// # Errors
/// When isl fails otherwise.
pub fn promises(
    scop: &Scop,
    result: &Optimized,
    mapped: &[Placed],
    are_distinct: bool,
) -> Result<ApartLoops, polyfold_isl::Error> {
    let values = result.outcomes.iter().filter_map(|(_, outcome)| match outcome {
        Outcome::Values { values, .. } => Some(WritableValues::placed(values)),
        _ => None,
    });
    let values: Vec<_> = values.collect();
    if mapped.is_empty() && values.is_empty() {
        return Ok(ApartLoops::default());
    }
    let storage = Storage { mapped, values, gone: &result.dead.statements, context: &result.proved, are_distinct };
    let ctx = result.proved.context();
    match ctx.with_quota(MOST_STEPS, || apart_loops((scop, &result.statements), &storage)) {
        Err(error) if error.kind == ErrorKind::Quota => Ok(ApartLoops::default()),
        other => other,
    }
}

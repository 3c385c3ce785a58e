//! What loops over new storage may be written with: promises to compilers, and variables for cells.

use crate::optimize::{Optimized, Outcome};
use polyfold_codegen::WritableValues;
use polyfold_isl::{ErrorKind, Set};
use polyfold_prove::{ApartLoops, Placed, ScalarCell, Storage, apart_loops, scalar_cells};
use polyfold_scop::{ArrayId, Pointer, Scop};

/// Steps of isl for each of these, about a second: what they save is less than that.
const MOST_STEPS: u64 = 3_000_000;

/// What is proved of the loops of a scop.
#[derive(Default)]
pub(crate) struct LoopFacts {
    /// Loops whose iterations may run side by side.
    pub apart: ApartLoops,
    /// Cells that variables may stand for.
    pub scalar_cells: Vec<ScalarCell>,
}

/// What is proved of loops; nothing where that takes too long to find out.
/// `are_distinct`: parameters are taken not to overlap.
///
/// # Errors
/// When isl fails otherwise.
pub(crate) fn loop_facts(
    scop: &Scop,
    result: &Optimized,
    mapped: &[Placed],
    are_distinct: bool,
) -> Result<LoopFacts, polyfold_isl::Error> {
    let values = result.outcomes.iter().filter_map(|(_, outcome)| match outcome {
        Outcome::Values { values, .. } => Some(WritableValues::placed(values)),
        _ => None,
    });
    let values: Vec<_> = values.collect();
    if mapped.is_empty() && values.is_empty() {
        return Ok(LoopFacts::default());
    }
    let restricted = restricted(scop);
    let (gone, context, restricted) = (&result.dead.statements[..], &result.proved, &restricted[..]);
    let storage = Storage { mapped, values, gone, context, restricted, are_distinct };
    let program = (scop, &result.statements[..]);
    Ok(LoopFacts {
        apart: in_time(context, || apart_loops(program, &storage))?,
        scalar_cells: in_time(context, || scalar_cells(program, &storage))?,
    })
}

/// What is found within the work bound; nothing otherwise.
fn in_time<T: Default>(
    context: &Set,
    find: impl FnOnce() -> Result<T, polyfold_isl::Error>,
) -> Result<T, polyfold_isl::Error> {
    match context.context().with_quota(MOST_STEPS, find) {
        Err(error) if error.kind == ErrorKind::Quota => Ok(T::default()),
        other => other,
    }
}

/// The parameters whose declarations say that what they lead to is reached in no other way.
fn restricted(scop: &Scop) -> Vec<ArrayId> {
    let says_so = |id: &ArrayId| {
        let declared = scop.array(*id).declaration.as_ref().filter(|d| d.storage == polyfold_scop::Storage::Parameter);
        declared.and_then(|d| d.pointer).is_some_and(Pointer::is_restrict)
    };
    (0..scop.arrays.len()).map(ArrayId).filter(says_so).collect()
}

//! What loops over new storage may be written with: promises to compilers, and variables for cells.

use super::{Optimized, Outcome};
use polyfold_codegen::WritableValues;
use polyfold_isl::{ErrorKind, Set};
use polyfold_prove::{ApartLoops, Placed, ScalarCell, Storage, apart_loops, scalar_cells};
use polyfold_scop::{ArrayId, Scop};

/// Steps of isl for each of these, about a second: what they save is less than that.
const MOST_STEPS: u64 = 3_000_000;

/// What is proved of the loops of a scop.
#[derive(Default)]
pub struct LoopFacts {
    /// Loops whose iterations may run side by side.
    pub apart: ApartLoops,
    /// Cells that variables may stand for.
    pub scalar_cells: Vec<ScalarCell>,
}

/// What is proved of loops; nothing where that takes too long to find out.
/// `source`: the text of the scop's file; `are_distinct`: parameters are taken not to overlap.
///
/// # Errors
/// When isl fails otherwise.
pub fn loop_facts(
    (scop, source): (&Scop, &str),
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
    let restricted = restricted(scop, source);
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
fn restricted(scop: &Scop, source: &str) -> Vec<ArrayId> {
    let says_so = |id: &ArrayId| {
        let declared = scop.array(*id).declaration.as_ref().filter(|d| d.storage == polyfold_scop::Storage::Parameter);
        let text = declared.and_then(|d| source.get(d.declarator.span.clone())).unwrap_or("");
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| matches!(word, "restrict" | "__restrict" | "__restrict__"))
    };
    (0..scop.arrays.len()).map(ArrayId).filter(says_so).collect()
}

//! Arrays for which loops in strips would pay, for the report.
//!
//! A ring of a few cells that an innermost loop goes through is as small as can be, and no compiler makes vectors of the loop. In strips
//! ([`polyfold_nests::strips`]) the array needs some 130 cells more, and it does. That is a choice between memory and speed, which is the user's.
//!
//! Invariant: nothing is proved here; `--schedule strips` proves what it does.

use crate::decisions::Decisions;
use crate::optimize::Outcome;
use crate::search::StorageSearch;
use polyfold_isl::Error;
use polyfold_nests::{dependences, strips};
use polyfold_prove::{Placed, RowForm};
use polyfold_scop::ArrayId;
use std::collections::BTreeSet;

/// Larger rings have segments, which are vectorised.
const MOST_CELLS: i64 = 63;

/// The small rings whose writes and reads would be in loops of their own.
pub(crate) fn strip_hints(search: &StorageSearch, decisions: &Decisions) -> Vec<ArrayId> {
    if !search.options.in_strips || search.options.method.is_some() {
        return Vec::new();
    }
    let small = decisions.outcomes.iter().filter(|(_, outcome)| is_small_ring(outcome, decisions)).map(|(id, _)| *id);
    let small: Vec<ArrayId> = small.collect();
    if small.is_empty() {
        return small;
    }
    search.in_bound(1, [], || helped(search, &small)).unwrap_or_default()
}

fn is_small_ring(outcome: &Outcome, decisions: &Decisions) -> bool {
    let is_small = |place: &Placed| match place.rows() {
        [row] => {
            let cells = row.modulus.as_constant().ok().flatten();
            let is_ring = !matches!(row.form, RowForm::Fits { .. });
            is_ring && cells.is_some_and(|cells| (2..=MOST_CELLS).contains(&cells))
        }
        _ => false,
    };
    match outcome {
        Outcome::Mapped { storage, .. } => is_small(storage.place()),
        Outcome::Shared { buffer, member } => is_small(decisions.buffers[*buffer].storage.place(*member)),
        Outcome::Values { .. } | Outcome::Hosted { .. } | Outcome::Removed | Outcome::Kept { .. } => false,
    }
}

/// Those that statements of different groups use.
fn helped(search: &StorageSearch, small: &[ArrayId]) -> Result<Vec<ArrayId>, Error> {
    let (model, scop) = (search.model, search.model.scop);
    let loops = strips(model, &dependences(model)?, &BTreeSet::new())?.unwrap_or_default();
    let is_helped = |id: &&ArrayId| {
        let uses = |group: &Vec<_>| group.iter().any(|s| scop.statement(*s).accesses.iter().any(|a| a.array == **id));
        loops.iter().any(|groups| groups.iter().filter(|group| uses(group)).count() > 1)
    };
    Ok(small.iter().filter(is_helped).copied().collect())
}

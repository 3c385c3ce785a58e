//! What arrays need as decided so far, and how much less is worth a change.

use super::Outcome;
use super::buffer::SharedBuffer;
use super::search::{LEAST_SAVED_PERCENT, StorageSearch};
use super::share::LEAST_SAVING;
use super::sizes::declared_cells;
use polyfold_scop::ArrayId;
use std::collections::BTreeSet;

/// How few cells are worth the change from so many.
pub(super) fn worth(cells: u64) -> u64 {
    cells.saturating_sub(cells.saturating_mul(LEAST_SAVED_PERCENT).div_ceil(100))
}

/// How few cells are worth a `%` in subscripts.
pub(super) fn worth_computing(cells: u64) -> u64 {
    cells - cells.div_ceil(LEAST_SAVING)
}

/// The cells that arrays need as decided so far, by themselves; `None` where they share with others, or as values.
pub(super) fn cells_now(
    search: &StorageSearch,
    ids: &[ArrayId],
    outcomes: &[(ArrayId, Outcome)],
    buffers: &[SharedBuffer],
) -> Option<u64> {
    let is_theirs = |outcome: &Outcome| match outcome {
        Outcome::Shared { buffer, .. } => buffers[*buffer].arrays.iter().all(|array| ids.contains(array)),
        Outcome::Mapped { .. } | Outcome::Kept { .. } => true,
        Outcome::Removed | Outcome::Values { .. } | Outcome::Hosted { .. } => false,
    };
    let all = outcomes.iter().filter(|(id, _)| ids.contains(id)).all(|(_, outcome)| is_theirs(outcome));
    all.then(|| cells_of(search, ids, outcomes, buffers))
}

/// The cells of all storage that some arrays are in as decided so far; more than any where one stays whose size is not known.
pub(super) fn cells_of(
    search: &StorageSearch,
    ids: &[ArrayId],
    outcomes: &[(ArrayId, Outcome)],
    buffers: &[SharedBuffer],
) -> u64 {
    let (mut cells, mut used) = (0u64, BTreeSet::new());
    for (id, outcome) in outcomes.iter().filter(|(id, _)| ids.contains(id)) {
        cells = cells.saturating_add(match outcome {
            Outcome::Mapped { least, .. } => *least,
            Outcome::Kept { .. } => declared_cells(search.model.scop, *id, search.sizes).unwrap_or(u64::MAX),
            Outcome::Shared { .. } | Outcome::Values { .. } | Outcome::Hosted { .. } | Outcome::Removed => 0,
        });
        match outcome {
            Outcome::Shared { buffer, .. } => used.extend([*buffer]),
            Outcome::Values { buffers, .. } => used.extend(buffers),
            Outcome::Mapped { .. } | Outcome::Kept { .. } | Outcome::Hosted { .. } | Outcome::Removed => {}
        }
    }
    used.into_iter().fold(cells, |sum, buffer| sum.saturating_add(buffers[buffer].cells))
}

/// A number of cells that the arrays need in any case: the values alive at once, as far as they were counted for
/// these arrays.
pub(super) fn alive(search: &StorageSearch, ids: &[ArrayId]) -> u64 {
    match search.live.1 {
        Ok(live) if search.live.0.iter().all(|id| ids.contains(id)) => live.total,
        _ => ids.iter().map(|id| search.floor(*id)).max().unwrap_or(0),
    }
}

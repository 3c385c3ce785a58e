//! How few cells are worth a change, and below what no change can get.

use crate::search::{LEAST_SAVED_PERCENT, StorageSearch};
use crate::share::LEAST_SAVING;
use polyfold_scop::ArrayId;

/// How few cells are worth the change from so many.
pub(crate) fn worth(cells: u64) -> u64 {
    cells.saturating_sub(cells.saturating_mul(LEAST_SAVED_PERCENT).div_ceil(100))
}

/// How few cells are worth a `%` in subscripts.
pub(crate) fn worth_computing(cells: u64) -> u64 {
    cells - cells.div_ceil(LEAST_SAVING)
}

/// A number of cells that the arrays need in any case: the values alive at once, as far as they were counted for
/// these arrays.
pub(crate) fn alive(search: &StorageSearch, ids: &[ArrayId]) -> u64 {
    match search.live.1 {
        Some(live) if search.live.0.iter().all(|id| ids.contains(id)) => live.total,
        _ => ids.iter().map(|id| search.floor(*id)).max().unwrap_or(0),
    }
}

/// Whether so many cells are worth a change from more.
pub fn is_worth_changing(from: u64, to: u64) -> bool {
    to <= worth(from)
}

//! What is asked about rings and variables takes no longer than it may spare.

use crate::optimize::Optimized;
use polyfold_isl::{Error, ErrorKind};

/// Steps of isl for one such question about a scop, about a third of a second.
const MOST_STEPS: u64 = 1_000_000;

/// What is found about a result; nothing where that takes too long.
///
/// # Errors
/// When isl fails otherwise.
pub(crate) fn in_time<T>(result: &Optimized, find: impl FnOnce() -> Result<Vec<T>, Error>) -> Result<Vec<T>, Error> {
    match result.proved.context().with_quota(MOST_STEPS, find) {
        Err(error) if error.kind == ErrorKind::Quota => Ok(Vec::new()),
        other => other,
    }
}

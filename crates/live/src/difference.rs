//! Differences of conflicting cells ("DS" in Bee §3.2).
//!
//! ```text
//! DS = { x − y : x conflicts with y }
//! ```
//!
//! symmetric about 0. The point 0 itself, which Bee counts in, is left out: a set without points means that all
//! cells may share one. The exact union of pieces is kept; its convex hull can cost a factor of 4 and more.

use crate::Conflicts;
use polyfold_isl::{Context, Result, Set};

/// The set of differences of an array's conflicting cells, without 0.
#[derive(Clone, Debug)]
pub struct DifferenceSet {
    set: Set,
}

impl DifferenceSet {
    /// From the conflicts of an array with `dimensions` dimensions.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn of(ctx: &Context, conflicts: &Conflicts, dimensions: usize) -> Result<DifferenceSet> {
        let set = match &conflicts.pairs {
            Some(pairs) => pairs.deltas()?.coalesce()?,
            None => {
                let dims: Vec<String> = (0..dimensions).map(|k| format!("d{k}")).collect();
                Set::read(ctx, &format!("{{ [{}] : false }}", dims.join(", ")))?
            }
        };
        Ok(DifferenceSet { set })
    }

    /// The differences.
    pub fn set(&self) -> &Set {
        &self.set
    }

    /// Whether no two cells conflict: the array is one cell.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn is_zero(&self) -> Result<bool> {
        self.set.is_empty()
    }
}

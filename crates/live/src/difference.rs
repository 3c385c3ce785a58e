//! Differences of conflicting cells ("DS" in Bee §3.2).
//!
//! ```text
//! DS = { x − y : x conflicts with y }
//! ```
//!
//! symmetric about 0. As in Bee, 0 itself is always counted in; a set with no other point means that all cells may
//! share one. The exact union of pieces is kept: its convex hull may hold differences of no two cells, which cost
//! memory. (Merging pieces may add a difference in a rare case, see `coalesce_outward`; more differences are safe.)
//!
//! Example: a sweep `t[i] = x[i] + t[i - 2]` keeps two values alive, and has `DS = {-1, 0, 1}`.

use crate::{Conflicts, Subject};
use polyfold_isl::{Context, Error, ErrorKind, Result, Set};

/// Sets of more pieces are not worked on: merging them takes time that grows with the square of their number.
const MOST_PIECES: usize = 1000;

/// The set of differences of an array's conflicting cells, and 0.
#[derive(Clone, Debug)]
pub struct DifferenceSet {
    conflicts: Conflicts,
    set: Set,
    zero: Set,
}

impl DifferenceSet {
    /// From the conflicts of an array with `dimensions` dimensions.
    ///
    /// # Errors
    /// When the work bound is reached, or the set has more than 1000 pieces.
    pub fn of(ctx: &Context, conflicts: Conflicts, dimensions: usize) -> Result<DifferenceSet> {
        let origin = vec!["0"; dimensions].join(", ");
        let zero = Set::read(ctx, &format!("{{ [{origin}] }}"))?;
        let set = match conflicts.one_sided() {
            None => zero.clone(),
            Some(pairs) => {
                let all = pairs.deltas()?.unnamed()?;
                if all.pieces()? > MOST_PIECES {
                    let message = format!("a difference set of {} pieces, more than {MOST_PIECES}", all.pieces()?);
                    return Err(Error { kind: ErrorKind::Quota, message });
                }
                let all = all.union(&zero)?.coalesce_outward()?;
                all.union(&all.neg()?)?
            }
        };
        Ok(DifferenceSet { conflicts, set, zero })
    }

    /// The conflicts that these are the differences of.
    pub fn conflicts(&self) -> &Conflicts {
        &self.conflicts
    }

    /// Whose these are, and for which sizes.
    pub fn subject(&self) -> &Subject {
        self.conflicts.subject()
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
        self.set.is_subset(&self.zero)
    }
}

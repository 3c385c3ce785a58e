//! Sizes that the polyhedral view leaves out, with the place in the source that is the reason.
//!
//! Example: `if (i - 1 < n)` with an unsigned `i` from 0 on excludes `n >= 1`, since there `0 - 1` wraps around.

use polyfold_isl::{Result, Set};
use polyfold_scop::StatementId;

/// Parameter values for which the view says nothing.
#[derive(Clone, Debug)]
pub struct Exclusion {
    /// The values.
    pub sizes: Set,
    /// Why.
    pub cause: Cause,
    /// A cell outside its array that is reached whenever the source's constants have the values that it gives them; `None`: none is.
    pub witness: Option<Vec<i64>>,
}

/// Why sizes are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The obligation with this number is violated: unsigned arithmetic may wrap.
    Wraps(usize),
    /// This access of a statement is surely outside its array.
    Leaves(StatementId, usize),
}

/// All sizes that are left out for some reason, or are in `none`, which is empty.
pub(crate) fn all_sizes(exclusions: &[Exclusion], none: &Set) -> Result<Set> {
    exclusions.iter().try_fold(none.clone(), |all, exclusion| all.union(&exclusion.sizes))?.coalesce()
}

/// The exclusions of declared sizes, described as far as the declarations do not; where arithmetic may wrap, nothing is said
/// of accesses.
pub(crate) fn exclusions_within(declared: &Set, wrapping: &Set, all: Vec<Exclusion>) -> Result<Vec<Exclusion>> {
    let mut within = Vec::new();
    for Exclusion { sizes, cause, witness } in all {
        let mut sizes = sizes.intersect(declared)?;
        if matches!(cause, Cause::Leaves(..)) {
            sizes = sizes.subtract(wrapping)?;
        }
        if !sizes.is_empty()? {
            within.push(Exclusion { sizes: sizes.coalesce()?.gist_params(declared)?, cause, witness });
        }
    }
    Ok(within)
}

//! Differences between conflicting cells of two arrays, for a buffer that both share.
//!
//! ```text
//! Dᵢⱼ = { x − y : x of array i conflicts with y of array j }
//! ```
//!
//! Not symmetric, and 0 is in it only if cells of the same place conflict: then one array must be moved.
//! Example: `b[i] = a[i] + a[i - 1]` in order of i destroys `a[j]`, needed up to j + 1, for every `j >= i`: a and b have
//! `D = {0 .. n − 1}`, and may share n + 1 cells if b is moved by −1. For `b[i] = a[i]` it is `{1 .. n − 1}`, and n cells do.
//!
//! Paper: SMO (POPL'16) §3.2. Merging pieces may add a difference, as in [`DifferenceSet`](crate::DifferenceSet).

use crate::conflict::conflicts_between;
use crate::{Lifetimes, Precision, Subject};
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::ArrayId;

/// The differences of conflicting cells of two arrays.
#[derive(Clone, Debug)]
pub struct CrossDifferences {
    arrays: (ArrayId, ArrayId),
    context: Set,
    pairs: Option<Map>,
    set: Option<Set>,
    is_complete: bool,
}

impl CrossDifferences {
    /// `x − y` for cells x of the first array and y of the second.
    ///
    /// # Errors
    /// When the two do not come from one call of [`Lifetimes::together`], or the work bound is reached.
    pub fn of(first: &Lifetimes, second: &Lifetimes, precision: Precision) -> Result<CrossDifferences> {
        let (mut pairs, mut set, mut is_complete) = (None, None, false);
        let found = conflicts_between(first, second, precision)?;
        let (first, second) = (first.subject(), second.subject());
        if let Some(found) = found
            && !found.is_empty()?
        {
            is_complete = are_all(&found, first, second)?;
            let found = found.unnamed()?;
            set = Some(found.reverse()?.deltas()?.coalesce_outward()?);
            pairs = Some(found);
        }
        let (arrays, context) = ((first.array(), second.array()), first.context().clone());
        Ok(CrossDifferences { arrays, context, pairs, set, is_complete })
    }

    /// The first array and the second.
    pub fn arrays(&self) -> (ArrayId, ArrayId) {
        self.arrays
    }

    /// The parameter values for which they are known.
    pub fn context(&self) -> &Set {
        &self.context
    }

    /// `{ [x] -> [y] }`: the conflicting cells themselves; `None`: there are none.
    pub fn pairs(&self) -> Option<&Map> {
        self.pairs.as_ref()
    }

    /// The differences; `None`: no two cells conflict.
    pub fn set(&self) -> Option<&Set> {
        self.set.as_ref()
    }

    /// Whether, for the sizes for which any cells conflict, all do: nothing can be shared then.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }
}

fn are_all(pairs: &Map, first: &Subject, second: &Subject) -> Result<bool> {
    let (Some(x), Some(y)) = (first.touched(), second.touched()) else { return Ok(false) };
    x.with_each_of(y)?.intersect_params(&pairs.params()?)?.is_subset(pairs)
}

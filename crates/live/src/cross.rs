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
//!
//! Differences are taken when they are asked for first: many pairs of arrays are looked at for their conflicts only.

use crate::conflict::conflicts_between;
use crate::{Lifetimes, Precision, Subject};
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::ArrayId;
use std::cell::OnceCell;
use std::rc::Rc;

/// Conflicting cells, and their differences once they were asked for.
#[derive(Debug)]
struct Found {
    pairs: Map,
    differences: OnceCell<Set>,
}

impl Found {
    fn differences(&self) -> Result<&Set> {
        if let Some(known) = self.differences.get() {
            return Ok(known);
        }
        let differences = self.pairs.reverse()?.deltas()?.coalesce_outward()?;
        Ok(self.differences.get_or_init(|| differences))
    }
}

/// The differences of conflicting cells of two arrays.
#[derive(Clone, Debug)]
pub struct CrossDifferences {
    arrays: (ArrayId, ArrayId),
    context: Set,
    found: Option<Rc<Found>>,
    is_complete: bool,
}

impl CrossDifferences {
    /// `x − y` for cells x of the first array and y of the second.
    ///
    /// # Errors
    /// When the two do not come from one call of [`Lifetimes::together`], or the work bound is reached.
    pub fn of(first: &Lifetimes, second: &Lifetimes, precision: Precision) -> Result<CrossDifferences> {
        let (mut found, mut is_complete) = (None, false);
        let pairs = conflicts_between(first, second, precision)?;
        let (first, second) = (first.subject(), second.subject());
        if let Some(pairs) = pairs
            && !pairs.is_empty()?
        {
            is_complete = are_all(&pairs, first, second)?;
            found = Some(Rc::new(Found { pairs: pairs.unnamed()?, differences: OnceCell::new() }));
        }
        let (arrays, context) = ((first.array(), second.array()), first.context().clone());
        Ok(CrossDifferences { arrays, context, found, is_complete })
    }

    /// The same with more pairs `{ [x] -> [y] }` of cells that may not be one, for whatever reason.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn with(&self, more: &Map) -> Result<CrossDifferences> {
        let pairs = self.pairs().map_or_else(|| Ok(more.clone()), |known| known.union(more))?;
        let found = Rc::new(Found { pairs, differences: OnceCell::new() });
        Ok(CrossDifferences { found: Some(found), ..self.clone() })
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
        self.found.as_ref().map(|found| &found.pairs)
    }

    /// The differences; `None`: no two cells conflict.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn set(&self) -> Result<Option<&Set>> {
        self.found.as_ref().map(|found| found.differences()).transpose()
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

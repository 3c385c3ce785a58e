//! Differences between arrays of one program, each two of them taken once.
//!
//! Several ways to share storage ask about the same pairs: among 20 arrays there are 190, some milliseconds each.
//!
//! Invariant: all lifetimes are of one model.

use polyfold_isl::Result;
use polyfold_live::{CrossDifferences, Lifetimes, Precision};
use polyfold_scop::ArrayId;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What is known of pairs of arrays so far.
#[derive(Default)]
pub(crate) struct KnownPairs {
    found: RefCell<BTreeMap<(ArrayId, ArrayId, Precision), CrossDifferences>>,
}

impl KnownPairs {
    /// As [`CrossDifferences::of`].
    pub(crate) fn between(
        &self,
        first: &Lifetimes,
        second: &Lifetimes,
        precision: Precision,
    ) -> Result<CrossDifferences> {
        let key = (first.subject().array(), second.subject().array(), precision);
        if let Some(known) = self.found.borrow().get(&key) {
            return Ok(known.clone());
        }
        let found = CrossDifferences::of(first, second, precision)?;
        self.found.borrow_mut().insert(key, found.clone());
        Ok(found)
    }
}

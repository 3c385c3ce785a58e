//! Lifetimes, and differences of conflicting cells, of one program's arrays: each array and each two of them are looked at once.
//!
//! Several ways to find storage ask about the same arrays: among 20 there are 190 pairs, some milliseconds each.
//!
//! Invariant: all lifetimes are of one model.

use polyfold_flow::Model;
use polyfold_isl::{Context, Result};
use polyfold_live::{CrossDifferences, DifferenceSet, Lifetimes, Precision, conflicts};
use polyfold_scop::ArrayId;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What is known so far.
#[derive(Default)]
pub(crate) struct KnownConflicts {
    alone: RefCell<BTreeMap<ArrayId, Lifetimes>>,
    own: RefCell<BTreeMap<(ArrayId, Precision), DifferenceSet>>,
    between: RefCell<BTreeMap<(ArrayId, ArrayId, Precision), CrossDifferences>>,
}

impl KnownConflicts {
    /// Of an array alone, as [`Lifetimes::of`].
    pub(crate) fn alone(&self, model: &Model, id: ArrayId) -> Result<Lifetimes> {
        if let Some(known) = self.alone.borrow().get(&id) {
            return Ok(known.clone());
        }
        let found = Lifetimes::of(model, id)?;
        self.alone.borrow_mut().insert(id, found.clone());
        Ok(found)
    }

    /// Of an array with so many dimensions, as [`DifferenceSet::of`].
    pub(crate) fn own(
        &self,
        ctx: &Context,
        lifetimes: &Lifetimes,
        precision: Precision,
        dimensions: usize,
    ) -> Result<DifferenceSet> {
        let key = (lifetimes.subject().array(), precision);
        if let Some(known) = self.own.borrow().get(&key) {
            return Ok(known.clone());
        }
        let found = DifferenceSet::of(ctx, conflicts(lifetimes, precision)?, dimensions)?;
        self.own.borrow_mut().insert(key, found.clone());
        Ok(found)
    }

    /// As [`CrossDifferences::of`].
    pub(crate) fn between(
        &self,
        first: &Lifetimes,
        second: &Lifetimes,
        precision: Precision,
    ) -> Result<CrossDifferences> {
        let key = (first.subject().array(), second.subject().array(), precision);
        if let Some(known) = self.between.borrow().get(&key) {
            return Ok(known.clone());
        }
        let found = CrossDifferences::of(first, second, precision)?;
        self.between.borrow_mut().insert(key, found.clone());
        Ok(found)
    }
}

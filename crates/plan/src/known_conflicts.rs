//! Lifetimes, and differences of conflicting cells, of one program's arrays: each array and each two of them are looked at once.
//!
//! Several ways to find storage ask about the same arrays: among 20 there are 190 pairs, some milliseconds each.
//!
//! Who wants cells of two arrays to be apart for other reasons asks for more pairs ([`KnownConflicts::keeping_apart`]): what is found and proved then is right all the more.
//!
//! Invariant: all lifetimes are of one model.

use polyfold_flow::Model;
use polyfold_isl::{Context, Map, Result};
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
    apart: Apart,
}

/// Pairs `{ [x] -> [y] }` of cells of a first array and a second one.
pub(crate) type Apart = BTreeMap<(ArrayId, ArrayId), Map>;

impl KnownConflicts {
    /// The same with more pairs of cells that may not be one, for arrays in this order.
    pub(crate) fn keeping_apart(&self, more: &Apart) -> Result<KnownConflicts> {
        let mut apart = self.apart.clone();
        for (arrays, pairs) in more {
            let all = apart.get(arrays).map_or_else(|| Ok(pairs.clone()), |known| known.union(pairs))?;
            apart.insert(*arrays, all);
        }
        Ok(KnownConflicts { alone: self.alone.clone(), own: self.own.clone(), between: RefCell::default(), apart })
    }

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

    /// As [`CrossDifferences::of`], with the pairs that are to be apart.
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
        let mut found = CrossDifferences::of(first, second, precision)?;
        if let Some(more) = self.apart.get(&(key.0, key.1)) {
            found = found.with(more)?;
        }
        self.between.borrow_mut().insert(key, found.clone());
        Ok(found)
    }
}

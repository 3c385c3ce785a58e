//! Which cells may not share a slot, straight from the definition.
//!
//! Cells x and y conflict iff some lifetime `(w, r)` of x and *any* write `t` of y, dead or not, satisfy
//! `w <= t < r`, or the same with x and y exchanged. What a lifetime is depends on the [`Precision`].
//!
//! Example: `t = r` is no conflict, so in `y = x + 1` where x dies, y may take x's slot.

use std::collections::BTreeSet;

use polyfold_scop::ArrayId;

use crate::lifetime::Value;
use crate::trace::{Cell, Trace};

/// How closely the lifetimes of a cell are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// One interval: from any write of the cell to any later read of it.
    Cell,
    /// One interval for each value; never more conflicts than [`Precision::Cell`].
    Value,
}

impl Trace {
    /// All pairs of different cells of an array that conflict; symmetric.
    pub fn conflicts(&self, array: ArrayId, precision: Precision) -> BTreeSet<(Cell, Cell)> {
        let mut pairs = self.conflicts_between(array, array, precision);
        pairs.retain(|(x, y)| x != y);
        pairs
    }

    /// All conflicts of a cell of `a` with a cell of `b`; with `a = b`, the trivial ones of a cell with itself too.
    pub fn conflicts_between(&self, a: ArrayId, b: ArrayId, precision: Precision) -> BTreeSet<(Cell, Cell)> {
        let mut pairs = BTreeSet::new();
        self.each_write_while_live(a, b, precision, |x, y| {
            pairs.insert((x.clone(), y.clone()));
        });
        self.each_write_while_live(b, a, precision, |y, x| {
            pairs.insert((x.clone(), y.clone()));
        });
        pairs
    }

    /// The differences `x - y` of conflicting cells of an array: symmetric, and without 0.
    pub fn differences(&self, array: ArrayId, precision: Precision) -> BTreeSet<Vec<i64>> {
        let mut differences = BTreeSet::new();
        self.each_write_while_live(array, array, precision, |x, y| {
            if x != y {
                differences.insert(x.iter().zip(y).map(|(x, y)| x - y).collect());
                differences.insert(x.iter().zip(y).map(|(x, y)| y - x).collect());
            }
        });
        differences
    }

    fn each_write_while_live(
        &self,
        live: ArrayId,
        written: ArrayId,
        precision: Precision,
        mut found: impl FnMut(&Cell, &Cell),
    ) {
        let writes = self.writes_by_time(written);
        for lifetime in self.lifetimes(live, precision) {
            let Some(last_read) = lifetime.last_read else { continue };
            let from = writes.partition_point(|(time, _)| *time < lifetime.written);
            for (_, cell) in writes[from..].iter().take_while(|(time, _)| *time < last_read) {
                found(&lifetime.cell, cell);
            }
        }
    }

    fn lifetimes(&self, array: ArrayId, precision: Precision) -> Vec<Value> {
        match precision {
            Precision::Value => self.values(array),
            Precision::Cell => {
                let histories = self.histories(array).into_iter();
                let whole = histories.map(|(cell, h)| Value {
                    cell,
                    written: h.writes[0],
                    last_read: h.reads.last().copied().filter(|read| *read > h.writes[0]),
                });
                whole.collect()
            }
        }
    }

    fn writes_by_time(&self, array: ArrayId) -> Vec<(i64, Cell)> {
        let histories = self.histories(array).into_iter();
        let mut writes: Vec<_> =
            histories.flat_map(|(cell, h)| h.writes.into_iter().map(move |time| (time, cell.clone()))).collect();
        writes.sort();
        writes
    }
}

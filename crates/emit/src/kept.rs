//! Integers that stand as the source writes them.
//!
//! Example: where `A[j+1]` moves to `row[(j + 1) mod 2]`, the new subscript is `(j+1) % 2`: the source's own text stands
//! for the integer that it is. A macro call gets parentheses: `(COL(j)) % 2`.

use polyfold_program::{Int, Values, Written};

/// Some integers of the source, with their texts, and with their values where these are known.
#[derive(Clone, Default)]
pub(crate) struct Kept<'s> {
    all: Vec<(&'s Int, &'s Written, Option<Values>)>,
}

impl<'s> Kept<'s> {
    /// The parts of a node; none if it is whole or not at all, or has one for several integers.
    pub(crate) fn of(integers: impl IntoIterator<Item = &'s Int>, written: &'s Written) -> Kept<'s> {
        let integers: Vec<&Int> = integers.into_iter().collect();
        let values = vec![None; integers.len()];
        Kept::with_values(integers, written, values)
    }

    /// The subscripts of a cell that is there: they lie in its rows.
    pub(crate) fn of_cell(index: &'s [Int], written: &'s Written, rows: Vec<Option<Values>>) -> Kept<'s> {
        Kept::with_values(index.iter().collect(), written, rows)
    }

    fn with_values(integers: Vec<&'s Int>, written: &'s Written, values: Vec<Option<Values>>) -> Kept<'s> {
        let has_all = integers.len() == written.parts.len() && values.len() == integers.len();
        let all = integers.into_iter().zip(&written.parts).zip(values).filter(|_| has_all);
        Kept { all: all.map(|((e, written), values)| (e, written, values)).collect() }
    }

    /// A single one.
    pub(crate) fn whole(e: &'s Int, written: &'s Written) -> Kept<'s> {
        Kept { all: vec![(e, written, None)] }
    }

    /// The one that an integer is with other counters.
    pub(crate) fn moved(&self, is_it: &dyn Fn(&Int) -> bool) -> Option<(&'s Int, &'s Written, Option<Values>)> {
        self.all.iter().find(|(own, ..)| is_it(own)).copied()
    }

    /// How an integer is written, if it is one of them.
    pub(crate) fn written(&self, e: &Int) -> Option<(&'s Written, Option<Values>)> {
        self.all.iter().find(|(own, ..)| *own == e).map(|(_, written, values)| (*written, *values))
    }
}

//! Integers that stand as the source writes them.
//!
//! Example: where `A[j+1]` moves to `row[(j + 1) mod 2]`, the new subscript is `(j+1) % 2`: the source's own text stands
//! for the integer that it is. A macro call gets parentheses: `(COL(j)) % 2`.

use polyfold_program::{Int, Written};

/// Some integers of the source, with their texts.
#[derive(Clone, Default)]
pub(crate) struct Kept<'s> {
    all: Vec<(&'s Int, &'s Written)>,
}

impl<'s> Kept<'s> {
    /// The parts of a node; none if it is whole or not at all, or has one for several integers.
    pub(crate) fn of(integers: impl IntoIterator<Item = &'s Int>, written: &'s Written) -> Kept<'s> {
        let integers: Vec<&Int> = integers.into_iter().collect();
        let has_all = integers.len() == written.parts.len();
        Kept { all: integers.into_iter().zip(&written.parts).filter(|_| has_all).collect() }
    }

    /// A single one.
    pub(crate) fn whole(e: &'s Int, written: &'s Written) -> Kept<'s> {
        Kept { all: vec![(e, written)] }
    }

    /// How an integer is written, if it is one of them.
    pub(crate) fn written(&self, e: &Int) -> Option<&'s Written> {
        self.all.iter().find(|(own, _)| *own == e).map(|(_, written)| *written)
    }
}

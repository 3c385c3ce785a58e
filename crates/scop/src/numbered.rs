//! Integers of a program with its counters by the numbers of loops.
//!
//! Example: in the second of two loops over `i` the program's `i + 1` is `i1 + 1`. A program has one local for both.

use crate::{Condition, Expr, LoopId};
use polyfold_program::{Cond, Int, LocalId};

/// The loops around something, outermost first, with their counters.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopsAround(pub(crate) Vec<(LoopId, LocalId)>);

impl LoopsAround {
    /// An integer. `None`: data decide, or a counter is that of no loop around.
    pub(crate) fn expr(&self, e: &Int) -> Option<Expr> {
        let mut is_known = true;
        let e = e.with_leaves(&mut |leaf| self.numbered(leaf, &mut is_known));
        Expr::of_program(&e).filter(|_| is_known)
    }

    /// A condition, likewise.
    pub(crate) fn condition(&self, cond: &Cond) -> Option<Condition> {
        let mut is_known = true;
        let cond = cond.with_leaves(&mut |leaf| self.numbered(leaf, &mut is_known));
        Condition::of_program(&cond).filter(|_| is_known)
    }

    /// The loops alone.
    pub(crate) fn ids(&self) -> Vec<LoopId> {
        self.0.iter().map(|(id, _)| *id).collect()
    }

    fn numbered(&self, leaf: &Int, is_known: &mut bool) -> Int {
        let Int::Local(local) = leaf else { return leaf.clone() };
        let around = self.0.iter().rev().find(|(_, counter)| counter == local);
        *is_known &= around.is_some();
        around.map_or_else(|| leaf.clone(), |(id, _)| Int::Local(LocalId(id.0)))
    }
}

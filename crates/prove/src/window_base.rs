//! Where windows begin that loops carry along: `c = Σ factor · counter`.
//!
//! A counter begins at that of its strip or tile, and grows from there by less than a strip has. So what a cell's position `Σ factor · subscript` is where the counters
//! inside have their first values grows from turn to turn as the window does:
//!
//! ```text
//! v = y − 2 x,  x from X on,  y from max(Y, 2) on        c = Y − 2 X
//! ```
//!
//! This is a proposal: [`carried_windows`](crate::carried_windows) shows that all accesses are near it. Numbers and sizes do not matter, which are the same in all turns.

use crate::own_values::Use;
use polyfold_scop::{Expr, Loop, LoopId, Scop};
use std::collections::BTreeMap;

/// Where a window begins, numbers aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Base {
    /// Counters with their factors, none of which is 0; outermost first.
    terms: Vec<(LoopId, i64)>,
    /// By how much it grows in each turn of the innermost one.
    step: i64,
}

impl Base {
    /// The innermost counter's loop.
    pub(crate) fn strips(&self) -> LoopId {
        self.terms[self.terms.len() - 1].0
    }

    pub(crate) fn terms(&self) -> &[(LoopId, i64)] {
        &self.terms
    }

    pub(crate) fn step(&self) -> i64 {
        self.step
    }

    /// Of a counter; 0 if it has none.
    pub(crate) fn factor(&self, id: LoopId) -> i64 {
        self.terms.iter().find(|(own, _)| *own == id).map_or(0, |(_, factor)| *factor)
    }
}

/// The places where windows of a loop's turns may begin, and whether positions are to be turned around for it, so that they grow with the innermost counter that they have: the loop is the last one of
/// those `around` all accesses.
pub(crate) fn bases(scop: &Scop, uses: &[Use], factors: &[i64], around: &[&Loop]) -> Vec<(bool, Base)> {
    let mut found: Vec<(bool, Base)> = Vec::new();
    for (_, _, access) in uses {
        let base = access.subscripts.as_ref().and_then(|own| base(scop, own, factors, around));
        found.extend(base.filter(|base| !found.contains(base)));
    }
    found
}

/// Where a position is when the loops inside begin.
fn base(scop: &Scop, subscripts: &[Expr], factors: &[i64], around: &[&Loop]) -> Option<(bool, Base)> {
    let mut begin = Begin { scop, around, factors: BTreeMap::new() };
    for (subscript, factor) in subscripts.iter().zip(factors) {
        begin.add(subscript, *factor)?;
    }
    let own = |l: &&&Loop| begin.factors.get(&l.id).is_some_and(|factor| *factor != 0);
    let innermost = around.iter().rfind(own)?;
    let own = begin.factors[&innermost.id];
    let (is_turned, sign) = (own < 0, own.signum());
    let factor = |l: &&Loop| begin.factors.get(&l.id).map(|factor| (l.id, sign * factor));
    let terms = around.iter().filter_map(factor).filter(|(_, factor)| *factor != 0).collect();
    Some((is_turned, Base { terms, step: own.checked_mul(sign)?.checked_mul(innermost.step)? }))
}

/// A sum in which counters of loops inside have their first values.
struct Begin<'a> {
    scop: &'a Scop,
    around: &'a [&'a Loop],
    factors: BTreeMap<LoopId, i64>,
}

impl Begin<'_> {
    /// Adds a multiple of an expression; `None`: it is no sum, or past 64 bits.
    fn add(&mut self, expr: &Expr, by: i64) -> Option<()> {
        match expr {
            Expr::Constant(_) | Expr::Parameter(_) => Some(()),
            Expr::Add(a, b) => {
                self.add(a, by)?;
                self.add(b, by)
            }
            Expr::Scale(factor, own) => self.add(own, by.checked_mul(*factor)?),
            Expr::Iterator(id) if self.around.iter().any(|l| l.id == *id) => {
                let sum = self.factors.entry(*id).or_default();
                *sum = sum.checked_add(by)?;
                Some(())
            }
            Expr::Iterator(id) => self.add(&self.scop.loops().get(id.0)?.first, by),
            Expr::Select(..) => {
                // Of a strip and the border of what it is in, the strip is what grows.
                let (_, one, other) = expr.as_extremum()?;
                self.add(if has_counter(one) { one } else { other }, by)
            }
            Expr::Divide(..) | Expr::Remainder(..) => None,
        }
    }
}

fn has_counter(expr: &Expr) -> bool {
    match expr {
        Expr::Iterator(_) => true,
        Expr::Constant(_) | Expr::Parameter(_) => false,
        Expr::Add(a, b) => has_counter(a) || has_counter(b),
        Expr::Scale(_, own) | Expr::Divide(own, _) | Expr::Remainder(own, _) => has_counter(own),
        Expr::Select(..) => expr.as_extremum().is_some_and(|(_, one, other)| has_counter(one) || has_counter(other)),
    }
}

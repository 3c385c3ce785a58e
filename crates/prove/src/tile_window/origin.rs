//! Where a row of storage is counted from: `c = Σ factor · counter`.
//!
//! A counter begins at that of its strip or tile, and grows from there by less than a strip has. So
//! what a cell's position `Σ factor · subscript` is where the counters inside have their first
//! values grows from iteration to iteration as the window does:
//!
//! ```text
//! v = y − 2 x,  x from X on,  y from max(Y, 2) on        c = Y − 2 X
//! ```
//!
//! That is a proposal. [`Asked::near`] shows for all sizes how far from it accesses are. Numbers
//! and sizes do not matter, which are the same in all iterations.

use super::Asked;
use crate::own_values::Use;
use crate::quotient::linear_map;
use polyfold_isl::{Map, Result};
use polyfold_scop::{Expr, Loop, LoopId, Scop};
use std::collections::BTreeMap;

/// From where the cells of a row are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// None of the factors is 0; outermost first.
    terms: Vec<(LoopId, i64)>,
    step: i64,
    is_turned: bool,
    lowest: i64,
}

impl Origin {
    /// The counters from which the first cell's position is known, each with its factor; outermost
    /// first.
    pub fn terms(&self) -> &[(LoopId, i64)] {
        &self.terms
    }

    /// Whether the row is gone through backwards: what stands for a position is its negative.
    pub fn is_turned(&self) -> bool {
        self.is_turned
    }

    /// What the first cell's position is above the sum of the [`terms`](Self::terms).
    pub fn lowest(&self) -> i64 {
        self.lowest
    }

    /// The innermost counter's loop.
    pub(super) fn innermost(&self) -> LoopId {
        self.terms[self.terms.len() - 1].0
    }

    /// By how much the first cell's position grows in each iteration of that, or shrinks if it is
    /// negative.
    pub(super) fn step(&self) -> i64 {
        self.step
    }

    pub(super) fn with_lowest(&self, lowest: i64) -> Origin {
        Origin { lowest, ..self.clone() }
    }
}

impl Asked<'_> {
    /// The first origin of some kind that all accesses are near, in the iterations of the last one
    /// of the loops around them, with the greatest position counted from there. The least one is
    /// its lowest.
    pub(super) fn near(
        &self,
        uses: &[Use],
        factors: &[i64],
        around: &[&Loop],
        is_asked: impl Fn(&Origin) -> bool,
    ) -> Result<Option<(Origin, i64)>> {
        for origin in origins(self.scop, uses, factors, around).iter().filter(|origin| is_asked(origin)) {
            if let Some((least, most)) = self.range(uses, factors, origin)? {
                return Ok(Some((origin.with_lowest(least), most)));
            }
        }
        Ok(None)
    }

    /// The least and the greatest v − c of all accesses; `None`: there is none.
    fn range(&self, uses: &[Use], factors: &[i64], origin: &Origin) -> Result<Option<(i64, i64)>> {
        let mut range: Option<(i64, i64)> = None;
        for (id, number, _) in uses {
            let cells = self.statements[id.0].cells[*number].unnamed()?.intersect_params(self.context)?;
            let Some((least, most)) = apart(&cells, factors, origin, &self.scop.statement(*id).loops)? else {
                return Ok(None);
            };
            range = Some(range.map_or((least, most), |(low, high)| (low.min(least), high.max(most))));
        }
        Ok(range)
    }
}

/// The least and the greatest v − c of an access in some loops; `None`: there is none.
fn apart(cells: &Map, factors: &[i64], origin: &Origin, loops: &[LoopId]) -> Result<Option<(i64, i64)>> {
    let sign = if origin.is_turned { -1 } else { 1 };
    let of_origin = |id: &LoopId| origin.terms.iter().find(|(own, _)| own == id).map_or(0, |(_, factor)| -factor);
    let all: Vec<i64> = loops.iter().map(of_origin).chain(factors.iter().map(|factor| sign * factor)).collect();
    let both = cells.domain()?.identity()?.flat_range_product(cells)?.range()?;
    let apart = both.apply(&linear_map(cells.context(), all.len(), [&all[..]])?)?;
    if apart.is_empty()? {
        return Ok(None);
    }
    Ok(apart.dim_min_value(0)?.zip(apart.dim_max_value(0)?))
}

/// Where windows may begin in the iterations of the last one of some loops around all accesses.
/// Positions are turned around where they would not grow with the innermost counter that they have.
fn origins(scop: &Scop, uses: &[Use], factors: &[i64], around: &[&Loop]) -> Vec<Origin> {
    let mut found: Vec<Origin> = Vec::new();
    for (_, _, access) in uses {
        let own = access.subscripts.as_ref().and_then(|own| origin(scop, own, factors, around));
        found.extend(own.filter(|own| !found.contains(own)));
    }
    found
}

/// Where a position is when the loops inside begin.
fn origin(scop: &Scop, subscripts: &[Expr], factors: &[i64], around: &[&Loop]) -> Option<Origin> {
    let mut begin = Begin { scop, around, factors: BTreeMap::new() };
    for (subscript, factor) in subscripts.iter().zip(factors) {
        begin.add(subscript, *factor)?;
    }
    let own = |l: &&&Loop| begin.factors.get(&l.id).is_some_and(|factor| *factor != 0);
    let innermost = around.iter().rfind(own)?;
    let own = begin.factors[&innermost.id];
    let sign = own.signum();
    let factor = |l: &&Loop| begin.factors.get(&l.id).map(|factor| (l.id, sign * factor));
    let terms = around.iter().filter_map(factor).filter(|(_, factor)| *factor != 0).collect();
    let step = own.checked_mul(sign)?.checked_mul(innermost.step)?;
    Some(Origin { terms, step, is_turned: own < 0, lowest: 0 })
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

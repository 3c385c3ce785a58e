//! Where accesses are in a window, counted from where their tile begins.
//!
//! ```text
//! v − c − lowest  =  Σ factor · (counter − where it begins)  +  number
//! ```
//!
//! Each counter of a loop inside stands for how far it is in its strip or tile, which is a small number whatever the sizes are. What the innermost one adds goes along a
//! row; the rest is where the row begins, which is held in a turn of the loops around:
//!
//! ```text
//! t[x][y − 1],  v = y − 2 x,  c = Y − 2 X,  lowest = −512        (y − Y) − 2 (x − X) + 511
//! ```
//!
//! Invariants: both sides are the same expression; no difference of two counters is far from 0 for any sizes; [`held_least`](WindowPlace::held_least) is no more than what the rest is at any time,
//! and what the rest is above it is less than the number of cells, so that a pointer there points to a cell.

use crate::window_base::Base;
use polyfold_flow::StatementModel;
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{Access, Expr, LoopId, Scop, StatementId};
use std::collections::BTreeMap;

/// Differences of two counters are no larger: sums of a few multiples of them are `int`s.
const MOST_APART: i64 = 1 << 20;

/// Where an access is in a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowPlace {
    /// Whose access.
    pub statement: StatementId,
    /// Which of its accesses.
    pub access: usize,
    /// The counters of loops inside, innermost first.
    pub counters: Vec<Counted>,
    /// What is added.
    pub number: i64,
    /// The least that everything but the innermost loop's counter comes to, the number included.
    pub held_least: i64,
}

/// A multiple of how far a counter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// By what it is multiplied.
    pub factor: i64,
    /// Whose counter.
    pub counter: LoopId,
    /// Whose counter says where it begins; `None`: it counts from 0.
    pub begin: Option<LoopId>,
}

/// What windows are about.
pub(crate) struct Frame<'a> {
    pub(crate) scop: &'a Scop,
    pub(crate) statements: &'a [StatementModel],
    pub(crate) context: &'a Set,
    pub(crate) base: &'a Base,
    /// Where the first cell is, above the base.
    pub(crate) lowest: i64,
    pub(crate) cells: i64,
}

impl Frame<'_> {
    /// The place of an access at `Σ factor · subscript`; `None`: it is no such sum.
    pub(crate) fn place(
        &self,
        (statement, access): (StatementId, usize),
        own: &Access,
        factors: &[i64],
    ) -> Result<Option<WindowPlace>> {
        let Some((counters, number)) = self.sum(statement, own, factors) else { return Ok(None) };
        let domain = self.statements[statement.0].domain.unnamed()?.intersect_params(self.context)?;
        let loops = &self.scop.statement(statement).loops;
        for own in &counters {
            let near = range(&domain, loops, &[Counted { factor: 1, ..*own }])?;
            if near.is_none_or(|(least, most)| -least > MOST_APART || most > MOST_APART) {
                return Ok(None);
            }
        }
        let held: Vec<_> = counters.iter().filter(|own| loops.last() != Some(&own.counter)).copied().collect();
        let Some((least, most)) = range(&domain, loops, &held)? else { return Ok(None) };
        let is_inside = most - least < self.cells;
        Ok(is_inside.then(|| WindowPlace { statement, access, counters, number, held_least: least + number }))
    }

    /// Counters from where they begin, and a number.
    fn sum(&self, statement: StatementId, own: &Access, factors: &[i64]) -> Option<(Vec<Counted>, i64)> {
        let mut sum = Sum::default();
        for (subscript, factor) in own.subscripts.as_ref()?.iter().zip(factors) {
            sum.add(subscript, *factor)?;
        }
        let is_of_base = |id: &LoopId| self.base.factor(*id) != 0;
        let loops = self.scop.loops();
        let mut counters = Vec::new();
        for id in self.scop.statement(statement).loops.iter().rev().filter(|id| !is_of_base(id)) {
            let factor = sum.factors.get(id).copied().unwrap_or(0);
            if factor != 0 {
                let begin = begin(&loops[id.0].first).filter(is_of_base);
                begin.into_iter().try_for_each(|begin| sum.add(&Expr::Iterator(begin), factor))?;
                counters.push(Counted { factor, counter: *id, begin });
            }
        }
        // What counters begin with is all that the base has.
        let is_all = self.base.terms().iter().all(|(id, factor)| sum.factors.get(id) == Some(factor));
        is_all.then(|| Some((counters, sum.number.checked_sub(self.lowest)?))).flatten()
    }
}

/// The least and the greatest value of a sum of counters; `None`: there is none.
fn range(domain: &Set, loops: &[LoopId], sum: &[Counted]) -> Result<Option<(i64, i64)>> {
    let counter = |id: &LoopId| loops.iter().position(|own| own == id).map(|level| format!("i{level}"));
    let term = |own: &Counted| {
        let begin = own.begin.as_ref().and_then(counter).map_or(String::new(), |begin| format!(" - {begin}"));
        let sign = if own.factor < 0 { '-' } else { '+' };
        Some(format!(" {sign} {} * ({}{begin})", own.factor.unsigned_abs(), counter(&own.counter)?))
    };
    let Some(sum) = sum.iter().map(term).collect::<Option<String>>() else { return Ok(None) };
    let all: Vec<String> = (0..loops.len()).map(|level| format!("i{level}")).collect();
    let values = domain.apply(&Map::read(domain.context(), &format!("{{ [{}] -> [0{sum}] }}", all.join(", ")))?)?;
    if values.is_empty()? {
        return Ok(None);
    }
    Ok(values.dim_min_value(0)?.zip(values.dim_max_value(0)?))
}

/// The counter that a first value is, or is near: `Y` of `Y`, `Y + 1` and `max(Y, 2)`.
fn begin(first: &Expr) -> Option<LoopId> {
    match first {
        Expr::Iterator(id) => Some(*id),
        Expr::Add(a, b) => match (a.as_constant(), b.as_constant()) {
            (Some(_), _) => begin(b),
            (_, Some(_)) => begin(a),
            _ => None,
        },
        Expr::Select(..) => first.as_extremum().and_then(|(_, one, other)| begin(one).or_else(|| begin(other))),
        _ => None,
    }
}

/// A number and multiples of counters.
#[derive(Default)]
struct Sum {
    factors: BTreeMap<LoopId, i64>,
    number: i64,
}

impl Sum {
    /// Adds a multiple of an expression; `None`: it is something else, or past 64 bits.
    fn add(&mut self, expr: &Expr, by: i64) -> Option<()> {
        match expr {
            Expr::Constant(value) => self.number = self.number.checked_add(value.checked_mul(by)?)?,
            Expr::Iterator(id) => {
                let sum = self.factors.entry(*id).or_default();
                *sum = sum.checked_add(by)?;
            }
            Expr::Add(a, b) => {
                self.add(a, by)?;
                self.add(b, by)?;
            }
            Expr::Scale(factor, own) => self.add(own, by.checked_mul(*factor)?)?,
            _ => return None,
        }
        Some(())
    }
}

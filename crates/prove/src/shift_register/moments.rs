//! How far values have moved when an access happens.
//!
//! ```text
//! s(o, child)      = Σ turns of the moving loops in front of the child at o      o: counters of the loops around the window's body
//! s(o, child, j)   = s(o, child) + |j − first|                                   in a turn of a moving loop
//! ```
//!
//! For each access the relation { o → v − s } is found on sets, for all sizes; one whose values differ at some o has no place. Two accesses that
//! happen at the same o have to differ by one number at all of these. So one access after the other gets its number, from those at whose o something is
//! known; where nothing connects them, they have none.
//!
//! Example: behind `for (j = 2; j < n; j++)` s is n − 2 for n > 2 and else 0, and `a[n - 1]` is 1 for n >= 2, n − 1 below.
//!
//! Invariant: what data decide is taken for what may happen, so relations may have more pairs than happen, never fewer.

use super::window::{Use, Window};
use crate::quotient::linear_map;
use polyfold_flow::{StatementModel, turns};
use polyfold_isl::{Map, Result, Set};
use std::collections::BTreeMap;

/// When the accesses of a window happen, in turns.
pub(super) struct Moments<'a> {
    window: &'a Window<'a>,
    statements: &'a [StatementModel],
    context: &'a Set,
    /// `{ [o] -> [s] }` when a child of the body begins.
    before: Vec<Map>,
    /// `{ [o] -> [j] }`: the first turn of a moving loop, by child.
    first: BTreeMap<usize, Map>,
}

impl<'a> Moments<'a> {
    pub(super) fn of(
        window: &'a Window<'a>,
        statements: &'a [StatementModel],
        context: &'a Set,
    ) -> Result<Moments<'a>> {
        let mut moments = Moments { window, statements, context, before: Vec::new(), first: BTreeMap::new() };
        let mut all: Option<Set> = None;
        for used in &window.uses {
            let own = moments.values(used)?.domain()?.apply(&moments.window_of(used)?)?;
            all = Some(all.map_or(Ok(own.clone()), |all| all.union(&own))?);
        }
        let Some(all) = all else { return Ok(moments) };
        let mut over = all.identity()?.apply_range(&moments.read(window.around, "0")?)?;
        for child in 0..window.body.len() {
            moments.before.push(over.clone());
            if let Some((first, turns)) = moments.turns(child, &all)? {
                over = over.flat_range_product(&turns)?.apply_range(&moments.map("a, b", "a + b")?)?;
                moments.first.insert(child, first);
            }
        }
        Ok(moments)
    }

    /// u of each access, up to one number for all; `None`: one has several, or none.
    pub(super) fn numbers(&self) -> Result<Option<Vec<i64>>> {
        let mut offsets = Vec::new();
        for used in &self.window.uses {
            match self.offsets(used)? {
                Some(own) => offsets.push(own),
                None => return Ok(None),
            }
        }
        let is_moving = |used: &Use| used.access.is_write() && self.window.loop_at(used.child).is_some();
        let Some(start) = self.window.uses.iter().position(is_moving) else { return Ok(None) };
        let (mut numbers, mut known) = (vec![None; offsets.len()], offsets[start].clone());
        numbers[start] = Some(0);
        let mut is_new = true;
        while is_new {
            is_new = false;
            for (own, number) in offsets.iter().zip(&mut numbers).filter(|(_, number)| number.is_none()) {
                let apart = own.flat_range_product(&known)?.apply_range(&self.map("a, b", "a - b")?)?.range()?;
                if apart.is_empty()? && !own.is_empty()? {
                    continue;
                }
                let found = if own.is_empty()? { Some(0) } else { one_value(&apart)? };
                let Some(found) = found else { return Ok(None) };
                (*number, is_new) = (Some(found), true);
                if !own.domain()?.is_subset(&known.domain()?)? {
                    known = known.union(&own.apply_range(&self.map("a", &format!("a - ({found})"))?)?)?;
                }
            }
        }
        Ok(numbers.into_iter().collect())
    }

    /// `{ [o] -> [v − s] }` of an access; `None`: it has several values at some o.
    fn offsets(&self, used: &Use) -> Result<Option<Map>> {
        let (values, outer) = (self.values(used)?, self.window_of(used)?);
        let before = outer.apply_range(&self.before[used.child])?;
        let over = match (self.window.loop_at(used.child), self.first.get(&used.child)) {
            (Some(l), Some(first)) => {
                let own = self.read(self.depth(used), &format!("i{}", self.window.around))?;
                let all = before.flat_range_product(&outer.apply_range(first)?)?.flat_range_product(&own)?;
                all.apply_range(&self.map("s, f, j", &format!("s + {} * (j - f)", l.step))?)?
            }
            _ => before,
        };
        let operations = values.flat_range_product(&over)?.apply_range(&self.map("v, s", "v - s")?)?;
        if !values.domain()?.is_subset(&operations.domain()?)? {
            return Ok(None);
        }
        let offsets = operations.apply_domain(&outer)?;
        Ok(offsets.is_single_valued()?.then_some(offsets))
    }

    /// `{ [i] -> [v] }` for the operations of an access.
    fn values(&self, used: &Use) -> Result<Map> {
        let cells = &self.statements[used.statement.0].cells[used.number];
        let factors = &self.window.factors[..];
        let position = linear_map(self.context.context(), factors.len(), [factors])?;
        cells.unnamed()?.intersect_params(self.context)?.apply_range(&position)
    }

    /// `{ [o] -> [first] }` and `{ [o] -> [number of turns] }` of a child that is a moving loop.
    fn turns(&self, child: usize, all: &Set) -> Result<Option<(Map, Map)>> {
        let Some(l) = self.window.loop_at(child) else { return Ok(None) };
        let around = self.window.around;
        let turns = turns(all.context(), self.window.scop, l.id)?.intersect_params(self.context)?;
        let outer: Vec<String> = (0..around).map(|k| format!("i{k}")).collect();
        let outer = outer.join(", ");
        let comma = if around > 0 { ", " } else { "" };
        let split = format!("{{ [{outer}{comma}j] -> [[{outer}] -> [j]] }}");
        let turns = turns.apply(&Map::read(all.context(), &split)?)?.unwrap()?;
        let step = |by: i64| self.map("j", &format!("j + ({by})"));
        let first = turns.subtract(&turns.apply_range(&step(l.step)?)?)?;
        let last = turns.subtract(&turns.apply_range(&step(-l.step)?)?)?;
        let count = self.map("f, l", &format!("{} * (l - f) + 1", l.step))?;
        let some = first.flat_range_product(&last)?.apply_range(&count)?;
        let none = all.subtract(&some.domain()?)?.identity()?.apply_range(&self.read(around, "0")?)?;
        Ok(Some((first, some.union(&none)?)))
    }

    /// How many loops are around a statement.
    fn depth(&self, used: &Use) -> usize {
        self.window.scop.statement(used.statement).loops.len()
    }

    /// `{ [i] -> [o] }`
    fn window_of(&self, used: &Use) -> Result<Map> {
        let outer: Vec<String> = (0..self.window.around).map(|k| format!("i{k}")).collect();
        self.read(self.depth(used), &outer.join(", "))
    }

    /// `{ [i0, i1] -> [values] }` of so many counters.
    fn read(&self, counters: usize, values: &str) -> Result<Map> {
        let names: Vec<String> = (0..counters).map(|k| format!("i{k}")).collect();
        self.map(&names.join(", "), values)
    }

    fn map(&self, from: &str, to: &str) -> Result<Map> {
        Map::read(self.context.context(), &format!("{{ [{from}] -> [{to}] }}"))
    }
}

/// The one value of a set.
fn one_value(values: &Set) -> Result<Option<i64>> {
    let least = values.dim_min_value(0)?;
    Ok(least.filter(|_| matches!(values.dim_max_value(0), Ok(most) if most == least)))
}

//! Places in a ring that go on from turn to turn of the loop around.
//!
//! Where a loop begins in a ring, it begins a fixed number of cells further in the next turn of the loop around it, as rows do
//! (`rotating.rs`). So one division in front of both is enough:
//!
//! ```c
//! long a_at0 = ((long)t0 + 1) % m;                   /* (((long)t0 + 1) % m + m) % m where that may be negative */
//! for (int t = t0; t < steps; t++) {
//!   int i = 1;
//!   long a_at1 = a_at0 - i;
//!   …                                              /* a[a_at1 + i] instead of a[(t + i) % m] */
//!   a_at0 = a_at0 + 1 < m ? a_at0 + 1 : 0;
//! }
//! ```
//!
//! ```text
//! value v(t, i), loop over i from f(t):   start(t) = v(t, f(t)) mod m,   start(t + s) = (start(t) + c) mod m
//! ```
//!
//! So do rows, in a loop that has loops inside: `long a_at2 = a_at1;`.
//!
//! c is a number where f is a sum, or does not know t, as `max(Y, 2)` does not. It is a place in all turns, whatever they use: never
//! negative, if there is a turn.

use super::Segments;
use super::common::Common;
use super::found::mentions;
use super::frame::LoopFrame;
use super::head::reads;
use super::inside::Inside;
use super::outer::Nest;
use super::rotating::Carried;
use crate::home::words;
use crate::linear::{Linear, Variables};
use crate::subscript::{parenthesized, written};
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{Expr, LoopId, Node};

/// Where a loop begins in a ring.
#[derive(Clone)]
pub(super) struct Start {
    pub(super) of: LoopId,
    /// The subscript that is there, in C.
    pub(super) text: String,
    pub(super) name: String,
}

impl Segments<'_> {
    /// Where the loops right in this one begin, beside so many other names, and how that goes on; `known`: what has a name in each turn.
    pub(super) fn starts(&self, nest: &Nest, (others, known): (usize, &[&str])) -> Result<Vec<(Start, Carried)>> {
        let mut starts = Vec::new();
        for node in &self.inside.node.body {
            let Node::Loop(l) = node else { continue };
            let inside = Inside::of(l, nest);
            let nest = Nest { known: self.known.clone(), ..*nest };
            let Ok(inner) = Segments::of(&nest, &inside) else { continue };
            for first in inner.begun_places()? {
                if inner.course(&first).is_some_and(|(text, _)| known.contains(&text.as_str())) {
                    continue;
                }
                let name = self.position_name(&first, others + starts.len());
                if let Some((begins, slope)) = self.course_of(&inner, &first)? {
                    let text = first.text().to_string();
                    let carried = Carried { name: name.clone(), common: first, first: begins, slope };
                    starts.push((Start { of: l.id, text, name }, carried));
                }
            }
        }
        Ok(starts)
    }

    /// The subscripts whose places this loop begins with: of its segments, or of rows that go on from turn to turn. To loops inside that divide
    /// themselves a division in front is nothing.
    fn begun_places(&self) -> Result<Vec<Common>> {
        if self.inside.levels == 0 {
            return Ok(if self.can_be_split() { self.first_along()?.into_iter().collect() } else { Vec::new() });
        }
        if !self.has_rows_alone()? {
            return Ok(Vec::new());
        }
        let (carried, _) = self.carried()?;
        Ok(carried.into_iter().filter(|c| c.slope != 0).map(|c| c.common).collect())
    }

    /// Where a subscript is when the loop begins, if the loop around says so.
    fn begun(&self, common: &Common) -> Option<&Start> {
        self.known.starts.iter().find(|start| start.of == self.inside.node.id && start.text == common.text())
    }

    /// What the loop around calls the place where this one begins: it says so, or has that place in its own turn.
    pub(super) fn begun_at(&self, common: &Common) -> Option<&String> {
        let begun = self.begun(common).map(|start| &start.name);
        begun.or_else(|| self.known.positions.0.get(&self.course(common)?.0))
    }

    /// The first one of the subscripts that move with the counter next to each other.
    fn first_along(&self) -> Result<Option<Common>> {
        let parts = self.cut(self.frame()?.as_ref())?;
        Ok(self.neighbours(&parts, 0)?.map(|chain| chain.first().clone()))
    }

    /// Where a loop inside begins in this one's first turn, and by how much that grows in each; `None`: that is not known.
    fn course_of(&self, inner: &Segments, first: &Common) -> Result<Option<(String, i64)>> {
        let scop = self.accesses.decisions.scop;
        let (node, own) = (self.inside.node, self.head.counter);
        let begins = Linear::of(&node.first, self.head.first, scop);
        let (Some(begins), Some(inner_begins)) = (begins, inner.begins(node.id)) else { return Ok(None) };
        let Some(slope) = self.slope_of(inner, (first, &inner_begins)).filter(|slope| first.wraps_once(*slope)) else {
            return Ok(None);
        };
        let variables = Variables { scop, signed: &self.accesses.signed, wide: true };
        let values = [(inner.head.counter, &inner_begins), (own, &begins)];
        let text = match self.begins_at_0_or_more(inner, (first, &inner_begins))? {
            true => first.unraised_at(&values, &variables),
            false => first.raised_at(&values, &variables),
        };
        Ok(text.map(|text| (text, slope)))
    }

    /// By how much a value grows from turn to turn, where a loop inside begins.
    fn slope_of(&self, inner: &Segments, (first, begins): (&Common, &Linear)) -> Option<i64> {
        let own = self.head.counter;
        let by_begin = first.slope(inner.head.counter)?.checked_mul(begins.factor(own))?;
        first.slope(own)?.checked_add(by_begin)?.checked_mul(self.inside.node.step)
    }

    /// Whether a value is never negative where a loop inside begins, moduli aside.
    fn begins_at_0_or_more(&self, inner: &Segments, (first, begins): (&Common, &Linear)) -> Result<bool> {
        let Some(frame) = self.frame()? else { return Ok(false) };
        let names = LoopFrame::names(self.accesses.decisions, self.loops_around());
        let known = |name: &str| (name == self.head.counter).then(|| "x".to_string()).or_else(|| names.of(name));
        let begin = begins.in_isl(known).map(|begin| format!("({begin})"));
        let of = |name: &str| if name == inner.head.counter { begin.clone() } else { known(name) };
        let Some(value) = first.value().and_then(|value| value.in_isl(of)) else { return Ok(false) };
        let iterations = frame.iterations()?;
        let values = format!("[{}] -> {{ [x] -> [{value}] }}", names.all());
        let values = iterations.apply(&Map::read(iterations.context(), &values)?)?;
        values.is_subset(&Set::read(values.context(), "{ [v] : v >= 0 }")?)
    }

    /// The counter's first value, a sum or something that a loop around does not change.
    fn begins(&self, around: LoopId) -> Option<Linear> {
        let scop = self.accesses.decisions.scop;
        let (first, text) = (&self.inside.node.first, self.head.first);
        if let Some(sum) = Linear::of(first, text, scop) {
            return Some(sum);
        }
        let variables = Variables { scop, signed: &self.accesses.signed, wide: true };
        let plain = written::in_c(first, &variables).filter(|_| !reads(first, around))?;
        let is_written = |word: &str| word == "long" || word.parse::<i64>().is_ok() || mentions(text, word);
        let closed = if matches!(first, Expr::Select(..)) { plain.clone() } else { parenthesized(&plain) };
        words(&plain).all(|(_, word)| is_written(word)).then(|| Linear::variable(&closed))
    }
}

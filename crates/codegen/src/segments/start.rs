//! Places in a ring that go on from turn to turn of the loop around.
//!
//! Where a loop begins in a ring, it begins a fixed number of cells further in the next turn of the loop around it, as rows do
//! (`rotating.rs`). So one division in front of both is enough:
//!
//! ```c
//! long a_at0 = ((t0 + 1) % m + m) % m;
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
//! c is a number where f is a sum, or does not know t, as `max(Y, 2)` does not. It is a place in all turns, whatever they use, since it is
//! never negative.

use super::Segments;
use super::common::Common;
use super::found::mentions;
use super::head::reads;
use super::inside::Inside;
use super::outer::Nest;
use super::rotating::Carried;
use crate::home::words;
use crate::linear::{Linear, Variables};
use crate::subscript::{parenthesized, written};
use polyfold_isl::Result;
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
            let Some(inner) = Segments::of(&nest, &inside) else { continue };
            for first in inner.begun_places()? {
                if inner.course(&first).is_some_and(|(text, _)| known.contains(&text.as_str())) {
                    continue;
                }
                let name = self.position_name(&first, others + starts.len());
                if let Some((begins, slope)) = self.course_of(&inner, &first) {
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
    pub(super) fn begun(&self, common: &Common) -> Option<&Start> {
        self.known.starts.iter().find(|start| start.of == self.inside.node.id && start.text == common.text())
    }

    /// The first one of the subscripts that move with the counter next to each other.
    fn first_along(&self) -> Result<Option<Common>> {
        let parts = self.cut(self.frame()?.as_ref())?;
        Ok(self.neighbours(&parts, 0)?.map(|chain| chain.first().clone()))
    }

    /// Where a loop inside begins in this one's first turn, and by how much that grows in each.
    fn course_of(&self, inner: &Segments, first: &Common) -> Option<(String, i64)> {
        let scop = self.accesses.decisions.scop;
        let variables = Variables { scop, signed: &self.accesses.signed, wide: true };
        let (own, node) = (self.head.counter, self.inside.node);
        let begins = Linear::of(&node.first, self.head.first, scop)?;
        let inner_begins = inner.begins(node.id)?;
        let in_a_turn =
            first.slope(own)?.checked_add(first.slope(inner.head.counter)?.checked_mul(inner_begins.factor(own))?)?;
        let slope = in_a_turn.checked_mul(node.step)?;
        let values = [(inner.head.counter, &inner_begins), (own, &begins)];
        let text = first.raised_at(&values, &variables)?;
        first.wraps_once(slope).then_some((text, slope))
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

//! Loops that go around their ring once at most.
//!
//! A row that is no longer than its ring wraps around in one of its turns at most. It is two loops then, one after the other, and most
//! rows ask once whether they are through, not once a segment:
//!
//! ```c
//! long a_at0 = (t + i) % m - i;
//! int last = n;
//! if (m - 2 - a_at0 < last)
//!   last = m - 2 - a_at0;
//! for (; i <= last; i++)
//!   a[a_at0 + i] = a[a_at0 + i + 1];
//! if (i <= n && a_at0 + i == m - 1) {                 // the second one has wrapped around (`seam.rs`)
//!   a[m - 1] = a[0];
//!   i++;
//! }
//! a_at0 -= m;
//! for (; i <= n; i++)
//!   a[a_at0 + i] = a[a_at0 + i + 1];
//! ```
//!
//! All of that stands behind `if (i <= n)` where a turn is not sure: `n - 1` of the least `int` would be the greatest one.
//!
//! ```text
//! i, i' turns of the loop, reached once, neighbours up to d cells further:   i' − i + max(d, 1) <= m
//! ```
//!
//! The first turn's place is below m, so of i' − i + 1 turns at least one is in front of the multiple of m. The last one behind it is at
//! i' − i − 1 at most, its neighbour at i' − i − 1 + d < m, and what stands behind the loop finds a place below m.

use super::Segments;
use super::chain::Chain;
use super::common::Common;
use super::edges::range;
use super::head::Head;
use super::parts::{Length, Part};
use super::spelling::Spelling;
use crate::Decisions;
use crate::values::counter_in_isl;
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{Comparison, Condition, Expr};

impl Segments<'_> {
    /// Whether one part alone has segments, whose end has a name in the block of all parts.
    pub(super) fn may_be_one_round(&self, parts: &[Part]) -> bool {
        self.has_no_continue() && parts.iter().filter(|part| part.length != Length::One).count() == 1
    }

    /// Whether the loop goes around the ring of a subscript and of neighbours up to so far behind it once at most.
    pub(super) fn is_one_round(&self, first: &Common, furthest: i64) -> Result<bool> {
        let (Some(spans), Some(size)) = (self.spans()?, first.size()) else { return Ok(false) };
        let more = format!("{{ [span] -> [m] : span + {} > m }}", furthest.max(1));
        let past = Map::read(spans.context(), &more)?.intersect_domain(&spans)?;
        past.intersect_range(&size.graph()?)?.is_empty()
    }

    /// `{ [i' − i] }`: how far turns are apart, one time that the loop is reached; `None`: its bounds are not known.
    fn spans(&self) -> Result<Option<Set>> {
        let Decisions { scop, parameters, proved, .. } = *self.accesses.decisions;
        let Some(statement) = self.inside.statements.first() else { return Ok(None) };
        let loops = &scop.statement(*statement).loops;
        let Some(depth) = loops.iter().position(|id| *id == self.inside.node.id) else { return Ok(None) };
        let bounds = |own: &str, level: usize| {
            let spelling = Spelling { decisions: self.accesses.decisions, around: &loops[..=level], own };
            spelling.condition(&without_choices(&range(scop.loops()[loops[level].0])))
        };
        let counters: Vec<String> = (0..=depth + 1).map(counter_in_isl).collect();
        let (first, last) = (&counters[depth], &counters[depth + 1]);
        let (Some(one), Some(other)) = (bounds(first, depth), bounds(last, depth)) else { return Ok(None) };
        // Of loops around whose bounds are not sums nothing is known, which is more turns at most.
        let around = (0..depth).filter_map(|level| bounds(&counters[level], level));
        let all = around.chain([one, other]).collect::<Vec<_>>().join(" and ");
        let (sizes, tuple) = (parameters.join(", "), counters.join(", "));
        let pairs = Set::read(proved.context(), &format!("[{sizes}] -> {{ [{tuple}] : {all} }}"))?;
        let apart = Map::read(proved.context(), &format!("{{ [{tuple}] -> [{last} - {first}] }}"))?;
        pairs.intersect_params(proved)?.apply(&apart).map(Some)
    }

    /// A part of the loop in one round; `seam`: the turns in which it wraps around.
    pub(super) fn round_along(
        &self,
        (chain, part): (&Chain, &Part),
        (goes_on, seam, body): (&str, &str, &str),
        (indent, is_last): (&str, bool),
    ) -> String {
        let Head { counter, next, .. } = self.head;
        let (lines, last) = self.segment_along(chain, part, indent);
        let body = self.deeper_behind(body, self.steps(indent));
        let mut text = format!("{}{indent}for (; {counter} <= {last}; {next}){body}\n{seam}", lines.trim_start());
        // Where turns are left, the first subscript is at the modulus; where none are, the last part asks no more.
        text += &match is_last {
            true => format!("{indent}{} -= {};", chain.name(), chain.modulus()),
            false => chain.wraps(&self.head, indent, &self.step),
        };
        format!("{text}\n{indent}for (; {goes_on}; {next}){body}")
    }
}

/// A condition without choices such as minima among what it compares.
fn without_choices(condition: &Condition) -> Condition {
    let all = |all: &[Condition]| all.iter().map(without_choices).collect();
    let either = |chosen: &Condition, [one, other]: [Condition; 2]| {
        let chosen = without_choices(chosen);
        let not = Condition::Not(Box::new(chosen.clone()));
        let both = |a: Condition, b: &Condition| Condition::All(vec![a, without_choices(b)]);
        Condition::Any(vec![both(chosen, &one), both(not, &other)])
    };
    match condition {
        Condition::Compare(left, comparison, Expr::Select(chosen, a, b)) => {
            either(chosen, [a, b].map(|right| compared(left, *comparison, right)))
        }
        Condition::Compare(Expr::Select(chosen, a, b), comparison, right) => {
            either(chosen, [a, b].map(|left| compared(left, *comparison, right)))
        }
        Condition::All(inner) => Condition::All(all(inner)),
        Condition::Any(inner) => Condition::Any(all(inner)),
        Condition::Not(inner) => Condition::Not(Box::new(without_choices(inner))),
        Condition::Compare(..) | Condition::Unknown => condition.clone(),
    }
}

fn compared(left: &Expr, comparison: Comparison, right: &Expr) -> Condition {
    Condition::Compare(left.clone(), comparison, right.clone())
}

//! Loops around others in parts, where conditions inside ask for their first or last iterations.
//!
//! `if (i > 0 && i < n - 1 && j > 0 && j < n - 1)` in a loop over j is settled for j by parts of that loop (`guards.rs`). What it asks of
//! i is the same for a whole row, so that the loop over i has parts, too: rows of the border are loops of their own, without a
//! condition, and the rows between them have nothing to ask.
//!
//! ```text
//! i = 0: all of the other branch        0 < i < n − 1: as if the condition were j > 0 && j < n - 1        i = n − 1: the other branch
//! ```
//!
//! A loop is cut where the iterations end for which the condition may hold, or may fail:
//!
//! ```text
//! { i : there are inner counters in their bounds with C(i, …) }      { i : there are some with not C(i, …) }
//! ```
//!
//! Conditions that compare this loop's counter with those inside have no such rows, and are not asked. Loops with more than one loop in them
//! stay whole, since all of that would stand there again.

use super::Segments;
use super::frame::LoopFrame;
use super::head::reads;
use super::outer::Nest;
use super::parts::{Length, Part, Whole, parts};
use super::pointed::PointedRows;
use super::spelling::Spelling;
use crate::accesses::View;
use crate::home::words;
use crate::rows::Rows;
use crate::tokens::{closing, tokens};
use crate::values::counter_in_isl;
use polyfold_isl::{Result, Set};
use polyfold_scop::{Comparison, Condition, Expr, Guard, Loop, LoopId, Node};

impl Segments<'_> {
    /// The parts in which conditions inside loops inside have nothing to ask of this loop's counter; `None`: there are none.
    pub(super) fn edges(&self, nest: &Nest) -> Result<Option<Vec<Part>>> {
        let (Some(statement), Some(frame)) = (self.inside.statements.first(), self.frame()?) else { return Ok(None) };
        let is_nest = matches!(self.inside.node.body[..], [Node::Loop(_)]);
        if !is_nest || self.inside.node.step != 1 || self.are_loops_one() || !self.has_changes()? {
            return Ok(None);
        }
        let all = frame.iterations()?;
        let mut choices = Vec::new();
        for (guard, loops) in guards_inside(&self.inside.node.body) {
            for holds in self.some_time(guard, &loops, &frame)? {
                choices.push(vec![all.intersect(&holds)?, all.subtract(&holds)?]);
            }
        }
        let (positions, rows) = (&self.known.positions, &Rows::default());
        let view = View { statements: Some(&self.inside.statements), positions, rows, part: None };
        let names = &self.accesses.values(&view).names(*statement, &frame.context)?;
        let whole = Whole { outer: frame.outer, all: &all, last: &frame.last, names, context: &frame.context };
        let Some(parts) = parts(&choices, &whole)?.filter(|parts| are_edges(parts)) else { return Ok(None) };
        let mut bodies = Vec::new();
        for part in &parts {
            self.accesses.notes.of_taken(|| {
                bodies.push(self.with_known(nest, (&PointedRows::default(), &[]), Some(part))?);
                Ok(None::<()>)
            })?;
        }
        let settles_something = bodies.iter().any(|body| *body != bodies[0]);
        Ok(Some(parts).filter(|_| settles_something))
    }

    /// The iterations in which a condition inside may hold, and those in which it may fail.
    fn some_time(&self, guard: &Guard, loops: &[&Loop], frame: &LoopFrame) -> Result<Vec<Set>> {
        let inner: Vec<LoopId> = loops.iter().map(|l| l.id).collect();
        let own = self.inside.node.id;
        if guard.reads_beyond || !is_settled_by(&guard.condition, own, &inner) {
            return Ok(Vec::new());
        }
        let around = [&frame.around[..], &inner].concat();
        let last = counter_in_isl(around.len() - 1);
        let spelling = Spelling { decisions: self.accesses.decisions, around: &around, own: &last };
        let bounds = loops.iter().map(|l| spelling.condition(&range(l))).collect::<Option<Vec<_>>>();
        let (Some(bounds), Some(condition)) = (bounds, spelling.condition(&guard.condition)) else {
            return Ok(Vec::new());
        };
        let counters: Vec<String> = (frame.outer + 1..around.len()).map(counter_in_isl).collect();
        let (own, bounds, counters) = (counter_in_isl(frame.outer), bounds.join(" and "), counters.join(", "));
        let some = |asked: &str| format!("[{own}] : exists ({counters} : {bounds} and {asked})");
        [some(&condition), some(&format!("not {condition}"))].iter().map(|text| self.set(frame.outer, text)).collect()
    }

    /// The loop part by part, with lines in front of it and behind each turn.
    pub(super) fn in_edges(
        &self,
        (nest, held, edges): (&Nest, &PointedRows, &[Part]),
        (before, turns): (&[String], &[String]),
        indent: &str,
    ) -> Result<String> {
        let (first, condition, counter, next) =
            (self.head.first, &self.head.condition, self.head.counter, self.head.next);
        let mut text = format!("{indent}{first};\n");
        for part in edges {
            let inside = self.with_known(nest, (held, &[]), Some(part))?;
            let body = self.between(&used(before, &inside, turns), &inside, turns);
            let body = match turns.is_empty() && does_nothing(&inside) {
                true => " { }".to_string(),
                false => self.deeper_behind(&body, self.steps(indent)),
            };
            let goes_on = match &part.last {
                None => condition.to_string(),
                Some(last) if part.may_end || part.length != Length::Any => {
                    format!("{condition} && {counter} <= {last}")
                }
                Some(last) => format!("{counter} <= {last}"),
            };
            text += indent;
            text += &match part.length {
                Length::One if part.always && part.last.is_some() => self.surely_once(&body, indent),
                Length::One => self.once(&goes_on, &body, part.last.is_none(), indent),
                _ => format!("for (; {goes_on}; {next}){body}"),
            };
            text += "\n";
        }
        Ok(text)
    }
}

/// Whether all but a few iterations at the ends are in one part: more text is worth it only for the border of something.
fn are_edges(parts: &[Part]) -> bool {
    let are_few: Vec<bool> = parts.iter().map(|part| part.length != Length::Any).collect();
    matches!(are_few[..], [true, false] | [false, true] | [true, false, true])
}

/// Whether a body has loops and their counters alone.
fn does_nothing(body: &str) -> bool {
    let (all, mut at) = (tokens(body, &(0..body.len())), 0);
    while let Some(token) = all.get(at) {
        let end = match token.text {
            "for" => closing(&all, at + 1),
            // `int i = 0;`, but nothing that has an effect, as `int k = s++;`
            "int" | "long" => all.get(at + 4).filter(|t| t.is(';')).map(|_| at + 4),
            "{" | "}" | ";" => Some(at),
            _ => None,
        };
        match end {
            Some(end) => at = end + 1,
            None => return false,
        }
    }
    true
}

/// The declarations of names that a body, its turns or others of them use.
pub(super) fn used(declarations: &[String], body: &str, turns: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for line in declarations.iter().rev() {
        let name = line.split(" = ").next().and_then(|declared| words(declared).last()).map_or("", |(_, name)| name);
        let texts = turns.iter().chain(&kept).map(String::as_str).chain([body]);
        if texts.into_iter().any(|text| words(text).any(|(_, word)| word == name)) {
            kept.insert(0, line.clone());
        }
    }
    kept
}

/// That a counter is between its first and its last value.
pub(super) fn range(l: &Loop) -> Condition {
    let begun = if l.step > 0 { Comparison::GreaterEqual } else { Comparison::LessEqual };
    Condition::All(vec![Condition::Compare(Expr::Iterator(l.id), begun, l.first.clone()), l.condition.clone()])
}

/// All conditions in loops inside, each with the loops around it.
fn guards_inside(nodes: &[Node]) -> Vec<(&Guard, Vec<&Loop>)> {
    let mut found = Vec::new();
    collect(nodes, &mut Vec::new(), &mut found);
    found
}

fn collect<'a>(nodes: &'a [Node], loops: &mut Vec<&'a Loop>, found: &mut Vec<(&'a Guard, Vec<&'a Loop>)>) {
    for node in nodes {
        match node {
            Node::Loop(l) => {
                loops.push(l);
                collect(&l.body, loops, found);
                loops.pop();
            }
            Node::Guard(guard) => {
                if !loops.is_empty() {
                    found.push((guard, loops.clone()));
                }
                collect(&guard.then, loops, found);
                collect(&guard.otherwise, loops, found);
            }
            Node::Statement(_) => {}
        }
    }
}

/// Whether a condition compares a counter, and never with counters inside.
fn is_settled_by(condition: &Condition, own: LoopId, inner: &[LoopId]) -> bool {
    let all = comparisons(condition);
    let asks = |sides: &[&Expr; 2], ids: &[LoopId]| sides.iter().any(|side| ids.iter().any(|id| reads(side, *id)));
    all.iter().any(|sides| asks(sides, &[own])) && all.iter().all(|sides| !asks(sides, &[own]) || !asks(sides, inner))
}

fn comparisons(condition: &Condition) -> Vec<[&Expr; 2]> {
    match condition {
        Condition::Compare(a, _, b) => vec![[a, b]],
        Condition::All(all) | Condition::Any(all) => all.iter().flat_map(comparisons).collect(),
        Condition::Not(inner) => comparisons(inner),
        Condition::Unknown => Vec::new(),
    }
}

//! Sums that begin with 0.
//!
//! Where the first term of a sum stands in front of the loop over the others, the loop is one iteration short of a round number:
//!
//! ```c
//! sum = a[i][0];                       sum = 0;
//! for (int k = 1; k < n; k++)          for (int k = 0; k < n; k++)
//!   sum = sum + a[i][k];                 sum = sum + a[i][k];
//! ```
//!
//! With 64 terms compilers make vectors of 63, and take the last 15 one by one. What is summed is the same, in the same order:
//!
//! ```text
//! e(first − step) is what stood in front;  0 + e = e in integers;  the loop surely has that iteration, and goes on with `first`
//! ```
//!
//! Deviation: nothing for floating point, where 0 + e is not e if that is −0. Only for sums in a variable of their own: no other array's
//! value is in it. The term is copied word by word but for its subscripts, which have to be the same sums of sizes and counters; so it does
//! what it did, whatever data decides in it.

use super::frame::LoopFrame;
use super::terms::{Turns, added, assigned};
use crate::accesses::{Accesses, View};
use crate::edit::Edit;
use crate::linear::{Linear, Variables};
use crate::rows::Rows;
use crate::subscript::Positions;
use crate::tokens::{Kind, tokens};
use crate::types::is_integer;
use crate::{Decisions, Form};
use polyfold_isl::Result;
use polyfold_scop::{Access, Loop, Node, Span, Statement, StatementId, StatementKind};

/// A sum, and what changes in the text if it begins with 0.
pub(crate) struct Sum {
    /// The statement in front of the loop, and that in the loop.
    statements: [StatementId; 2],
    /// What the one in front assigns.
    value: Span,
    /// Where the counter begins.
    start: Span,
    /// And where it begins then, in C.
    earlier: String,
}

impl Sum {
    pub(crate) fn edits(&self) -> [Edit; 2] {
        let edit = |span: &Span, text: &str| Edit { span: span.clone(), text: text.to_string() };
        [edit(&self.value, "0"), edit(&self.start, &self.earlier)]
    }

    /// Whether both of its statements are asked for.
    pub(crate) fn is_in(&self, view: &View) -> bool {
        self.statements.iter().all(|id| view.has(*id))
    }

    /// Whether a loop is the one over its other terms.
    pub(crate) fn is_of(&self, l: &Loop) -> bool {
        matches!(l.body[..], [Node::Statement(id)] if id == self.statements[1])
    }

    /// Whether an access goes.
    pub(crate) fn replaces(&self, access: &Access) -> bool {
        let Span { start, end } = access.place.span;
        access.place.fragment.is_none() && self.value.start <= start && end <= self.value.end
    }
}

/// The sums of a scop that are written so.
pub(crate) fn sums(accesses: &Accesses) -> Result<Vec<Sum>> {
    let mut found = Vec::new();
    if accesses.decisions.form == Form::Fast {
        collect(accesses, &accesses.decisions.scop.body, &mut found)?;
    }
    Ok(found)
}

fn collect(accesses: &Accesses, nodes: &[Node], found: &mut Vec<Sum>) -> Result<()> {
    for pair in nodes.windows(2) {
        if let [Node::Statement(first), Node::Loop(l)] = pair {
            found.extend(sum(accesses, *first, l)?);
        }
    }
    for node in nodes {
        match node {
            Node::Loop(l) => collect(accesses, &l.body, found)?,
            Node::Guard(guard) => {
                collect(accesses, &guard.then, found)?;
                collect(accesses, &guard.otherwise, found)?;
            }
            Node::Statement(_) => {}
        }
    }
    Ok(())
}

/// The sum that a statement and the loop behind it compute, if they do.
fn sum(accesses: &Accesses, first: StatementId, l: &Loop) -> Result<Option<Sum>> {
    let Decisions { scop, dead, .. } = accesses.decisions;
    let (source, [Node::Statement(turn)]) = (accesses.source, &l.body[..]) else { return Ok(None) };
    let turn = *turn;
    let (front, inside) = (scop.statement(first), scop.statement(turn));
    let is_kept = [first, turn].iter().all(|id| !dead.contains(id));
    let is_alone = tokens(source, &(front.span.end..l.span.start)).is_empty();
    if !is_kept || !is_alone || l.parallel || l.counter.hidden.is_some() || !is_in_variable(accesses, front, inside) {
        return Ok(None);
    }
    let (Some((start, earlier)), Some((value, begun))) = (beginning(accesses, l), assigned(source, front)) else {
        return Ok(None);
    };
    let turns = Turns { scop, counter: &l.iterator, value: &earlier };
    let is_same = added(source, inside).is_some_and(|term| turns.begin_with((inside, &term), (front, &begun)));
    if !is_same || is_in_ring(accesses, turn, l)? {
        return Ok(None);
    }
    let frame = LoopFrame::of(accesses.decisions, &inside.loops, l)?;
    let may_begin = frame.map_or(Ok(false), |frame| frame.may_begin_before(l.step))?;
    let terms = earlier.print_terms(None);
    let earlier = if terms.is_empty() { earlier.constant.to_string() } else { Linear::plus(&terms, earlier.constant) };
    Ok(may_begin.then_some(Sum { statements: [first, turn], value, start, earlier }))
}

/// Whether both statements assign to one integer variable of its own, read nothing else of its array, and stand in the file as they are.
fn is_in_variable(accesses: &Accesses, front: &Statement, inside: &Statement) -> bool {
    let Decisions { scop, mapped, values, .. } = accesses.decisions;
    let of =
        |statement: &Statement| statement.accesses.iter().filter(|a| a.is_write()).map(|a| a.array).collect::<Vec<_>>();
    let ([own], [other]) = (&of(front)[..], &of(inside)[..]) else { return false };
    let place = mapped.iter().find(|place| place.array() == *own);
    let is_apart = place.is_some_and(|place| place.is_one_cell() && place.shared().is_none());
    let reads = |statement: &Statement| statement.accesses.iter().filter(|a| a.is_read() && a.array == *own).count();
    let both = [front, inside];
    let is_plain = |statement: &&Statement| {
        let touches = |span: &Span| span.start < statement.span.end && statement.span.start < span.end;
        statement.kind == StatementKind::Assignment
            && scop.fragments.iter().all(|fragment| !touches(&fragment.replaces))
            && statement.accesses.iter().all(|a| values.iter().all(|values| values.array() != a.array))
    };
    own == other
        && is_apart
        && is_integer(&scop.array(*own).element)
        && (reads(front), reads(inside)) == (0, 1)
        && both.iter().all(is_plain)
}

/// Where the counter's first value stands in a loop that goes up, and the value in front of that: one variable and a number at most.
fn beginning(accesses: &Accesses, l: &Loop) -> Option<(Span, Linear)> {
    let Accesses { source, decisions: Decisions { scop, .. }, ref signed, .. } = *accesses;
    let all = tokens(source, &l.span);
    let opening = all.iter().position(|t| t.is('('))?;
    let end = opening + all[opening..].iter().position(|t| t.is(';'))?;
    let equals = opening + all[opening..end].iter().position(|t| t.is('='))?;
    let value = &all[equals + 1..end];
    let span = value.first()?.at..value.last()?.span().end;
    let text = &source[span.clone()];
    let mut earlier = Linear::of(&l.first, text, scop)?;
    earlier.add(-1, &Linear::parse(&l.step.to_string())?)?;
    let is_simple = value.iter().all(|t| t.kind == Kind::Word || t.is_any(&['+', '-']));
    let is_plain = is_simple && Variables { scop, signed, wide: false }.are_signed(text);
    (is_plain && l.step > 0 && earlier.is_variable()).then_some((span, earlier))
}

/// Whether the statement in a loop reads a ring that the loop goes through: segments are worth more then.
fn is_in_ring(accesses: &Accesses, turn: StatementId, l: &Loop) -> Result<bool> {
    let (positions, rows) = (&Positions::default(), &Rows::default());
    let found = accesses.remainders(&View { statements: Some(&[turn]), positions, rows, part: None })?;
    let mut remainders = found.iter().map(|found| &found.remainder).filter(|remainder| remainder.text.contains('%'));
    Ok(remainders.any(|remainder| remainder.slope(&l.iterator) != Some(0)))
}

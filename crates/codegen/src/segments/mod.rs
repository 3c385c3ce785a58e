//! Innermost loops in segments in which no subscript wraps around.
//!
//! A loop that goes through a ring of n + 1 cells divides in every step, and no compiler makes vectors of it. In a segment every
//! subscript is linear:
//!
//! ```c
//! for (int i = 1; i <= n; i++)                 for (int i = 1; i <= n; ) {
//!   a[(t + i) % m] = b[i];                       const long a_at = (t + i) % m - i;
//!                                                int last = n;
//!                                                if (m - 1 - a_at < last)
//!                                                  last = m - 1 - a_at;
//!                                                for (; i <= last; i++)
//!                                                  a[a_at + i] = b[i];
//!                                              }
//! ```
//!
//! Nothing of this is proved, and nothing has to be, but how often a row goes around its ring (`round.rs`): that a remainder grows with its value until the next multiple of its modulus
//! holds for every value that is not negative, which is what lets a subscript be written as a remainder in the first place.
//!
//! Loops stay as they are whose counter is compared otherwise than with one bound that does not change in them, those of several threads, and
//! those of moduli so small that segments would be shorter than they cost. These have strips (`strips.rs`).

mod bases;
mod between;
mod block;
mod bound;
mod branches;
mod chain;
mod chosen;
mod common;
mod counted;
mod courses;
mod edges;
mod found;
mod frame;
mod going_on;
mod guards;
mod head;
mod held;
mod inside;
mod known;
mod names;
mod near;
mod outer;
mod overlapping;
mod parts;
mod passing;
mod planes;
mod pointed;
mod promise;
mod rotating;
mod round;
mod safe;
mod seam;
mod spelling;
mod start;
mod staying;
mod strips;
mod sums;
mod terms;
mod turning;
mod walking;
mod window;
mod written;

pub(crate) use head::reads;
pub(crate) use promise::{promise_lines, word_of_promise};
pub(crate) use sums::{Sum, sums};

use crate::accesses::{Accesses, View};
use crate::edit::{Edit, Edits};
use crate::frame::Frame;
use crate::idle::Gone;
use crate::indent::{indent_at, step_of};
use crate::linear::{Variables, hides_counters};
use crate::rows::Rows;
use crate::slow::Uncut;
use crate::subscript::Positions;
use crate::tokens::{end_in_pragma, tokens};
use crate::{CNames, Decisions};
use frame::LoopFrame;
use head::Head;
use inside::Inside;
use known::{declares_something, may_be_repeated};
use outer::Nest;
use parts::{Part, Whole, as_parameters, by_outer, parts};
use pointed::{PointedRow, PointedRows};
use polyfold_isl::{Result, Set};
use polyfold_scop::{ArrayId, LoopId, Span, StatementId};
use start::Start;
use window::Window;

/// Puts the loops in segments in place of the changes inside them; `gone`: what is taken away. With `any_body` loops with such statements have segments, too, and loops
/// that declare variables.
pub(crate) fn in_segments(accesses: &Accesses, gone: &Gone, any_body: bool, edits: &mut Edits) -> Result<()> {
    let body = &accesses.decisions.scop.body;
    let nest = Nest { accesses, gone, any_body, edits, known: Known::default() };
    if hides_counters(body, &mut Vec::new()) {
        return nest.stay_whole(body);
    }
    let loops = nest.loops_of(body)?;
    for edit in loops {
        edits.drop_inside(std::slice::from_ref(&edit.span));
        edits.push(edit);
    }
    Ok(())
}

/// One loop in parts and segments.
struct Segments<'a> {
    accesses: &'a Accesses<'a>,
    inside: &'a Inside<'a>,
    head: Head<'a>,
    variables: Variables<'a>,
    step: String,
    /// What loops around it have names for.
    known: &'a Known,
}

/// Names that are known in a loop.
#[derive(Clone, Default)]
struct Known {
    positions: Positions,
    names: Vec<String>,
    rows: Vec<PointedRow>,
    /// Where loops begin in rings.
    starts: Vec<Start>,
    /// Sizes and counters in the parts of loops around it; `None`: all.
    within: Option<Set>,
}

impl<'a> Segments<'a> {
    /// # Errors
    /// Why the loop stays as it is.
    fn of(nest: &'a Nest, inside: &'a Inside<'a>) -> std::result::Result<Segments<'a>, Uncut> {
        let Nest { accesses, any_body, edits, known, .. } = nest;
        if !inside.removed.is_empty() && (!any_body || inside.has_guards) {
            return Err(Uncut::Other);
        }
        let (source, scop) = (accesses.source, accesses.decisions.scop);
        let variables = Variables { scop, signed: &accesses.signed, wide: false };
        let head = Head::of(source, inside.node, &variables)?;
        let step = step_of(source, &scop.span);
        let segments = Segments { accesses, inside, head, variables, step, known };
        let may_declare = *any_body && !segments.changes_declarations();
        if !may_declare && declares_something(source, &segments.head.body) {
            return Err(Uncut::Declaration);
        }
        segments.needs_plain_text(edits)?;
        Ok(segments)
    }

    /// That all that changes in the loop is in its body, which has no label and may stand several times.
    fn needs_plain_text(&self, edits: &Edits) -> std::result::Result<(), Uncut> {
        let (source, scop) = (self.accesses.source, self.accesses.decisions.scop);
        let Span { start, end } = self.inside.node.span;
        let touches = |span: &Span| span.start < end && start < span.end;
        let body = &self.head.body;
        let is_inside = |span: &Span| body.start <= span.start && span.end <= body.end;
        match () {
            () if !may_be_repeated(source, body, scop) => Err(Uncut::Declaration),
            () if Frame::of(source, scop).labels.iter().any(touches) => Err(Uncut::Label),
            () if !edits.spans().filter(|span| touches(span)).all(is_inside) => Err(Uncut::Other),
            () => Ok(()),
        }
    }

    /// Whether the loop may stand in another one.
    fn can_be_split(&self) -> bool {
        self.why_not_split().is_none()
    }

    /// Why the loop may not stand in another one; `None`: nothing about threads is said of it.
    fn why_not_split(&self) -> Option<Uncut> {
        let (source, scop) = (self.accesses.source, self.accesses.decisions.scop);
        let before = tokens(source, &(scop.span.start..self.inside.node.span.start));
        let has_pragma = if before.is_empty() { scop.lead.is_some() } else { end_in_pragma(&before) };
        match () {
            () if self.inside.node.parallel => Some(Uncut::Parallel),
            () if has_pragma => Some(Uncut::Pragma),
            () => None,
        }
    }

    /// The loop's new text; `None`: it stays as it is.
    fn edit(&self) -> Result<Option<Edit>> {
        if self.inside.statements.is_empty() {
            return Ok(None);
        }
        let frame = self.frame()?;
        let mut parts = self.cut(frame.as_ref())?;
        if !self.use_what_they_declare(&parts)? {
            parts = vec![self.whole(frame.as_ref())?];
        }
        if !self.use_what_they_declare(&parts)? {
            return Ok(None);
        }
        let is_cut = parts.len() > 1;
        let runs = frame.as_ref().map_or(Ok(false), LoopFrame::always_runs)?;
        let rows = frame.map_or(Ok(PointedRows::default()), |_| self.rows(&mut parts, runs))?;
        let chain = self.chain(&parts, rows.taken.max(self.known.names.len()))?;
        if is_cut || !rows.is_empty() || chain.is_some() || self.has_promise_for_its_bound() {
            let content = (&rows, chain.as_ref());
            return match self.with_named_bound() {
                Some((named, line)) => named.in_block(&parts, content, runs, Some(&line)).map(Some),
                None => self.in_block(&parts, content, runs, None).map(Some),
            };
        }
        let windows = self.windows(&parts[0], self.known.names.len())?;
        if windows.is_empty()
            && let Some(edit) = self.whole_in_strips(&parts[0])?
        {
            return Ok(Some(edit));
        }
        let body = self.body(&Window::positions(&windows, self.head.counter), &rows, &parts[0])?;
        if windows.is_empty() {
            return Ok(self.promised_whole(&body, parts[0].operations.is_some()));
        }
        if let Some(text) = self.counted(&windows, &body, &parts[0]) {
            return Ok(Some(Edit { span: self.inside.node.span.clone(), text }));
        }
        let Head { first, condition, .. } = &self.head;
        let text = match self.near(&windows, &parts[0])? {
            Some(near) => self.near_segments((&near, &parts[0], &rows), (&self.indent(), "last"))?,
            None => self.segments(&windows, &body, &parts[0], (&self.indent(), "last")),
        };
        Ok(Some(Edit { span: self.inside.node.span.clone(), text: format!("for ({first}; {condition}; ) {text}") }))
    }

    /// Whether the loop's body declares an array, or a variable that goes: such a declaration may change.
    fn changes_declarations(&self) -> bool {
        let Decisions { scop, removed, .. } = self.accesses.decisions;
        let Span { start, end } = self.inside.node.span;
        scop.arrays.iter().enumerate().any(|(id, array)| {
            let may_change = !array.is_scalar() || removed.contains(&ArrayId(id));
            let declaration = array.declaration.as_ref().filter(|_| may_change);
            declaration.is_some_and(|own| start <= own.statement.start && own.statement.end <= end)
        })
    }

    /// All of the loop, in one part or several.
    fn cut(&self, frame: Option<&LoopFrame>) -> Result<Vec<Part>> {
        let statement = self.inside.statements.first();
        let parts = statement.zip(frame).map_or(Ok(None), |(id, frame)| self.parts(*id, frame))?;
        parts.map_or_else(|| Ok(vec![self.whole(frame)?]), Ok)
    }

    /// The parts in which accesses find their values in one place.
    fn parts(&self, statement: StatementId, frame: &LoopFrame) -> Result<Option<Vec<Part>>> {
        if self.inside.node.step != 1 {
            return Ok(None);
        }
        let (positions, rows) = (&self.known.positions, &Rows::default());
        let view = View { statements: Some(&self.inside.statements), positions, rows, part: None };
        let values = self.accesses.values(&view);
        let names = &values.names(statement, &frame.context)?;
        let all = &frame.iterations()?;
        let whole = Whole { outer: frame.outer, all, last: &frame.last, names, context: &frame.context };
        let mut choices = self.guard_cases(frame)?;
        for cases in values.iterations()? {
            choices.push(cases.iter().map(|case| by_outer(case, frame.outer)).collect::<Result<_>>()?);
        }
        let Some(parts) = parts(&choices, &whole)? else { return Ok(None) };
        for part in &parts {
            let view = View { part: part.operations.as_ref(), ..view };
            if !self.accesses.values(&view).can_be_written()? {
                return Ok(None);
            }
        }
        Ok(Some(parts))
    }

    /// All of the loop as one part: where loops around it have parts, these say more of it.
    fn whole(&self, frame: Option<&LoopFrame>) -> Result<Part> {
        let (Some(frame), true) = (frame, self.known.within.is_some()) else { return Ok(Part::default()) };
        let iterations = Some(frame.iterations()?);
        let operations = iterations.as_ref().map(|all| as_parameters(all, frame.outer)).transpose()?;
        let (positions, rows) = (&self.known.positions, &Rows::default());
        let view = View { statements: Some(&self.inside.statements), positions, rows, part: operations.as_ref() };
        let can_be_written = self.accesses.values(&view).can_be_written()?;
        Ok(if can_be_written { Part { operations, iterations, ..Part::default() } } else { Part::default() })
    }

    fn frame(&self) -> Result<Option<LoopFrame>> {
        if self.inside.statements.is_empty() {
            return Ok(None);
        }
        let frame = LoopFrame::of(self.accesses.decisions, self.loops_around(), self.inside.node)?;
        let Some(within) = &self.known.within else { return Ok(frame) };
        frame.map(|frame| frame.within(within)).transpose()
    }

    /// The loops around, and this one.
    fn loops_around(&self) -> &[LoopId] {
        let Some(statement) = self.inside.statements.first() else { return &[] };
        let loops = &self.accesses.decisions.scop.statement(*statement).loops;
        // A statement deeper inside has more of them.
        let own = loops.iter().position(|id| *id == self.inside.node.id).map_or(loops.len(), |at| at + 1);
        &loops[..own]
    }

    /// How sizes and counters of a part read.
    fn names(&self, part: &Part) -> Result<Option<CNames>> {
        let (Some(statement), Some(operations)) = (self.inside.statements.first(), &part.operations) else {
            return Ok(None);
        };
        let (positions, rows) = (&self.known.positions, &Rows::default());
        let view = View { statements: Some(&self.inside.statements), positions, rows, part: None };
        self.accesses.values(&view).names(*statement, operations).map(Some)
    }

    fn indent(&self) -> String {
        indent_at(self.accesses.source, self.inside.node.span.start).to_string()
    }
}

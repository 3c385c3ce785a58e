//! Loops around a region, with the copies in front of them and behind.
//!
//! ```text
//! if (the loop has a turn && the plan holds) {
//!   double C_local[T][T];
//!   copy C in
//!   for (kt = 0; …) { A and B in, the statement in local memory }
//!   copy C back
//! } else {
//!   the loop as it was
//! }
//! ```
//!
//! Invariant: what stands in front of a loop names nothing that changes in it.

use super::condition::shortest;
use super::copying::Direction;
use super::index::Expressions;
use super::manner::Tag;
use super::{Compacted, Writing, indent_at, starts_line};
use crate::edit::Edit;
use crate::indent::deeper;
use crate::tokens::{Kind, tokens};
use polyfold_compact::Motion;
use polyfold_isl::{Result, Set};
use polyfold_prove::{PlacedLocals, positive};
use polyfold_scop::{Scop, Span};

/// Of a region's loops those, innermost first, whose text may get new lines around it, with their bytes in the text of `source`: they lie in the
/// scop, hold no other region, no directives but the region's, and none is about them. `span`: the region; `scop`: the bytes between the
/// pragmas around it; `others`: other regions; `end_in_source`: where an end of the region's own text is in this one.
pub fn loops_in_text(
    source: &str,
    region: &Scop,
    span: &Span,
    scop: &Span,
    others: &[Span],
    end_in_source: &dyn Fn(usize) -> usize,
) -> Vec<Span> {
    let loops = region.surroundings.iter().flat_map(|around| &around.loops);
    let spans = loops.map(|around| around.span.start..end_in_source(around.span.end));
    let is_plain = |own: &Span| {
        let is_inside =
            scop.start <= own.start && own.start <= span.start && span.end <= own.end && own.end <= scop.end;
        let has_directives =
            |part: &str| part.contains("_Pragma") || part.lines().any(|line| line.trim_start().starts_with('#'));
        is_inside
            && source[own.clone()].starts_with("for")
            && !others.iter().any(|other| own.start < other.start && other.start < own.end)
            && !has_directives(&source[own.start..span.start])
            && !has_directives(&source[span.end..own.end])
            && !has_directives(
                source[scop.start..own.start].lines().rfind(|line| !line.trim().is_empty()).unwrap_or(""),
            )
    };
    spans.take_while(is_plain).collect()
}

/// Whether what begins at a place is the body of an `if`, an `else` or a loop, without braces.
fn is_body(source: &str, at: usize) -> bool {
    let before = tokens(source, &(0..at));
    let last = before.iter().rev().find(|token| token.kind != Kind::Directive);
    last.is_some_and(|token| token.is(')') || token.text == "else")
}

impl Compacted<'_> {
    /// The loops around a region with new lines; `None`: the plan holds for no parameter values.
    pub(super) fn framed(&self, source: &str, placed: &PlacedLocals) -> Result<Option<Edit>> {
        self.check_names()?;
        let (plan, depth) = (placed.plan(), placed.frame().loops);
        let span = self.loops[depth - 1].clone();
        let holds = plan.context.intersect(&positive(plan)?)?.coalesce()?;
        let own = self.known.intersect(&holds)?.coalesce()?;
        if own.is_empty()? {
            return Ok(None);
        }
        let rest = self.known.subtract(&holds)?.coalesce()?;
        let tests = self.tests(source, placed, &holds, !rest.is_empty()?)?;
        let indent = indent_at(source, span.start);
        let mut text = if tests.is_empty() { "{".to_string() } else { format!("if ({}) {{", tests.join(" && ")) };
        text.push_str(&format!("\n{}{indent}}}", self.around_loops(source, placed, &own, depth, &indent)?));
        let is_idle = rest.intersect(self.running)?.is_empty()? && self.is_all_of(source, &span);
        if !rest.is_empty()? && !is_idle {
            let [before, behind] = [&source[span.start..self.span.start], &source[self.span.end..span.end]];
            let whole = [before, &source[self.statement.clone()], behind].concat();
            text.push_str(&format!(" else {{\n{indent}  {}\n{indent}}}", self.moved(&whole)));
        }
        if !tests.is_empty() && is_body(source, span.start) {
            // An `else` behind the loop is another one's.
            text = format!("{{\n{indent}{}\n{indent}}}", deeper(&text, "  "));
        }
        Ok(Some(Edit { span, text }))
    }

    /// Whether loops around the region do nothing else.
    fn is_all_of(&self, source: &str, loops: &Span) -> bool {
        let mut depth = 0;
        let is_head = tokens(source, &(loops.start..self.span.start)).iter().all(|token| {
            depth += i32::from(token.is('(')) - i32::from(token.is(')'));
            depth > 0 || !token.is(';')
        });
        is_head && tokens(source, &(self.span.end..loops.end)).iter().all(|token| token.is('}'))
    }

    /// What is tested in front of all loops: that they have a turn, and that the plan holds.
    fn tests(&self, source: &str, placed: &PlacedLocals, holds: &Set, is_partial: bool) -> Result<Vec<String>> {
        let frame = placed.frame();
        let mut tests = Vec::new();
        if let Some(entered) = &frame.entered {
            let anything = Set::read(entered.context(), "{ : }")?;
            tests.push(Expressions::new(self, source, (&anything, &anything))?.condition(entered)?);
        }
        if is_partial {
            let changing = self.changing(frame.loops);
            let left = self.known.for_any(&changing)?.coalesce()?;
            let holds = shortest(&holds.for_any(&changing)?.coalesce()?, &left)?;
            let defined = self.defined.for_any(&changing)?;
            tests.push(Expressions::new(self, source, (&left, &defined))?.condition(&holds)?);
        }
        let in_parentheses = |test: String| if test.contains("||") { format!("({test})") } else { test };
        let count = tests.len();
        Ok(if count > 1 { tests.into_iter().map(in_parentheses).collect() } else { tests })
    }

    /// What changes in so many loops around.
    fn changing(&self, depth: usize) -> Vec<String> {
        let around = self.scop.surroundings.as_deref().and_then(|around| around.loops.get(depth.checked_sub(1)?));
        around.iter().flat_map(|around| &around.changing).map(|id| self.parameters[id.0].clone()).collect()
    }

    /// The lines of a block with so many of the loops around the region.
    fn around_loops(
        &self,
        source: &str,
        placed: &PlacedLocals,
        context: &Set,
        depth: usize,
        indent: &str,
    ) -> Result<String> {
        let inner = format!("{indent}  ");
        let inside = Writing::new(self, source, placed, (context, self.defined))?;
        let changing = self.changing(depth);
        let (before, defined) = (context.for_any(&changing)?.coalesce()?, self.defined.for_any(&changing)?);
        let outside = Writing::new(self, source, placed, (&before, &defined))?;
        let is_outside = |motion: &Motion| matches!(motion, Motion::Outside(own) if *own == depth);
        let is_rotating = |motion: &Motion| matches!(motion, Motion::Rotating { .. }) && depth == 1;
        let mut lines = outside.declarations(&is_outside, &inner)?;
        lines.push_str(&inside.declarations(&is_rotating, &inner)?);
        let mut copied = [String::new(), String::new()];
        for (number, local, _) in outside.locals().filter(|(_, _, motion)| is_outside(motion)) {
            let ways =
                [(Direction::Into, &local.copies.into, Tag::In), (Direction::Back, &local.copies.back, Tag::Back)];
            for (copied, (direction, cells, tag)) in copied.iter_mut().zip(ways) {
                let cells = cells.for_any(&changing)?;
                copied.push_str(&outside.copied((number, local), (direction, &cells, &tag), &inner)?);
            }
        }
        let [into, back] = copied;
        if !into.is_empty() {
            lines.push_str(&(into + &outside.wait(&Tag::In, &inner)));
        }
        if depth == 1 {
            lines.push_str(&inside.first_turn(&inner)?);
        }
        lines.push_str(&format!("{inner}{}\n", self.moved(&self.whole_loop(source, placed, context, depth)?)));
        if depth == 1 {
            lines.push_str(&inside.last_turn(&inner)?);
        }
        if !back.is_empty() {
            lines.push_str(&(back + &outside.wait(&Tag::Back, &inner)));
        }
        Ok(lines)
    }

    /// A loop around the region with what it has inside.
    fn whole_loop(&self, source: &str, placed: &PlacedLocals, context: &Set, depth: usize) -> Result<String> {
        let span = &self.loops[depth - 1];
        let (within, text) = match depth {
            1 => {
                let indent = indent_at(source, self.span.start);
                let first = if starts_line(source, self.span.start) { &indent } else { "" };
                let lines = self.lines(source, placed, context, &indent)?;
                (self.span.clone(), format!("{first}{{\n{lines}{indent}}}"))
            }
            _ => {
                let within = self.loops[depth - 2].clone();
                let stands_there = placed.motions().iter().any(|motion| motion.depth() == depth - 1);
                let text = match stands_there {
                    true => {
                        let indent = indent_at(source, within.start);
                        let lines = self.around_loops(source, placed, context, depth - 1, &indent)?;
                        format!("{{\n{lines}{indent}}}")
                    }
                    false => self.whole_loop(source, placed, context, depth - 1)?,
                };
                (within, text)
            }
        };
        Ok([&source[span.start..within.start], &text, &source[within.end..span.end]].concat())
    }
}

//! What stands in front of a loop around a region and behind it: declarations, copies, and what is tested.
//!
//! Invariant: what stands in front of a loop names nothing that changes in it.

use super::condition::shortest;
use super::copying::Direction;
use super::index::Expressions;
use super::manner::Tag;
use super::names::LocalNames;
use super::{Compacted, Writing};
use crate::tokens::{Kind, tokens};
use polyfold_compact::Motion;
use polyfold_isl::{Result, Set};
use polyfold_prove::{PlacedLocals, positive};
use polyfold_scop::{Scop, Span};

/// Of a region's loops those, innermost first, whose text may get new lines around it, with their bytes in the text of `source`: they lie in the
/// scop, hold no directives but those of regions, and none is about them. `span`: the region; `scop`: the bytes between the
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
    let has_directives =
        |part: &str| part.contains("_Pragma") || part.lines().any(|line| line.trim_start().starts_with('#'));
    let is_plain = |own: &Span| {
        let is_inside =
            scop.start <= own.start && own.start <= span.start && span.end <= own.end && own.end <= scop.end;
        is_inside
            && source[own.clone()].starts_with("for")
            && !between(own, span, others).any(|part| has_directives(&source[part]))
            && !has_directives(
                source[scop.start..own.start].lines().rfind(|line| !line.trim().is_empty()).unwrap_or(""),
            )
    };
    spans.take_while(is_plain).collect()
}

/// The parts of a loop that are in none of its regions.
fn between<'a>(own: &'a Span, region: &'a Span, others: &'a [Span]) -> impl Iterator<Item = Span> {
    let inside = others.iter().filter(|other| own.start <= other.start && other.end <= own.end);
    let mut regions: Vec<&Span> = inside.chain([region]).collect();
    regions.sort_by_key(|region| region.start);
    let starts: Vec<usize> = [own.start].into_iter().chain(regions.iter().map(|region| region.end)).collect();
    let ends: Vec<usize> = regions.iter().map(|region| region.start).chain([own.end]).collect();
    starts.into_iter().zip(ends).map(|(start, end)| start..end)
}

/// Whether what begins at a place is the body of an `if`, an `else` or a loop, without braces.
pub(super) fn is_body(source: &str, at: usize) -> bool {
    let before = tokens(source, &(0..at));
    let last = before.iter().rev().find(|token| token.kind != Kind::Directive);
    last.is_some_and(|token| token.is(')') || token.text == "else")
}

/// A region whose copies stand in front of loops, and what is tested in front of the outermost of these.
pub(super) struct Framed<'a> {
    region: &'a Compacted<'a>,
    /// The only plan.
    pub(super) placed: &'a PlacedLocals,
    /// Parameter values for which it is used.
    pub(super) own: Set,
    /// Others that the program may have.
    rest: Set,
    is_partial: bool,
    /// That some turn gets to the region, and that the plan holds.
    pub(super) tests: Vec<String>,
}

/// The tests of several regions in front of one loop.
pub(super) fn joined<'a>(all: impl Iterator<Item = &'a Framed<'a>>) -> String {
    let mut tests: Vec<&String> = Vec::new();
    for test in all.flat_map(|framed| &framed.tests) {
        if !tests.contains(&test) {
            tests.push(test);
        }
    }
    let is_one = tests.len() == 1;
    let apart = |test: &String| if !is_one && test.contains("||") { format!("({test})") } else { test.clone() };
    tests.into_iter().map(apart).collect::<Vec<_>>().join(" && ")
}

impl<'a> Framed<'a> {
    /// `None`: the plan holds for no parameter values.
    pub(super) fn new(region: &'a Compacted<'a>, source: &str, placed: &'a PlacedLocals) -> Result<Option<Framed<'a>>> {
        let plan = placed.plan();
        let holds = plan.context.intersect(&positive(plan)?)?.coalesce()?;
        let own = region.known.intersect(&holds)?.coalesce()?;
        if own.is_empty()? {
            return Ok(None);
        }
        let rest =
            region.known.subtract(&holds)?.intersect(region.defined)?.intersect(&region.of_types()?)?.coalesce()?;
        let is_partial = !rest.is_empty()? || placed.frame().may_pass_by;
        let mut framed = Framed { region, placed, own, rest, is_partial, tests: Vec::new() };
        framed.tests = framed.tests(source, &holds)?;
        Ok(Some(framed))
    }

    /// How many loops copies stand in front of.
    pub(super) fn depth(&self) -> usize {
        self.placed.frame().loops
    }

    /// Whether copies stand in front of just so many loops.
    pub(super) fn stands_at(&self, depth: usize) -> bool {
        depth == self.depth() || self.placed.motions().iter().any(|motion| motion.depth() == depth)
    }

    /// Whether something may happen in the loop where the tests fail.
    pub(super) fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Whether nothing happens in the loop where the plan is not used, and all else in it is regions.
    pub(super) fn is_idle_elsewhere(&self, source: &str, span: &Span, regions: &[&Span]) -> Result<bool> {
        Ok(self.rest.intersect(self.region.running)?.is_empty()? && is_all_of(source, span, regions))
    }

    fn tests(&self, source: &str, holds: &Set) -> Result<Vec<String>> {
        let (region, frame) = (self.region, self.placed.frame());
        let mut tests = Vec::new();
        if let Some(entered) = &frame.entered {
            let anything = Set::read(entered.context(), "{ : }")?;
            tests.push(Expressions::new(region, source, (&anything, &anything))?.condition(entered)?);
        }
        if !self.rest.is_empty()? {
            let changing = region.changing(frame.loops);
            let left = region.known.for_any(&changing)?.coalesce()?;
            let holds = shortest(&holds.for_any(&changing)?.coalesce()?, &left)?;
            let defined = region.defined.for_any(&changing)?;
            tests.push(Expressions::new(region, source, (&left, &defined))?.condition(&holds)?);
        }
        Ok(tests)
    }

    /// The lines in front of one of the loops, and those behind it.
    pub(super) fn lines_around(
        &self,
        source: &str,
        names: &LocalNames,
        depth: usize,
        inner: &str,
    ) -> Result<[String; 2]> {
        let (region, context) = (self.region, &self.own);
        let inside = Writing::new(region, source, (self.placed, names), (context, region.defined), &[])?;
        let changing = region.changing(depth);
        let (before, defined) = (context.for_any(&changing)?.coalesce()?, region.defined.for_any(&changing)?);
        let outside = Writing::new(region, source, (self.placed, names), (&before, &defined), &changing)?;
        let is_outside = |motion: &Motion| matches!(motion, Motion::Outside(own) if *own == depth);
        let is_rotating = |motion: &Motion| matches!(motion, Motion::Rotating { .. }) && depth == 1;
        let mut lines = outside.declarations(&is_outside, inner)?;
        lines.push_str(&inside.declarations(&is_rotating, inner)?);
        let mut copied = [String::new(), String::new()];
        for (number, local, _) in outside.locals().filter(|(_, _, motion)| is_outside(motion)) {
            let ways =
                [(Direction::Into, &local.copies.into, Tag::In), (Direction::Back, &local.copies.back, Tag::Back)];
            for (copied, (direction, cells, tag)) in copied.iter_mut().zip(ways) {
                let cells = cells.intersect_params(context)?.for_any(&changing)?;
                copied.push_str(&outside.copied((number, local), (direction, &cells, &tag), inner)?);
            }
        }
        let [into, back] = copied;
        if !into.is_empty() {
            lines.push_str(&(into + &outside.wait(&Tag::In, inner)));
        }
        let mut behind = String::new();
        if depth == 1 {
            lines.push_str(&inside.first_turn(inner)?);
            behind.push_str(&inside.last_turn(inner)?);
        }
        if !back.is_empty() {
            behind.push_str(&(back + &outside.wait(&Tag::Back, inner)));
        }
        Ok([lines, behind])
    }
}

impl Compacted<'_> {
    /// What changes in so many loops around.
    fn changing(&self, depth: usize) -> Vec<String> {
        let around = self.scop.surroundings.as_deref().and_then(|around| around.loops.get(depth.checked_sub(1)?));
        around.iter().flat_map(|around| &around.changing).map(|id| self.parameters[id.0].clone()).collect()
    }
}

/// Whether a loop does nothing else than some regions.
fn is_all_of(source: &str, span: &Span, regions: &[&Span]) -> bool {
    let Some((region, others)) = regions.split_first() else { return false };
    let others: Vec<Span> = others.iter().map(|other| (*other).clone()).collect();
    between(span, region, &others).all(|part| {
        let mut depth = 0;
        tokens(source, &part).iter().all(|token| {
            depth += i32::from(token.is('(')) - i32::from(token.is(')'));
            depth > 0 || !token.is(';')
        })
    })
}

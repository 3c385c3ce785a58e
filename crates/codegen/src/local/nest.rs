//! The regions of a text together with the loops in front of which their copies stand.
//!
//! ```text
//! if (the loop has a turn && the plans hold) {
//!   double C_local[T][T], D_local[T][T];
//!   copy C in; copy D in
//!   for (kt = 0; …) { a region in local memory; what stands beside it; another region in local memory }
//!   copy C back; copy D back
//! } else {
//!   the loop with these regions as they were
//! }
//! ```
//!
//! A loop's text is the source's, with what stands in it replaced: inner loops in front of which something stands, and regions. Copies of several
//! regions may stand in front of one loop; each of these regions has its tests in front of the outermost of its own loops.
//!
//! Invariant: what is replaced lies apart, or one in another, where the outer one's new text has the inner one's.

use super::frame::{Framed, is_body};
use super::memory::Localized;
use super::names::LocalNames;
use super::text::PartText;
use super::{Compacted, asserting, indent_at, moved, starts_line};
use crate::Dialect;
use crate::edit::{Edit, Edits};
use crate::indent::deeper;
use polyfold_isl::Result;
use polyfold_scop::{Pinned, Span};

/// Regions of one text.
pub(super) struct Nest<'a> {
    source: &'a str,
    pub(super) parts: Vec<Part<'a>>,
    dialect: Dialect,
}

/// A region that gets new text.
pub(super) struct Part<'a> {
    pub(super) region: &'a Compacted<'a>,
    pub(super) localized: Localized,
    /// What its loops get; `None`: they stay.
    framed: Option<Framed<'a>>,
}

impl Part<'_> {
    /// In front of how many of the region's loops copies stand that are in front of this one: this loop's place among them, from 1 on.
    fn depth_at(&self, span: &Span) -> Option<usize> {
        let framed = self.framed.as_ref()?;
        let own = self.region.loops.iter().take(framed.depth()).position(|own| own == span)? + 1;
        framed.stands_at(own).then_some(own)
    }

    /// Whether this loop is the outermost of those.
    fn begins_at(&self, span: &Span) -> bool {
        self.framed.as_ref().is_some_and(|framed| self.region.loops[framed.depth() - 1] == *span)
    }

    /// What gets new text.
    fn spans(&self) -> impl Iterator<Item = &Span> {
        let depth = self.framed.as_ref().map_or(0, Framed::depth);
        let loops = self.region.loops[..depth].iter().filter(|span| self.depth_at(span).is_some());
        loops.chain([&self.region.span])
    }
}

impl<'a> Nest<'a> {
    /// The regions that have local arrays for some parameter values. `names`: by region and plan.
    pub(super) fn new(
        source: &'a str,
        regions: &'a [Compacted],
        names: &[Vec<LocalNames>],
        dialect: Dialect,
    ) -> Result<Nest<'a>> {
        let mut parts = Vec::new();
        for (region, names) in regions.iter().zip(names) {
            if region.plans.iter().all(|placed| placed.plan().locals.is_empty()) {
                continue;
            }
            region.check_names()?;
            let Some(localized) = region.localized(source, names)? else { continue };
            let framed = match region.plans {
                [placed] if placed.frame().loops > 0 => Framed::new(region, placed)?,
                _ => None,
            };
            parts.push(Part { region, localized, framed });
        }
        Ok(Nest { source, parts, dialect })
    }

    /// What changes in the text.
    pub(super) fn edits(&self) -> Result<Edits> {
        self.within(&(0..self.source.len()), &[])
    }

    /// What changes inside some bytes, where some parts stay as they were.
    fn within(&self, range: &Span, as_it_was: &[usize]) -> Result<Edits> {
        let holds = |outer: &Span, inner: &Span| outer != inner && outer.start <= inner.start && inner.end <= outer.end;
        let mut edits = Edits::new();
        let mut spans: Vec<&Span> = Vec::new();
        for (k, part) in self.parts.iter().enumerate().filter(|(_, part)| holds(range, &part.region.span)) {
            if as_it_was.contains(&k) {
                edits.push(self.as_it_was(part));
            } else {
                spans.extend(part.spans().filter(|span| holds(range, span)));
            }
        }
        let outermost = spans.iter().filter(|span| !spans.iter().any(|other| holds(other, span)));
        for span in outermost.clone() {
            edits.push(self.new_text(span, as_it_was)?);
        }
        edits.drop_inside(&outermost.map(|span| (*span).clone()).collect::<Vec<_>>());
        Ok(edits)
    }

    /// A region's statement without the pragma.
    fn as_it_was(&self, part: &Part) -> Edit {
        let span = part.region.span.clone();
        let indent =
            if starts_line(self.source, span.start) { indent_at(self.source, span.start) } else { String::new() };
        Edit { text: indent + &self.source[part.region.statement.clone()], span }
    }

    fn new_text(&self, span: &Span, as_it_was: &[usize]) -> Result<Edit> {
        match self.parts.iter().find(|part| part.region.span == *span) {
            Some(part) => self.region(part),
            None => self.framed(span, as_it_was),
        }
    }

    /// A region's block.
    fn region(&self, part: &Part) -> Result<Edit> {
        let span = part.region.span.clone();
        let text = PartText::of(self.source, part)?.region()?;
        let edit = Edit { span, text };
        Ok(if part.framed.is_none() { asserting(edit, part.region.pinned, self.dialect) } else { edit })
    }

    /// A loop with what stands in front of it and behind.
    fn framed(&self, span: &Span, as_it_was: &[usize]) -> Result<Edit> {
        let indent = indent_at(self.source, span.start);
        let begin = |(k, part): &(usize, &Part)| part.begins_at(span) && !as_it_was.contains(k);
        let beginning: Vec<(usize, &Part)> = self.parts.iter().enumerate().filter(begin).collect();
        let tests = self.tests(&beginning)?;
        let head = if tests.is_empty() { "{".to_string() } else { format!("if ({tests}) {{") };
        let mut text = format!("{head}\n{}{indent}}}", self.around(span, as_it_was, &indent)?);
        if !self.is_all(span, &beginning)? {
            let more: Vec<usize> = as_it_was.iter().copied().chain(beginning.iter().map(|(k, _)| *k)).collect();
            let whole = self.within(span, &more)?.apply_within(self.source, span);
            text.push_str(&format!(" else {{\n{indent}  {}\n{indent}}}", moved(&whole)));
        }
        if !tests.is_empty() && is_body(self.source, span.start) {
            // An `else` behind the loop is another one's.
            text = format!("{{\n{indent}{}\n{indent}}}", deeper(&text, "  "));
        }
        let pinned: Vec<Pinned> = beginning.iter().flat_map(|(_, part)| part.region.pinned).cloned().collect();
        Ok(asserting(Edit { span: span.clone(), text }, &pinned, self.dialect))
    }

    /// The tests of several regions in front of one loop.
    fn tests(&self, beginning: &[(usize, &Part)]) -> Result<String> {
        let mut all = Vec::new();
        for (_, part) in beginning {
            let text = PartText::of(self.source, part)?;
            for test in part.framed.iter().flat_map(|framed| &framed.tests) {
                let test = text.test(test);
                if !all.contains(&test) {
                    all.push(test);
                }
            }
        }
        Ok(match &all[..] {
            [(_, alone)] => alone.clone(),
            all => all.iter().map(|(joined, _)| joined.as_str()).collect::<Vec<_>>().join(" && "),
        })
    }

    /// Whether nothing happens in a loop where the tests in front of it fail.
    fn is_all(&self, span: &Span, beginning: &[(usize, &Part)]) -> Result<bool> {
        let regions: Vec<&Span> = beginning.iter().map(|(_, part)| &part.region.span).collect();
        let framed = || beginning.iter().filter_map(|(_, part)| part.framed.as_ref());
        let mut is_all = true;
        for framed in framed() {
            let is_same = framed.tests == beginning[0].1.framed.as_ref().map_or(&[][..], |first| &first.tests);
            is_all &= is_same && framed.is_idle_elsewhere(self.source, span, &regions)?;
        }
        Ok(is_all || framed().all(|framed| !framed.is_partial()))
    }

    /// The lines of a block with a loop.
    fn around(&self, span: &Span, as_it_was: &[usize], indent: &str) -> Result<String> {
        let inner = format!("{indent}  ");
        let (mut before, mut behind) = (String::new(), String::new());
        let members = self.parts.iter().enumerate().filter(|(k, _)| !as_it_was.contains(k));
        for part in members.map(|(_, part)| part) {
            if let Some(depth) = part.depth_at(span) {
                let [first, last] = PartText::of(self.source, part)?.around(depth, &inner)?;
                before.push_str(&first);
                behind.push_str(&last);
            }
        }
        let whole = self.within(span, as_it_was)?.apply_within(self.source, span);
        Ok(format!("{before}{inner}{}\n{behind}", moved(&whole)))
    }
}

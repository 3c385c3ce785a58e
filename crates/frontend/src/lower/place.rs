//! From bytes of the expanded text to places in the file or in a fragment.

use super::Lowering;
use polyfold_c::written::inside_parentheses;
use polyfold_scop::{Fragment, Place, Span};

impl Lowering<'_> {
    /// The place of a reference and of the subscripts in it; `None` if a macro makes only a part of it.
    pub(super) fn place(&mut self, span: &Span, inner: &[Span]) -> Option<(Place, Vec<Span>)> {
        let expanded = self.site.expanded;
        if let Some(segment) = expanded.segment_around(span) {
            let base = expanded.segments[segment].at.start;
            let moved = |span: &Span| span.start - base..span.end - base;
            let place = Place { fragment: Some(self.fragment_id(segment)), span: moved(span) };
            return Some((place, inner.iter().map(moved).collect()));
        }
        if !expanded.is_whole(span) || !inner.iter().all(|span| expanded.is_whole(span)) {
            return None;
        }
        let inner = inner.iter().map(|span| expanded.to_file(span)).collect();
        Some((Place::in_file(expanded.to_file(span)), inner))
    }

    /// The place of a reference that may stand in parentheses of which a macro makes those inside only, with its part of the text.
    pub(super) fn place_inside(&mut self, span: &Span, inner: &[Span]) -> (Span, Option<(Place, Vec<Span>)>) {
        let mut span = span.clone();
        loop {
            let found = self.place(&span, inner);
            match self.site.expanded.text.get(span.clone()).and_then(inside_parentheses) {
                Some(inside) if found.is_none() => span = span.start + inside.start..span.start + inside.end,
                _ => return (span, found),
            }
        }
    }

    /// Whether the macro that makes `span` names itself, so that its text would mean something else in its place.
    pub(super) fn is_unstable(&self, span: &Span) -> bool {
        let segments = &self.site.expanded.segments;
        self.site.expanded.segment_around(span).is_some_and(|segment| segments[segment].unstable)
    }

    /// Whether lines of the preprocessor stand between the ends of `span`.
    pub(super) fn is_divided(&self, span: &Span) -> bool {
        let text = &self.site.source[self.site.expanded.to_file(span)];
        text.lines().skip(1).any(|line| line.trim_start().starts_with('#'))
    }

    /// The fragment of a segment.
    pub(super) fn fragment(&self, segment: usize) -> Fragment {
        let segment = &self.site.expanded.segments[segment];
        Fragment { text: self.site.expanded.text[segment.at.clone()].to_string(), replaces: segment.replaces.clone() }
    }

    /// The macro that made the byte at `at`, if one did.
    pub(super) fn macro_at(&self, at: usize) -> Option<&str> {
        self.site.expanded.segment_at(at).map(|segment| self.site.expanded.segments[segment].name.as_str())
    }
}

//! From bytes of the expanded text to places in the file or in a fragment.

use super::Lowering;
use polyfold_c::lex::{TokenKind, tokens};
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
        if !self.is_whole(span) || !inner.iter().all(|span| self.is_whole(span)) {
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

    /// Whether no macro's text is cut by the ends of `span`.
    pub(super) fn is_whole(&self, span: &Span) -> bool {
        let expanded = self.site.expanded;
        let cuts = |at: usize, end: bool| {
            expanded.segment_at(at).is_some_and(|segment| {
                let made = &expanded.segments[segment].at;
                if end { made.end != at + 1 } else { made.start != at }
            })
        };
        !cuts(span.start, false) && (span.is_empty() || !cuts(span.end - 1, true))
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

/// What stands in the parentheses around a text.
pub(super) fn inside_parentheses(text: &str) -> Option<Span> {
    let all = tokens(text);
    let marks: Vec<_> = all.iter().filter(|t| !matches!(t.kind, TokenKind::Space | TokenKind::Newline)).collect();
    let mut depth = 0;
    let closing = marks.iter().position(|token| {
        depth += i32::from(&text[token.span.clone()] == "(") - i32::from(&text[token.span.clone()] == ")");
        depth == 0
    })?;
    let is_around = closing > 1 && closing + 1 == marks.len();
    is_around.then(|| marks[1].span.start..marks[closing - 1].span.end)
}

#[cfg(test)]
mod tests {
    use super::inside_parentheses;

    #[test]
    fn parentheses_around_all_of_a_text() {
        let inside = |text: &'static str| inside_parentheses(text).map(|span| &text[span]);
        assert_eq!(inside("( (t[(i)]) )"), Some("(t[(i)])"));
        assert_eq!(inside("(t)[(i)]"), None);
        assert_eq!(inside("t[(i)]"), None);
        assert_eq!(inside("()"), None);
    }
}

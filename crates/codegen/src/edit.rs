//! Replacements of byte ranges in a text.

use crate::declared::{Declared, settled};
use polyfold_scop::Span;

/// Replaces the bytes of `span` (insertion if it is empty).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) span: Span,
    pub(crate) text: String,
}

/// New lines with the line endings of the text that they become a part of.
pub(crate) fn in_line_endings_of(text: &str, lines: &str) -> String {
    match text.contains("\r\n") {
        true => lines.replace("\r\n", "\n").replace('\n', "\r\n"),
        false => lines.to_string(),
    }
}

/// Lines beside a statement, which stay whatever is put in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Around {
    pub(crate) at: usize,
    pub(crate) side: Side,
    pub(crate) text: String,
}

/// Where lines stand: what is behind one statement is in front of what is in front of the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    Behind,
    /// In front of the other lines there.
    Declared,
    InFront,
}

/// Braces around something, and lines in them, which stay whatever is put in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrapped {
    pub(crate) span: Span,
    pub(crate) opening: String,
    pub(crate) closing: String,
}

/// Edits of one text, in any order; equal ones count once (a compound assignment is read and written in one place).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Edits {
    own: Vec<Edit>,
    around: Vec<Around>,
    declared: Vec<Declared>,
    wrapped: Vec<Wrapped>,
}

impl Edits {
    pub(crate) fn new() -> Self {
        Edits::default()
    }

    pub(crate) fn push(&mut self, edit: Edit) {
        if !self.own.contains(&edit) {
            self.own.push(edit);
        }
    }

    pub(crate) fn push_around(&mut self, lines: Around) {
        if !self.around.contains(&lines) {
            self.around.push(lines);
        }
    }

    pub(crate) fn push_declared(&mut self, variable: Declared) {
        if !self.declared.contains(&variable) {
            self.declared.push(variable);
        }
    }

    pub(crate) fn push_wrapped(&mut self, braces: Wrapped) {
        if !self.wrapped.contains(&braces) {
            self.wrapped.push(braces);
        }
    }

    pub(crate) fn extend(&mut self, other: Edits) {
        other.wrapped.into_iter().for_each(|braces| self.push_wrapped(braces));
        other.own.into_iter().for_each(|edit| self.push(edit));
        other.around.into_iter().for_each(|lines| self.push_around(lines));
        other.declared.into_iter().for_each(|variable| self.push_declared(variable));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.own.is_empty() && self.around.is_empty() && self.declared.is_empty() && self.wrapped.is_empty()
    }

    /// Where something is replaced.
    pub(crate) fn spans(&self) -> impl Iterator<Item = &Span> {
        self.own.iter().map(|edit| &edit.span)
    }

    /// What is put in.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let beside = self.around.iter().map(|lines| lines.text.as_str());
        let wrapped = self.wrapped.iter().flat_map(|braces| [braces.opening.as_str(), braces.closing.as_str()]);
        let declared = self.declared.iter().map(|variable| variable.declaration.as_str());
        self.own.iter().map(|edit| edit.text.as_str()).chain(beside).chain(wrapped).chain(declared)
    }

    /// Forgets edits that lie properly inside one of `spans`: the whole span is replaced by another edit. Lines beside it stay, and braces around it.
    pub(crate) fn drop_inside(&mut self, spans: &[Span]) {
        let inside = |own: &Span| spans.iter().any(|s| s.start <= own.start && own.end <= s.end && s != own);
        self.own.retain(|edit| !inside(&edit.span));
        self.wrapped.retain(|braces| !inside(&braces.span));
        let is_within = |at: usize| spans.iter().any(|s| s.start < at && at < s.end);
        self.around.retain(|lines| !is_within(lines.at));
        self.declared.retain(|variable| !is_within(variable.at));
    }

    /// The same edits with the line endings of a text.
    pub(crate) fn in_line_endings_of(mut self, text: &str) -> Edits {
        let beside = self.around.iter_mut().map(|lines| &mut lines.text);
        let wrapped = self.wrapped.iter_mut().flat_map(|braces| [&mut braces.opening, &mut braces.closing]);
        let between = self.declared.iter_mut().map(|variable| &mut variable.separator);
        let texts = self.own.iter_mut().map(|edit| &mut edit.text).chain(beside).chain(wrapped).chain(between);
        texts.for_each(|own| *own = in_line_endings_of(text, own));
        self
    }

    /// The text with all edits made, in its own line endings.
    pub(crate) fn apply(self, text: &str) -> String {
        self.in_line_endings_of(text).apply_within(text, &(0..text.len()))
    }

    /// A part of the text with all edits made; edits outside the part are not, nor lines beside it.
    pub(crate) fn apply_within(&self, text: &str, part: &Span) -> String {
        let is_inside = |span: &Span| part.start <= span.start && span.end <= part.end;
        let own = self.own.iter().filter(|e| is_inside(&e.span));
        let around = self.around.iter().filter(|lines| part.start < lines.at && lines.at < part.end);
        let own = own.map(|e| ((e.span.start, e.span.end, None), e.text.clone(), None));
        let around = around.map(|lines| ((lines.at, lines.at, Some(lines.side)), lines.text.clone(), None));
        let declared = self.declared.iter().filter(|variable| part.start < variable.at && variable.at < part.end);
        let declared = declared.map(|variable| {
            let at = self.behind_removals(text, variable.at);
            ((at, at, Some(Side::Declared)), variable.line(), Some(variable))
        });
        // Of two that end at one place the inner one's ends first.
        let mut wrapped: Vec<&Wrapped> = self.wrapped.iter().filter(|braces| is_inside(&braces.span)).collect();
        wrapped.sort_by_key(|braces| std::cmp::Reverse(braces.span.start));
        let wrapped = wrapped.into_iter().flat_map(|braces| {
            let Span { start, end } = braces.span;
            let opening = ((start, start, Some(Side::InFront)), braces.opening.clone(), None);
            [opening, ((end, end, Some(Side::Behind)), braces.closing.clone(), None)]
        });
        let mut edits: Vec<_> = own.chain(around).chain(declared).chain(wrapped).collect();
        edits.sort_by_key(|(place, _, _)| *place);
        let (mut out, mut at, mut declared_at) = (String::new(), part.start, Vec::new());
        for ((start, end, _), own, declared) in edits {
            // Two statements that go may both take the gap between them.
            let is_gap = |shared: &str| own.is_empty() && shared.trim().is_empty();
            let start = if start < at && is_gap(&text[start..at]) { at } else { start };
            assert!(start >= at, "two changes overlap at byte {at}: {own:?}");
            out.push_str(&text[at..start]);
            declared_at.extend(declared.map(|variable| (out.len(), variable)));
            out.push_str(&own);
            at = end;
        }
        out.push_str(&text[at..part.end]);
        settled(out, declared_at)
    }

    /// A place, or that of the next statement where all that stands there goes, with the white space in front of it.
    fn behind_removals(&self, text: &str, mut at: usize) -> usize {
        let goes = |at: usize| self.own.iter().find(|e| e.text.is_empty() && e.span.start < at && at < e.span.end);
        while let Some(edit) = goes(at) {
            let behind = &text[edit.span.end..];
            at = edit.span.end + behind.len() - behind.trim_start().len();
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(at: usize, side: Side, text: &str) -> Around {
        Around { at, side, text: text.to_string() }
    }

    /// Those at the edges of what is replaced stay; those inside go with it, and a part has none of those beside it.
    #[test]
    fn lines_beside_a_statement_outlast_it() {
        let (text, mut edits) = ("a;b;c;", Edits::new());
        edits.push_around(lines(2, Side::InFront, "<"));
        edits.push_around(lines(2, Side::Behind, ">"));
        edits.push_around(lines(3, Side::InFront, "lost"));
        edits.push_around(lines(4, Side::Behind, ">"));
        edits.drop_inside(std::slice::from_ref(&(2..4)));
        edits.push(Edit { span: 2..4, text: "B;".to_string() });
        assert_eq!(edits.apply_within(text, &(2..4)), "B;");
        assert_eq!(edits.apply(text), "a;><B;>c;");
    }

    /// They go with what is around them, and belong to no part of what they are around.
    #[test]
    fn braces_around_something_outlast_it() {
        let (text, mut edits) = ("f g a;", Edits::new());
        edits.push_wrapped(Wrapped { span: 1..6, opening: " {".to_string(), closing: "}".to_string() });
        assert_eq!(
            (edits.apply_within(text, &(3..6)), edits.apply_within(text, &(1..6))),
            (" a;".into(), " { g a;}".into())
        );
        edits.drop_inside(std::slice::from_ref(&(1..6)));
        edits.push(Edit { span: 1..6, text: " {B;}".to_string() });
        assert_eq!(edits.clone().apply(text), "f { {B;}}");
        edits.drop_inside(std::slice::from_ref(&(0..6)));
        assert!(edits.is_empty());
        edits.push_wrapped(Wrapped { span: 1..6, opening: " {".to_string(), closing: "}".to_string() });
        edits.push_wrapped(Wrapped { span: 3..6, opening: " <".to_string(), closing: ">".to_string() });
        assert_eq!(edits.apply(text), "f { g < a;>}");
    }
}

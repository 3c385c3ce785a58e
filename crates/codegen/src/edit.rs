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

/// Edits of one text, in any order; equal ones count once (a compound assignment is read and written in one place).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Edits {
    own: Vec<Edit>,
    declared: Vec<Declared>,
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

    pub(crate) fn push_declared(&mut self, variable: Declared) {
        if !self.declared.contains(&variable) {
            self.declared.push(variable);
        }
    }

    pub(crate) fn extend(&mut self, other: Edits) {
        other.own.into_iter().for_each(|edit| self.push(edit));
        other.declared.into_iter().for_each(|variable| self.push_declared(variable));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.own.is_empty() && self.declared.is_empty()
    }

    /// Where something is replaced.
    pub(crate) fn spans(&self) -> impl Iterator<Item = &Span> {
        self.own.iter().map(|edit| &edit.span)
    }

    /// What is put in.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let declared = self.declared.iter().map(|variable| variable.declaration.as_str());
        self.own.iter().map(|edit| edit.text.as_str()).chain(declared)
    }

    /// Forgets edits that lie properly inside one of `spans`: the whole span is replaced by another edit.
    pub(crate) fn drop_inside(&mut self, spans: &[Span]) {
        let inside = |own: &Span| spans.iter().any(|s| s.start <= own.start && own.end <= s.end && s != own);
        self.own.retain(|edit| !inside(&edit.span));
        let is_within = |at: usize| spans.iter().any(|s| s.start < at && at < s.end);
        self.declared.retain(|variable| !is_within(variable.at));
    }

    /// The same edits with the line endings of a text.
    pub(crate) fn in_line_endings_of(mut self, text: &str) -> Edits {
        let between = self.declared.iter_mut().map(|variable| &mut variable.separator);
        let texts = self.own.iter_mut().map(|edit| &mut edit.text).chain(between);
        texts.for_each(|own| *own = in_line_endings_of(text, own));
        self
    }

    /// The text with all edits made, in its own line endings.
    pub(crate) fn apply(self, text: &str) -> String {
        self.in_line_endings_of(text).apply_within(text, &(0..text.len()))
    }

    /// A part of the text with all edits made; edits outside the part are not.
    pub(crate) fn apply_within(&self, text: &str, part: &Span) -> String {
        let is_inside = |span: &Span| part.start <= span.start && span.end <= part.end;
        let own = self.own.iter().filter(|e| is_inside(&e.span));
        let own = own.map(|e| ((e.span.start, e.span.end, false), e.text.clone(), None));
        let declared = self.declared.iter().filter(|variable| part.start < variable.at && variable.at < part.end);
        let declared = declared.map(|variable| {
            let at = self.behind_removals(text, variable.at);
            ((at, at, true), variable.line(), Some(variable))
        });
        let mut edits: Vec<_> = own.chain(declared).collect();
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

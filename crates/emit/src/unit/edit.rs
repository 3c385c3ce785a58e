//! Replacements of byte ranges in a text.

use polyfold_c::source::Span;
use polyfold_program::OtherText;

/// Replaces the bytes of a span, or inserts something where that is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub span: Span,
    /// By this.
    pub text: String,
}

impl Edit {
    /// The same for a program's text.
    pub fn as_text(&self) -> OtherText {
        OtherText { bytes: self.span.clone(), text: self.text.clone(), where_changed: false }
    }
}

/// New lines with the line endings of the text that they become a part of.
pub fn in_line_endings_of(text: &str, lines: &str) -> String {
    match text.contains("\r\n") {
        true => lines.replace("\r\n", "\n").replace('\n', "\r\n"),
        false => lines.to_string(),
    }
}

/// Edits of one text, in any order; equal ones count once (a compound assignment is read and written in one place).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits(Vec<Edit>);

impl Edits {
    /// None.
    pub fn new() -> Self {
        Edits::default()
    }

    /// One more.
    pub fn push(&mut self, edit: Edit) {
        if !self.0.contains(&edit) {
            self.0.push(edit);
        }
    }

    /// The same edits with the line endings of a text.
    fn in_line_endings_of(mut self, text: &str) -> Edits {
        self.0.iter_mut().for_each(|edit| edit.text = in_line_endings_of(text, &edit.text));
        self
    }

    /// The text with all edits made, in its own line endings.
    pub fn apply(self, text: &str) -> String {
        self.in_line_endings_of(text).apply_within(text, &(0..text.len()))
    }

    /// A part of the text with all edits made; edits outside the part are not.
    pub(crate) fn apply_within(&self, text: &str, part: &Span) -> String {
        let is_inside = |span: &Span| part.start <= span.start && span.end <= part.end;
        let mut edits: Vec<_> = self.0.iter().filter(|e| is_inside(&e.span)).collect();
        edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        let (mut out, mut at) = (String::new(), part.start);
        for Edit { span, text: own } in edits {
            // Two statements that go may both take the gap between them.
            let is_gap = |shared: &str| own.is_empty() && shared.trim().is_empty();
            let start = if span.start < at && is_gap(&text[span.start..at]) { at } else { span.start };
            assert!(start >= at, "two changes overlap at byte {at}: {own:?}");
            out.push_str(&text[at..start]);
            out.push_str(own);
            at = at.max(span.end);
        }
        out + &text[at..part.end]
    }
}

//! Where the bytes of a text in tiles come from.
//!
//! Messages show the user's file, so that places in the new text are looked up in it: each line of the nest was a line there, and what is new
//! stands for the nest's first word.

use super::band::WORD;
use polyfold_scop::Span;

/// What is where in a text with a nest in tiles.
#[derive(Clone, Debug)]
pub struct Places {
    /// What was replaced.
    pub(super) replaced: Span,
    /// The bytes of the new text that stand there.
    pub(super) by: Span,
    /// Where the nest was.
    pub(super) nest: Span,
    /// Where its pragma was, if it had one.
    pub(super) pragma: Option<Span>,
    /// Lines of the new bytes in front of the pragma.
    pub(super) heads: usize,
    /// By how many bytes the lines of the nest are indented more.
    pub(super) deeper: usize,
}

impl Places {
    /// The bytes of `source` that some bytes of the new text come from.
    pub fn in_source(&self, source: &str, text: &str, span: &Span) -> Span {
        let (start, end) = (self.place(source, text, span.start), self.place(source, text, span.end));
        if start < end { start..end } else { start..start + WORD }
    }

    fn place(&self, source: &str, text: &str, at: usize) -> usize {
        if at < self.by.start {
            return at;
        }
        if at >= self.by.end {
            return at - self.by.end + self.replaced.end;
        }
        let before = &text[self.by.start..at];
        let column = before.len() - before.rfind('\n').map_or(0, |n| n + 1);
        match before.matches('\n').count().checked_sub(self.heads) {
            None => self.nest.start,
            Some(0) => self.pragma.as_ref().map_or(self.nest.start, |pragma| (pragma.start + column).min(pragma.end)),
            Some(line) => self.in_nest(source, line - 1, column.saturating_sub(self.deeper)),
        }
    }

    /// A place in a line of the nest, whose first one counts from the beginning of its line, too.
    fn in_nest(&self, source: &str, line: usize, column: usize) -> usize {
        let begins = source[..self.nest.start].rfind('\n').map_or(0, |n| n + 1);
        let mut at = begins;
        for text in source[begins..self.nest.end].split_inclusive('\n').take(line) {
            at += text.len();
        }
        let end = source[at..].find('\n').map_or(source.len(), |n| at + n);
        (at + column).clamp(self.nest.start, end.max(self.nest.start))
    }
}

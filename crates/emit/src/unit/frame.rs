//! Where a scop's pragma lines stand, and whether declarations may stand in front of them.

use polyfold_c::code::{labels, last_token};
use polyfold_c::source::Span;

/// The surroundings of one scop.
#[derive(Clone, Debug)]
pub struct Frame {
    /// From the line of `#pragma scop`, or of the pragmas in front that belong to it, to the end of the line of
    /// `#pragma endscop`, newline included.
    pub lines: Span,
    /// The pragmas in front of `#pragma scop` that belong to the scop's first statement.
    pub lead: Span,
    /// Between the two lines.
    pub body: Span,
    /// White space in front of the scop's first statement.
    pub indent: String,
    /// Bytes of the labels between the pragmas, which may not stand twice in a function.
    pub labels: Vec<Span>,
}

impl Frame {
    /// Of a scop: the bytes between its pragma lines, and those of other pragmas in front of it.
    pub fn of(source: &str, (scop, lead): (&Span, Option<&Span>)) -> Frame {
        // What follows a directive may be the second half of a line end.
        let halves = source[..scop.start].ends_with('\r') && source[scop.start..].starts_with('\n');
        let body = scop.start - usize::from(halves)..scop.end;
        let start = first_line(source, scop, lead);
        let lead = start..opening_line(source, scop);
        let end = source[body.end..].find('\n').map_or(source.len(), |n| body.end + n + 1);
        let text = &source[body.clone()];
        let first = text.len() - text.trim_start().len();
        let indent = text[..first].rsplit('\n').next().unwrap_or("").to_string();
        Frame { lines: start..end, lead, labels: labels(source, scop), body, indent }
    }

    /// Whether declarations may be put in front of it: the line before must end a statement or open a block. A scop that is the
    /// body of an `if` without braces, or that has a label, leaves no room.
    pub fn takes_declarations(&self, source: &str) -> bool {
        matches!(last_token(&source[..self.lines.start]), Some(';' | '{' | '}'))
    }
}

/// Where the line of `#pragma scop` begins.
fn opening_line(source: &str, scop: &Span) -> usize {
    let before = source[..scop.start].trim_end_matches(['\n', '\r']);
    before.rfind('\n').map_or(0, |n| n + 1)
}

/// Where the lines begin that belong together: those of the pragmas in front, and `#pragma scop`.
fn first_line(source: &str, scop: &Span, lead: Option<&Span>) -> usize {
    let opening = opening_line(source, scop);
    let Some(lead) = lead else { return opening };
    let start = source[..lead.start].rfind('\n').map_or(0, |n| n + 1);
    let is_alone = source[start..lead.start].trim().is_empty();
    let mut lines = source[start..opening.max(start)].lines().map(str::trim_start);
    match is_alone && !lines.any(is_conditional) {
        true => start,
        false => opening,
    }
}

fn is_conditional(line: &str) -> bool {
    let directive = line.strip_prefix('#').map(str::trim_start);
    directive.is_some_and(|name| ["if", "el", "endif"].iter().any(|word| name.starts_with(word)))
}

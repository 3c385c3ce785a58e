//! Where a scop's pragma lines stand, and whether declarations may stand in front of them.

use polyfold_c::code::{Kind, labels, tokens};
use polyfold_scop::{Scop, Span};

/// The surroundings of one scop.
pub(crate) struct Frame {
    /// From the line of `#pragma scop`, or of the pragmas in front that belong to it, to the end of the line of
    /// `#pragma endscop`, newline included.
    pub(crate) lines: Span,
    /// The pragmas in front of `#pragma scop` that belong to the scop's first statement.
    pub(crate) lead: Span,
    /// Between the two lines.
    pub(crate) body: Span,
    /// White space in front of the scop's first statement.
    pub(crate) indent: String,
    /// Bytes of the labels between the pragmas, which may not stand twice in a function.
    pub(crate) labels: Vec<Span>,
}

impl Frame {
    pub(crate) fn of(source: &str, scop: &Scop) -> Frame {
        // What follows a directive may be the second half of a line end.
        let halves = source[..scop.span.start].ends_with('\r') && source[scop.span.start..].starts_with('\n');
        let body = scop.span.start - usize::from(halves)..scop.span.end;
        let start = first_line(source, scop);
        let lead = start..opening_line(source, scop);
        let end = source[body.end..].find('\n').map_or(source.len(), |n| body.end + n + 1);
        let text = &source[body.clone()];
        let first = text.len() - text.trim_start().len();
        let indent = text[..first].rsplit('\n').next().unwrap_or("").to_string();
        Frame { lines: start..end, lead, labels: labels(source, &scop.span), body, indent }
    }
}

/// Where the line of `#pragma scop` begins.
fn opening_line(source: &str, scop: &Scop) -> usize {
    let before = source[..scop.span.start].trim_end_matches(['\n', '\r']);
    before.rfind('\n').map_or(0, |n| n + 1)
}

/// Where the lines begin that belong together: those of the pragmas in front, and `#pragma scop`.
fn first_line(source: &str, scop: &Scop) -> usize {
    let opening = opening_line(source, scop);
    let Some(lead) = &scop.lead else { return opening };
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

/// Whether a declaration may be put in front of `#pragma scop` and the pragmas that belong to it: the line before must
/// end a statement or open a block. A scop that is the body of an `if` without braces, or that has a label, leaves no room.
pub fn can_declare_before(source: &str, scop: &Scop) -> bool {
    let before = &source[..first_line(source, scop)];
    matches!(last_token(before), Some(';' | '{' | '}'))
}

/// Whether a statement may begin at a place, rather than the head of a loop go on there.
pub fn stands_in_a_block(source: &str, at: usize) -> bool {
    !matches!(last_token(&source[..at]), Some('(' | ','))
}

/// The last character of a text that is no white space, comment, polyfold's own pragma or the end of another scop; `#` for another
/// pragma.
fn last_token(text: &str) -> Option<char> {
    let all = tokens(text, &(0..text.len()));
    let last = all.iter().rfind(|t| t.kind != Kind::Directive || is_foreign_pragma(t.text))?;
    last.text.chars().next_back().map(|c| if last.kind == Kind::Directive { '#' } else { c })
}

fn is_foreign_pragma(directive: &str) -> bool {
    let words: Vec<&str> = directive[1..].split_whitespace().take(2).collect();
    words.first() == Some(&"pragma") && words != ["pragma", "polyfold"] && words != ["pragma", "endscop"]
}

#[cfg(test)]
mod tests {
    use super::last_token;

    #[test]
    fn the_last_token_is_found_behind_comments_strings_and_directives() {
        assert_eq!(last_token("int n; /* { */ // {\n"), Some(';'));
        assert_eq!(last_token("f(\"}\") ? ';' : '}'\n"), Some('\''));
        assert_eq!(last_token("if (n)\n"), Some(')'));
        assert_eq!(last_token("{\n#define A \\\n  ;\n#pragma polyfold temporary(t)\n"), Some('{'));
        assert_eq!(last_token("{\n#pragma scop\n  t[0] = 1;\n#pragma endscop\n"), Some(';'));
        assert_eq!(last_token("{\n  #pragma omp parallel for\n"), Some('#'));
    }
}

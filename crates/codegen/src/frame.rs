//! Where a scop's pragma lines stand, and whether declarations may stand in front of them.

use crate::tokens::{Kind, Token, tokens};
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

/// Labels, such as `S1:`.
pub(crate) fn labels(source: &str, span: &Span) -> Vec<Span> {
    let all = tokens(source, span);
    let tokens: Vec<&Token> = all.iter().filter(|t| t.kind != Kind::Directive).collect();
    let mut labels: Vec<Span> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let follows_label = at > 0 && labels.last().is_some_and(|label| label.end == tokens[at - 1].span().end);
        let ends = tokens.get(at + 1).is_some_and(|t| t.is(':')) && !tokens.get(at + 2).is_some_and(|t| t.is(':'));
        let is_name = token.kind == Kind::Word && token.text != "default";
        if ends && is_name && (follows_label || begins_statement(&tokens, at)) {
            labels.push(token.at..tokens[at + 1].at + 1);
        }
    }
    labels
}

/// Whether a statement without labels in front begins at a token: not the second operand of a ternary.
pub(crate) fn begins_statement(tokens: &[&Token], at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    match tokens[before] {
        t if t.is_any(&['{', '}', ';']) => true,
        t if t.is(')') => closes_a_condition(tokens, before),
        t => matches!(t.text, "else" | "do"),
    }
}

/// Whether a parenthesis closes the head of an `if` or of a loop.
fn closes_a_condition(tokens: &[&Token], closing: usize) -> bool {
    let mut depth = 0;
    for at in (0..=closing).rev() {
        depth += i32::from(tokens[at].is(')')) - i32::from(tokens[at].is('('));
        if depth == 0 {
            return at > 0 && matches!(tokens[at - 1].text, "if" | "for" | "while");
        }
    }
    false
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
    use super::{labels, last_token};

    #[test]
    fn the_last_token_is_found_behind_comments_strings_and_directives() {
        assert_eq!(last_token("int n; /* { */ // {\n"), Some(';'));
        assert_eq!(last_token("f(\"}\") ? ';' : '}'\n"), Some('\''));
        assert_eq!(last_token("if (n)\n"), Some(')'));
        assert_eq!(last_token("{\n#define A \\\n  ;\n#pragma polyfold temporary(t)\n"), Some('{'));
        assert_eq!(last_token("{\n#pragma scop\n  t[0] = 1;\n#pragma endscop\n"), Some(';'));
        assert_eq!(last_token("{\n  #pragma omp parallel for\n"), Some('#'));
    }

    #[test]
    fn operands_of_ternaries_are_no_labels() {
        let text =
            "S1: S2 : x = c ? (int)a : b; y = p ? q ? r : s : t; if (n) S3: z = (f)(u) ? v : w; else S4: { S5: ; }";
        let found: Vec<&str> = labels(text, &(0..text.len())).into_iter().map(|span| &text[span]).collect();
        assert_eq!(found, ["S1:", "S2 :", "S3:", "S4:", "S5:"]);
    }
}

//! Statements of one line, the first of which went.
//!
//! ```c
//! t[i] = in[i]; if (i >= 4) out[i] += t[i]; u += in[i];         if (i >= 4) out[i] += in[i];
//!                                                               u += in[i];
//! ```
//!
//! Compilers warn where a line begins with a condition or a loop that a statement follows which is not its own (`-Wmisleading-indentation`). Lines of the source stay.

use super::edit::in_line_endings_of;
use super::indent::indent_at;
use polyfold_c::code::{Kind, Token, closing, tokens};
use polyfold_c::source::Span;
use std::collections::BTreeSet;

/// A new text with each such statement in a line of its own.
pub(crate) fn with_lines_apart(source: &str, mut text: String) -> String {
    let known: BTreeSet<&str> = source.lines().collect();
    while let Some((between, indent)) = first_gap(&known, &text) {
        let line = in_line_endings_of(&text, &format!("\n{indent}"));
        text.replace_range(between, &line);
    }
    text
}

/// What stands between a statement and the next one in its line, and how deep the line stands.
fn first_gap(known: &BTreeSet<&str>, text: &str) -> Option<(Span, String)> {
    let all = tokens(text, &(0..text.len()));
    let line_of = |k: usize| text[..all[k].at].rfind('\n').map_or(0, |n| n + 1);
    let begins = |k: usize| k == 0 || all[k - 1].at < line_of(k);
    let is_new = |k: usize| text[line_of(k)..].lines().next().is_some_and(|line| !known.contains(line));
    let begins_line = |k: &usize| (is_head(&all[*k]) || is_else(&all[*k])) && begins(*k) && is_new(*k);
    (0..all.len()).filter(begins_line).find_map(|k| {
        let next = end_of_statement(&all, k + usize::from(is_else(&all[k])))?;
        let (last, other) = (all[next - 1].span().end, all.get(next)?);
        let is_beside = line_of(k) == line_of(next) && !other.is('}') && other.kind != Kind::Directive;
        let gap = text[last..].len() - text[last..].trim_start_matches([' ', '\t']).len();
        is_beside.then(|| (last..last + gap, indent_at(text, all[k].at).to_string()))
    })
}

fn is_head(token: &Token) -> bool {
    ["if", "for", "while"].contains(&token.text)
}

fn is_else(token: &Token) -> bool {
    token.text == "else"
}

/// The token behind a statement without braces that begins with a head; `None`: it has some.
fn end_of_statement(all: &[Token], mut at: usize) -> Option<usize> {
    while all.get(at).is_some_and(is_head) {
        at = closing(all, at + 1)? + 1;
    }
    let length = all[at..].iter().position(|token| token.is_any(&[';', '{', '}']))?;
    let next = at + length + 1;
    match all.get(next) {
        _ if !all[at + length].is(';') => None,
        Some(other) if is_else(other) => end_of_statement(all, next + 1),
        _ => Some(next),
    }
}

#[cfg(test)]
mod tests {
    use super::with_lines_apart;

    fn of(text: &str) -> String {
        with_lines_apart("", text.to_string())
    }

    #[test]
    fn statements_behind_conditions_have_lines() {
        assert_eq!(of("{\n  if (a) b; c; d;\n}"), "{\n  if (a) b;\n  c; d;\n}");
        assert_eq!(of("{\r\n\tfor (;;) if (a) b; else c; d;\r\n}"), "{\r\n\tfor (;;) if (a) b; else c;\r\n\td;\r\n}");
        assert_eq!(of("if (a) b; /* c */ d;"), "if (a) b;\n/* c */ d;");
        assert_eq!(of("if (a)\n  b;\nelse c; d;"), "if (a)\n  b;\nelse c;\nd;");
        assert_eq!(of("  if (a) b; else if (c) d; if (e) f; g;"), "  if (a) b; else if (c) d;\n  if (e) f;\n  g;");
    }

    #[test]
    fn others_stay() {
        for text in [
            "  a; if (b) c; d;",
            "{ if (a) b; }",
            "if (a) { b; } c;",
            "if (a)\n  b;\nc;",
            "if (a) b; // c; d;\n",
            "/*\nif (a) b; c;\n*/",
        ] {
            assert_eq!(of(text), text);
        }
        let line = "if (a) b; c;";
        assert_eq!(with_lines_apart(line, line.to_string()), line);
    }
}

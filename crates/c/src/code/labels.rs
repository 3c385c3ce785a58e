//! Labels of statements.
//!
//! Example: `S1: S2: x = c ? a : b;` has two.

use super::{Kind, Token, tokens};
use crate::source::Span;

/// Labels, such as `S1:`.
pub fn labels(source: &str, span: &Span) -> Vec<Span> {
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
pub fn begins_statement(tokens: &[&Token], at: usize) -> bool {
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

#[cfg(test)]
mod tests {
    use super::labels;

    #[test]
    fn operands_of_ternaries_are_no_labels() {
        let text =
            "S1: S2 : x = c ? (int)a : b; y = p ? q ? r : s : t; if (n) S3: z = (f)(u) ? v : w; else S4: { S5: ; }";
        let found: Vec<&str> = labels(text, &(0..text.len())).into_iter().map(|span| &text[span]).collect();
        assert_eq!(found, ["S1:", "S2 :", "S3:", "S4:", "S5:"]);
    }
}

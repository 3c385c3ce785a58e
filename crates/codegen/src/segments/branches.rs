//! The text of an `if`, by its pieces.

use crate::edit::{Edit, Edits};
use crate::tokens::{Kind, Token, tokens};
use polyfold_scop::Span;

/// An `if`, by its pieces.
pub(super) struct Branches {
    /// Between its parentheses.
    pub(super) condition: Span,
    pub(super) then: Span,
    pub(super) otherwise: Option<Span>,
}

impl Branches {
    /// `None`: the text is not plainly that of an `if`.
    pub(super) fn of(source: &str, span: &Span) -> Option<Branches> {
        let all = tokens(source, span);
        if all.iter().any(|t| t.kind == Kind::Directive) || all.first()?.text != "if" {
            return None;
        }
        let closing = matching(&all, 1, ('(', ')'))?;
        let then = closing + 1..statement_end(&all, closing + 1)?;
        let behind = all.get(then.end);
        let otherwise = match behind {
            None => None,
            Some(t) if t.text == "else" => Some(all.get(then.end + 1)?.at..span.end),
            Some(_) => return None,
        };
        let then = all[then.start].at..all[then.end - 1].span().end;
        Some(Branches { condition: all[1].at + 1..all[closing].at, then, otherwise })
    }

    /// Leaves one branch of all; one that does nothing gets braces, since it may stand behind `else` then.
    pub(super) fn keep(&self, source: &str, branch: &Span, all: &Span, edits: &mut Edits) {
        if &source[branch.clone()] == ";" {
            edits.push(Edit { span: branch.clone(), text: "{ }".to_string() });
        }
        let around = [all.start..branch.start, branch.end..all.end];
        for span in around.into_iter().filter(|span| !span.is_empty()) {
            edits.drop_inside(std::slice::from_ref(&span));
            edits.push(Edit { span, text: String::new() });
        }
    }
}

/// The end of the statement that begins with a token; `None`: it is not an expression or a block.
fn statement_end(all: &[Token], first: usize) -> Option<usize> {
    if all.get(first)?.is('{') {
        return matching(all, first, ('{', '}')).map(|end| end + 1);
    }
    if ["if", "for", "while", "do", "switch", "goto"].contains(&all[first].text) {
        return None;
    }
    (first..all.len()).find(|at| all[*at].is(';')).map(|end| end + 1)
}

fn matching(all: &[Token], opening: usize, (open, close): (char, char)) -> Option<usize> {
    if !all.get(opening)?.is(open) {
        return None;
    }
    let mut depth = 0;
    (opening..all.len()).find(|at| {
        depth += i32::from(all[*at].is(open)) - i32::from(all[*at].is(close));
        depth == 0
    })
}

//! The parts of a loop's head as text: `for (int i = first; test; next)`.

use super::band::head_of;
use crate::loops::Obstacle;
use crate::tokens::{Kind, Token, closing, tokens, unwrapped};
use polyfold_scop::{Loop, Span};

/// Where the parts of a head are.
pub(super) struct Head {
    /// `first`.
    pub(super) first: Span,
    /// The conjuncts of the test.
    pub(super) tests: Vec<Span>,
}

impl Head {
    pub(super) fn of(source: &str, l: &Loop) -> Result<Head, Obstacle> {
        Head::read(source, l).ok_or_else(|| Obstacle {
            what: format!("the head of the loop of `{}` is not plain text", l.iterator),
            span: head_of(l),
            help: "write it as `for (int i = first; i < bound; i++)`, without comments and macros for parts of it",
        })
    }

    fn read(source: &str, l: &Loop) -> Option<Head> {
        let all = tokens(source, &l.span);
        let opening = all.iter().position(|t| t.is('('))?;
        let closing = closing(&all, opening)?;
        let text = &source[all[opening].at..all[closing].at];
        if text.contains("//") || text.contains("/*") || all[..closing].iter().any(|t| t.kind == Kind::Directive) {
            return None;
        }
        let head = &all[opening + 1..closing];
        let parts: Vec<&[Token]> = head.split(|t| t.is(';')).collect();
        let [declared, test, _] = parts[..] else { return None };
        let equals = declared.iter().position(|t| t.is('='))?;
        let names_counter = equals > 1 && declared[equals - 1].text == l.iterator;
        if !names_counter {
            return None;
        }
        Some(Head { first: span(&declared[equals + 1..])?, tests: conjuncts(test)? })
    }
}

fn span(part: &[Token]) -> Option<Span> {
    Some(part.first()?.at..part.last()?.span().end)
}

/// What `&&` outside parentheses joins.
fn conjuncts(test: &[Token]) -> Option<Vec<Span>> {
    let (mut parts, mut from, mut depth, mut at) = (Vec::new(), 0, 0, 0);
    while at < test.len() {
        depth += i32::from(test[at].is('(')) - i32::from(test[at].is(')'));
        if depth == 0 && test[at].is('&') && test.get(at + 1).is_some_and(|t| t.is('&')) {
            parts.push(span(&test[from..at])?);
            at += 1;
            from = at + 1;
        }
        at += 1;
    }
    parts.push(span(&test[from..])?);
    Some(parts)
}

/// `counter < bound` or the like: the sign, and where the bound is; `None`: a test of another form.
pub(super) fn bound(source: &str, test: &Span, l: &Loop) -> Option<(&'static str, Span)> {
    let all = tokens(source, test);
    let [counter, sign, rest @ ..] = unwrapped(&all) else { return None };
    let may_be_equal = rest.first()?.is('=');
    let rest = if may_be_equal { &rest[1..] } else { rest };
    let sign = match (sign.is('<'), sign.is('>'), may_be_equal) {
        (true, _, false) => "<",
        (true, _, true) => "<=",
        (_, true, false) => ">",
        (_, true, true) => ">=",
        _ => return None,
    };
    let names_counter = rest.iter().any(|t| t.text == l.iterator);
    (counter.text == l.iterator && !names_counter && sign.starts_with('<') == (l.step > 0)).then_some(())?;
    Some((sign, span(rest)?))
}

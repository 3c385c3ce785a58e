//! Statements that assign the same, but for the target and what subscripts say.
//!
//! Example: `P[i][j] = 2 * in[i][j];` and `Q[k][l] = 2 * in[k][l];`.

use crate::tokens::{Kind, Token, tokens};
use polyfold_scop::{Scop, StatementId};

/// Whether two statements are assignments whose right sides read the same: without calls, counters outside of subscripts, and accesses that macros make.
pub fn assign_alike(source: &str, scop: &Scop, one: StatementId, other: StatementId) -> bool {
    let (first, second) = (right_side(source, scop, one), right_side(source, scop, other));
    first.is_some_and(|first| second.is_some_and(|second| first == second))
}

/// The words and signs behind `=`, subscripts left out; `None`: it is more than a plain assignment.
fn right_side<'s>(source: &'s str, scop: &Scop, id: StatementId) -> Option<Vec<&'s str>> {
    let statement = scop.statement(id);
    if statement.accesses.iter().any(|access| access.place.fragment.is_some()) {
        return None;
    }
    let is_in_subscripts = |token: &Token| {
        let reads = statement.accesses.iter().filter(|access| access.is_read());
        reads.flat_map(|access| &access.subscript_spans).any(|span| span.contains(&token.at))
    };
    let all = tokens(source, &statement.span);
    let target = statement.accesses.iter().find(|access| access.is_write())?.place.span.end;
    let behind: Vec<&Token> = all.iter().filter(|token| token.at >= target).collect();
    let ([sign, right @ ..], true) = (&behind[..], all.iter().all(|token| token.kind != Kind::Directive)) else {
        return None;
    };
    let is_plain = sign.is('=') && !right.iter().any(|token| token.is('='));
    let is_call = |pair: &[&Token]| pair[0].kind == Kind::Word && pair[1].is('(');
    let is_counter = |token: &&&Token| scop.loops().iter().any(|l| l.iterator == token.text);
    let right: Vec<&Token> = right.iter().copied().filter(|token| !is_in_subscripts(token)).collect();
    let says_all = is_plain && !right.windows(2).any(is_call) && !right.iter().any(|token| is_counter(&token));
    says_all.then(|| right.iter().map(|token| token.text).collect())
}

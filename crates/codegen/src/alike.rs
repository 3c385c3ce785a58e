//! Statements that assign the same, but for the target and what subscripts say.
//!
//! Example: `P[i][j] = 2 * in[i][j];` and `Q[k][l] = 2 * in[k][l];`.
//!
//! Words say the same at both places only if each is a number, a type, a size, or part of what is read: a macro may stand for a counter, or for something else each
//! time (`__LINE__`).

use crate::tokens::{Kind, Token, tokens};
use crate::types::is_number;
use polyfold_scop::{ParameterOrigin, Scop, Statement, StatementId};

/// Whether two statements are assignments whose right sides read the same: without calls, macros, and counters outside of subscripts.
pub fn assign_alike(source: &str, scop: &Scop, one: StatementId, other: StatementId) -> bool {
    let (first, second) = (right_side(source, scop, one), right_side(source, scop, other));
    first.is_some_and(|first| second.is_some_and(|second| first == second))
}

/// The words and signs behind `=`, subscripts left out; `None`: it is more than a plain assignment.
fn right_side<'s>(source: &'s str, scop: &Scop, id: StatementId) -> Option<Vec<&'s str>> {
    let statement = scop.statement(id);
    // What a directive or an enumerator in between defines may be the same word with another meaning.
    let defines = |token: &Token| {
        let is_directive = token.kind == Kind::Directive && !token.text.contains("pragma");
        is_directive || token.text == "enum" || token.text == "typedef"
    };
    let has_fragments = statement.accesses.iter().any(|access| access.place.fragment.is_some());
    if has_fragments || tokens(source, &scop.span).iter().any(defines) {
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
    let right: Vec<&Token> = right.iter().copied().filter(|token| !is_in_subscripts(token)).collect();
    let says_all = is_plain && right.iter().all(|token| says_itself(scop, statement, token));
    says_all.then(|| right.iter().map(|token| token.text).collect())
}

fn says_itself(scop: &Scop, statement: &Statement, token: &Token) -> bool {
    let is_size = || {
        let mut sizes = scop.parameters.iter().filter(|p| p.origin == ParameterOrigin::Variable);
        sizes.any(|size| size.name == token.text) && !scop.loops().iter().any(|l| l.iterator == token.text)
    };
    let is_read = || statement.accesses.iter().any(|a| a.is_read() && a.place.span.contains(&token.at));
    match token.kind {
        Kind::Word => {
            token.text.starts_with(|c: char| c.is_ascii_digit() || c == '.')
                || is_number(token.text)
                || is_read()
                || is_size()
        }
        Kind::Sign(_) | Kind::Quoted => true,
        Kind::Directive => false,
    }
}

//! Declarations that go with the statements that used what they declare.
//!
//! ```text
//! {                                      nobody reads t any more:
//!   const double d = x[i] - x[i - 1];
//!   t[i] = d * d;                        both go
//! }
//! ```
//!
//! A declaration stays if its initializer does more than read, if it has none, if one of the variables that it declares is still mentioned, be it by
//! a macro or in a directive, and if it has a label.
//!
//! So do conditions go of which no branch is left. They stay if they are the last to read an array, which compilers would warn of.

use crate::defines::{is_in_a_directive, with_macros};
use crate::removal::{idle_conditions, stands_in_a_block};
use crate::tokens::{Kind, Token, tokens};
use polyfold_scop::{Array, ArrayId, Scop, Span, StatementId, StatementKind};
use std::collections::BTreeSet;

/// The statements in `gone`, the declarations that nothing else uses, and the conditions of nothing else.
pub(crate) fn with_idle(source: &str, scop: &Scop, mut gone: Vec<StatementId>) -> Vec<StatementId> {
    loop {
        let declarations = (0..scop.statements.len())
            .map(StatementId)
            .filter(|id| scop.statement(*id).kind == StatementKind::Declaration && !gone.contains(id));
        let mut idle: Vec<StatementId> = declarations.filter(|id| is_idle(source, scop, *id, &gone)).collect();
        let conditions = idle_conditions(source, scop, &scop.body, &gone);
        idle.extend(conditions.into_iter().find(|id| !reads_last(scop, *id, &gone)));
        if idle.is_empty() {
            return gone;
        }
        gone.extend(idle);
    }
}

/// Whether a statement reads a temporary array that no other one reads.
fn reads_last(scop: &Scop, id: StatementId, gone: &[StatementId]) -> bool {
    let others = (0..scop.statements.len()).map(StatementId).filter(|other| *other != id && !gone.contains(other));
    let reads = |id: StatementId| {
        scop.statement(id).accesses.iter().filter(|access| access.is_read()).map(|access| access.array)
    };
    let read: BTreeSet<ArrayId> = others.flat_map(reads).collect();
    let is_plain_array = |id: &ArrayId| scop.array(*id).is_temporary() && !scop.array(*id).is_scalar();
    reads(id).any(|array| is_plain_array(&array) && !read.contains(&array))
}

fn is_idle(source: &str, scop: &Scop, id: StatementId, gone: &[StatementId]) -> bool {
    let span = &scop.statement(id).span;
    let is_here = |array: &&Array| array.declaration.as_ref().is_some_and(|d| d.statement == *span);
    let declared: Vec<&Array> = scop.arrays.iter().filter(is_here).collect();
    let is_own = |id: ArrayId| declared.iter().any(|own| std::ptr::eq(*own, scop.array(id)));
    let writes_others = scop.statement(id).accesses.iter().any(|access| access.is_write() && !is_own(access.array));
    let siblings = declared.first().and_then(|array| array.declaration.as_ref()).map_or(0, |d| d.siblings);
    let is_accessed = |other: StatementId| {
        let accesses = &scop.statement(other).accesses;
        other != id && !gone.contains(&other) && accesses.iter().any(|access| is_own(access.array))
    };
    let used = with_macros(source, mentions_behind(source, scop, span, gone));
    declared.len() == siblings
        && siblings > 0
        && !writes_others
        && stands_in_a_block(source, &scop.span, span)
        && !(0..scop.statements.len()).map(StatementId).any(is_accessed)
        && declared
            .iter()
            .all(|array| !used.contains(array.name.as_str()) && !is_in_a_directive(source, scop, &array.name))
}

/// The words from the end of a declaration to that of its block, which may be behind the scop, but for those of the statements in `gone`.
fn mentions_behind<'a>(source: &'a str, scop: &Scop, span: &Span, gone: &[StatementId]) -> BTreeSet<&'a str> {
    let is_gone = |token: &Token| gone.iter().any(|id| scop.statement(*id).span.contains(&token.at));
    let mut depth = 0;
    let is_inside = |token: &Token| {
        depth += i32::from(token.is('{')) - i32::from(token.is('}'));
        depth >= 0
    };
    let behind = tokens(source, &(span.end..source.len())).into_iter().take_while(is_inside);
    behind.filter(|token| token.kind == Kind::Word && !is_gone(token)).map(|token| token.text).collect()
}

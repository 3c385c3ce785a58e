//! Declarations that go with the statements that used what they declare.
//!
//! ```text
//! {                                      nobody reads t any more:
//!   const double d = x[i] - x[i - 1];
//!   t[i] = d * d;                        both go
//! }
//! ```
//!
//! A declaration stays if its initializer does more than read, if it has none, if it declares something that is still mentioned, be it in a directive of
//! the file, and if it has a label.

use crate::loops::may_capture;
use crate::removal::stands_in_a_block;
use crate::tokens::{Kind, Token, tokens};
use polyfold_scop::{Array, ArrayId, Scop, Span, StatementId, StatementKind};

/// The statements in `gone`, and the declarations that nothing else uses.
pub(crate) fn with_idle_declarations(source: &str, scop: &Scop, mut gone: Vec<StatementId>) -> Vec<StatementId> {
    loop {
        let declarations = (0..scop.statements.len())
            .map(StatementId)
            .filter(|id| scop.statement(*id).kind == StatementKind::Declaration && !gone.contains(id));
        let idle: Vec<StatementId> = declarations.filter(|id| is_idle(source, scop, *id, &gone)).collect();
        if idle.is_empty() {
            return gone;
        }
        gone.extend(idle);
    }
}

fn is_idle(source: &str, scop: &Scop, id: StatementId, gone: &[StatementId]) -> bool {
    let span = &scop.statement(id).span;
    let is_here = |array: &&Array| array.declaration.as_ref().is_some_and(|d| d.statement == *span);
    let declared: Vec<&Array> = scop.arrays.iter().filter(is_here).collect();
    let is_own = |id: ArrayId| declared.iter().any(|own| std::ptr::eq(*own, scop.array(id)));
    let writes_others = scop.statement(id).accesses.iter().any(|access| access.is_write() && !is_own(access.array));
    let siblings = declared.first().and_then(|array| array.declaration.as_ref()).map_or(0, |d| d.siblings);
    let used = mentions_behind(source, scop, span, gone);
    declared.len() == siblings
        && siblings > 0
        && !writes_others
        && stands_in_a_block(source, &scop.span, span)
        && declared.iter().all(|array| !used.contains(&array.name.as_str()) && !may_capture(source, scop, &array.name))
}

/// The words from the end of a declaration to that of its block, which may be behind the scop, but for those of the statements in `gone`.
fn mentions_behind<'a>(source: &'a str, scop: &Scop, span: &Span, gone: &[StatementId]) -> Vec<&'a str> {
    let is_gone = |token: &Token| gone.iter().any(|id| scop.statement(*id).span.contains(&token.at));
    let mut depth = 0;
    let is_inside = |token: &Token| {
        depth += i32::from(token.is('{')) - i32::from(token.is('}'));
        depth >= 0
    };
    let behind = tokens(source, &(span.end..source.len())).into_iter().take_while(is_inside);
    behind.filter(|token| token.kind == Kind::Word && !is_gone(token)).map(|token| token.text).collect()
}

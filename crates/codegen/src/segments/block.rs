//! Blocks for what stands in front of a loop.

use super::Segments;
use crate::tokens::{Token, tokens};
use polyfold_scop::Span;

/// Where a block stands.
pub(super) struct Block {
    pub(super) span: Span,
    pub(super) opening: String,
    pub(super) indent: String,
    pub(super) closing: String,
}

impl Segments<'_> {
    /// A block in the loop's place: that of the loop around, if nothing else is in it.
    pub(super) fn block(&self) -> Block {
        let (source, Span { start, end }) = (self.accesses.source, self.inside.node.span.clone());
        let own = self.indent();
        let before = source[..start].trim_end();
        let last = tokens(source, &(self.accesses.decisions.scop.span.start..start)).last().map(Token::span);
        let is_token = last.is_some_and(|last| last.end == before.len());
        let is_body = is_token && before.ends_with(')');
        let begins_a_line = source[before.len()..start].contains('\n');
        let is_first = is_token && begins_a_line && before.ends_with('{') && self.is_in_a_loop();
        if is_first && source[end..].trim_start().starts_with('}') {
            let line = source[..start].rfind('\n').map_or(start, |n| n + 1);
            let rest = &source[end..];
            let behind = rest.find('\n').filter(|at| rest[..*at].trim().is_empty()).map_or(end, |at| end + at + 1);
            return Block {
                span: line.max(before.len())..behind,
                opening: String::new(),
                indent: own,
                closing: String::new(),
            };
        }
        if is_body && let Some(outer) = own.strip_suffix(self.step.as_str()) {
            let (opening, closing) = (" {\n".to_string(), format!("{outer}}}"));
            return Block { span: before.len()..end, opening, indent: own.clone(), closing };
        }
        let (indent, closing) = (format!("{own}{}", self.step), format!("{own}}}"));
        Block { span: start..end, opening: "{\n".to_string(), indent, closing }
    }

    /// Whether a loop is around: its block is no other one's.
    pub(super) fn is_in_a_loop(&self) -> bool {
        let scop = self.accesses.decisions.scop;
        let statement = self.inside.statements.first();
        statement.is_some_and(|id| scop.statement(*id).loops.len() > 1)
    }
}

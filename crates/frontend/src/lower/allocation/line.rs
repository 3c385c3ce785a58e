//! Whether an allocation is in front of the scop, in straight line with it: whoever gets to the scop has been there.

use super::{Search, inner};
use crate::lower::facts::scop_range;
use polyfold_c::syntax::{Statement, StatementKind};
use polyfold_scop::Span;

impl Search<'_> {
    /// Whether a statement is in a block around the scop, in front of it.
    pub(super) fn is_in_line(&self, wanted: &Statement) -> bool {
        let scop = scop_range(self.site);
        let mut around = Some(&self.site.function.body);
        while let Some(statement) = around {
            let parts = inner(statement);
            let is_block = matches!(statement.kind, StatementKind::Block(_));
            if is_block && parts.iter().any(|part| std::ptr::eq(*part, wanted)) {
                return wanted.span.end <= scop.start;
            }
            around = parts.into_iter().find(|part| part.span.start <= scop.start && scop.end <= part.span.end);
        }
        false
    }

    /// A label between the allocation and what holds the scop, or in that: who comes from there may bring other memory along.
    pub(super) fn way_around(&self, statement: &Statement, own: &Statement) -> Option<usize> {
        let scop = scop_range(self.site);
        let parts = inner(statement);
        if let Some(place) = parts.iter().position(|part| std::ptr::eq(*part, own)) {
            let with_scop = parts.iter().position(|part| part.span.start <= scop.start && scop.end <= part.span.end);
            let end = with_scop.map_or(scop.end, |with_scop| parts[with_scop].span.end);
            let between = parts[place + 1..].iter().take_while(|part| part.span.start < end);
            return between.into_iter().find_map(|part| self.label(part, &scop));
        }
        parts.into_iter().find_map(|part| self.way_around(part, own))
    }

    /// A label outside the scop.
    fn label(&self, statement: &Statement, scop: &Span) -> Option<usize> {
        let text = self.site.expanded.text.get(statement.span.clone()).unwrap_or("");
        let is_label = match &statement.kind {
            StatementKind::Label(..) | StatementKind::Other("this construct", ..) => true,
            StatementKind::Empty => text.contains(':'),
            _ => false,
        };
        let start = statement.span.start;
        if is_label && !scop.contains(&start) {
            return Some(start);
        }
        inner(statement).into_iter().find_map(|part| self.label(part, scop))
    }
}

//! Statements that stand for several: one for each place of what they write, under an `if`.

use super::text::Written;
use crate::edit::{Edit, Edits};
use crate::removal::{assigns_to_itself, stands_in_a_block};
use polyfold_scop::{Span, StatementId};

/// A statement whose write goes to several places, or to none.
pub(super) struct Split {
    pub(super) statement: StatementId,
    /// Its left side.
    pub(super) write: Span,
    pub(super) cases: Vec<Written>,
}

impl Split {
    /// The statement at `span` once for each case; `edits` are the other changes of the text.
    pub(super) fn in_c(&self, source: &str, scop: &Span, span: &Span, edits: &Edits) -> String {
        let line = source[..span.start].rfind('\n').map_or(0, |n| n + 1);
        let indent: String = source[line..].chars().take_while(|c| c.is_whitespace()).collect();
        let is_in_block = stands_in_a_block(source, scop, span);
        let outer = if is_in_block { indent.clone() } else { format!("{indent}  ") };
        let (dropped, cases): (Vec<&Written>, Vec<&Written>) = self.cases.iter().partition(|case| case.text.is_none());
        let mut text = String::new();
        for (at, case) in cases.iter().enumerate() {
            let mut own = edits.clone();
            own.push(Edit { span: self.write.clone(), text: case.text.clone().unwrap_or_default() });
            let head = match (at, at + 1 == cases.len() && dropped.is_empty()) {
                (0, _) => format!("if ({})", case.condition),
                (_, false) => format!("\n{outer}else if ({})", case.condition),
                (_, true) => format!("\n{outer}else"),
            };
            let statement = own.apply_within(source, span);
            let statement = if assigns_to_itself(&statement) { "{ }" } else { &statement };
            text.push_str(&format!("{head}\n{outer}  {statement}"));
        }
        // What stands behind it in its line would look like a part of the last branch.
        let behind = source[span.end..].lines().next().unwrap_or_default().trim_start();
        let has_more = !behind.is_empty() && !behind.starts_with('}') && !behind.starts_with('/');
        if is_in_block && has_more {
            format!("{text}\n{indent}")
        } else if is_in_block {
            text
        } else {
            format!("{{\n{outer}{text}\n{indent}}}")
        }
    }
}

//! Statements that go: those whose results nobody reads, and those that a mapping turns into `y = y;`.
//!
//! `y[i][k] = y[i][k - 1];` does nothing where the two cells share storage, and compilers warn of `y = y;`.
//!
//! A statement between others goes with its line; what is the body of a loop or has a label leaves `{ }`.

use crate::Decisions;
use crate::edit::{Edit, Edits};
use crate::tokens::{Kind, Token, tokens, unwrapped};
use polyfold_scop::{Span, StatementId, StatementKind};

/// Statements that, as changed by `region`, assign a cell to itself and do nothing else.
pub(crate) fn copies_to_themselves(source: &str, decisions: &Decisions, region: &Edits) -> Vec<StatementId> {
    let is_mapped = |id| decisions.mapped.iter().any(|m| m.array() == id);
    let ids = (0..decisions.scop.statements.len()).map(StatementId).filter(|id| !decisions.dead.contains(id));
    ids.filter(|id| {
        let statement = decisions.scop.statement(*id);
        statement.kind == StatementKind::Assignment
            && statement.accesses.iter().any(|a| a.is_write() && is_mapped(a.array))
            && assigns_to_itself(&region.apply_within(source, &statement.span))
    })
    .collect()
}

/// `y = y;`, parentheses aside.
fn assigns_to_itself(statement: &str) -> bool {
    let tokens = tokens(statement, &(0..statement.len()));
    let [inner @ .., end] = &tokens[..] else { return false };
    let Some(equals) = inner.iter().position(|t| t.is('=')) else { return false };
    let (left, right) = (&inner[..equals], &inner[equals + 1..]);
    let is_compound = left.last().is_none_or(|t| t.is_any(&['+', '-', '*', '/', '%', '&', '|', '^', '<', '>', '!']));
    let texts = |side: &[Token]| unwrapped(side).iter().map(|t| t.text.to_string()).collect::<Vec<_>>();
    end.is(';') && !is_compound && texts(left) == texts(right)
}

/// Takes a statement away; `mentions` stand in its place.
pub(crate) fn removal(source: &str, scop: &Span, statement: &Span, mentions: &str) -> Edit {
    let before = tokens(source, &(scop.start..statement.start));
    let stands_in_a_block = before.last().is_none_or(|t| t.kind != Kind::Directive && t.is_any(&['{', '}', ';']));
    match own_lines(source, scop, statement) {
        Some(lines) if stands_in_a_block && mentions.is_empty() => Edit { span: lines, text: String::new() },
        _ => Edit { span: statement.clone(), text: format!("{{ {mentions}}}") },
    }
}

/// The lines of a statement that shares them with nothing.
fn own_lines(source: &str, scop: &Span, statement: &Span) -> Option<Span> {
    let start = source[scop.start..statement.start].rfind('\n').map_or(scop.start, |n| scop.start + n + 1);
    let end = source[statement.end..scop.end].find('\n').map(|n| statement.end + n + 1)?;
    let is_alone = [start..statement.start, statement.end..end].into_iter().all(|s| source[s].trim().is_empty());
    is_alone.then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_a_cell_to_itself() {
        for text in ["y = y;", "y[0] = (y [0]);", "(y) = ((y));", "y[(k + 1) % 2] = y[(k + 1) % 2];"] {
            assert!(assigns_to_itself(text), "{text}");
        }
        for text in ["y = -y;", "y += y;", "y = y + y;", "y = x = y;", "y <<= y;", "y = (y) + (y);", "y == y;", ";"] {
            assert!(!assigns_to_itself(text), "{text}");
        }
    }

    #[test]
    fn a_body_leaves_braces() {
        let text = "{\n  a;\n  b; c;\n  L: d;\n  for (;;)\n    e;\n}\n";
        let edit = |name: &str| {
            let at = text.find(name).unwrap();
            removal(text, &(0..text.len()), &(at..at + 2), "")
        };
        assert_eq!(edit("a;"), Edit { span: 2..7, text: String::new() });
        for name in ["b;", "c;", "d;", "e;"] {
            assert_eq!(edit(name).text, "{ }", "{name}");
        }
    }
}

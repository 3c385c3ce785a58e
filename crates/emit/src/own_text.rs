//! The text that a source has for each of its statements, to be printed in another place.
//!
//! The idea: a statement keeps its own bytes. A comment belongs to the statement behind it, or to the one in front of it in its line.
//! So both go where the statement goes.
//!
//! ```text
//! /* the left border */
//! A[0] = 1;  // once                   both comments are those of the statement
//! ```

use crate::reshaped::indents;
use polyfold_c::written::{Comment, comments};
use polyfold_program::{Cond, Piece, Program, StatementId, Stmt, Written};
use std::collections::{BTreeMap, BTreeSet};

/// What a source has for a statement.
pub(crate) struct OwnText<'s> {
    /// The statement as it was: an assignment, or one that isn't understood.
    pub(crate) before: &'s Stmt,
    pub(crate) written: &'s Written,
    /// What its lines begin with.
    pub(crate) indent: &'s str,
    /// Conditions around it, outermost first.
    pub(crate) conditions: Vec<(&'s Cond, &'s Written)>,
    /// Comments on lines of their own in front of it.
    pub(crate) above: Vec<String>,
    /// Comments behind it, if it is the last one.
    pub(crate) below: Vec<String>,
    /// A comment in its line.
    pub(crate) beside: Option<String>,
}

/// By statement. There is none for a declaration of several variables, which is several assignments of one statement.
pub(crate) fn own_texts<'s>(program: &'s Program, written: &'s Written) -> BTreeMap<StatementId, OwnText<'s>> {
    let mut reading = Reading::default();
    reading.list(&program.body, written, "");
    let Reading { mut found, several, above, written_last, .. } = reading;
    if let Some(own) = written_last.and_then(|id| found.get_mut(&id)) {
        own.below.extend(above);
    }
    found.retain(|id, _| !several.contains(id));
    found
}

#[derive(Default)]
struct Reading<'s> {
    found: BTreeMap<StatementId, OwnText<'s>>,
    conditions: Vec<(&'s Cond, &'s Written)>,
    /// Comments that belong to the next statement.
    above: Vec<String>,
    last: Option<StatementId>,
    /// Of all.
    written_last: Option<StatementId>,
    several: BTreeSet<StatementId>,
}

impl<'s> Reading<'s> {
    fn list(&mut self, list: &'s [Stmt], written: &'s Written, around: &'s str) {
        let indents = indents(written, around);
        let last = written.pieces.iter().rposition(|piece| matches!(piece, Piece::Part(_)));
        let mut at = 0;
        for (place, piece) in written.pieces.iter().enumerate() {
            match piece {
                Piece::Text(text) => self.text(text, last.is_some_and(|last| last < place)),
                Piece::Part(k) => {
                    let indent = indents.get(at).copied().unwrap_or(around);
                    self.stmt(&list[*k], &written.parts[*k], indent);
                    at += 1;
                }
            }
        }
        self.last = None;
    }

    /// `is_end`: no statement of the list comes behind it.
    fn text(&mut self, text: &str, is_end: bool) {
        for Comment { text, is_in_first_line } in comments(text) {
            match self.last.and_then(|id| self.found.get_mut(&id)) {
                Some(own) if is_in_first_line && own.beside.is_none() => own.beside = Some(text),
                Some(own) if is_end => own.below.push(text),
                _ => self.above.push(text),
            }
        }
    }

    fn stmt(&mut self, stmt: &'s Stmt, written: &'s Written, indent: &'s str) {
        let Some((id, _)) = stmt.instance() else {
            let is_condition = matches!(stmt, Stmt::If { .. });
            if let Stmt::If { cond, .. } = stmt {
                self.conditions.push((cond, &written.parts[0]));
            }
            let (inner, lists) = (indents(written, indent), stmt.lists());
            self.last = None;
            for piece in &written.pieces {
                match piece {
                    // Between a head and its body, or in front of `else`.
                    Piece::Text(text) => self.text(text, false),
                    Piece::Part(0) => {}
                    Piece::Part(k) => {
                        let within = inner.get(*k).copied().unwrap_or(indent);
                        self.list(lists[k - 1], &written.parts[*k], within);
                    }
                }
            }
            if is_condition {
                self.conditions.pop();
            }
            return;
        };
        let (above, conditions) = (std::mem::take(&mut self.above), self.conditions.clone());
        let own = OwnText { before: stmt, written, indent, conditions, above, below: Vec::new(), beside: None };
        // One declaration of several variables is several assignments of one statement.
        if self.found.insert(id, own).is_some() {
            self.several.insert(id);
        }
        (self.last, self.written_last) = (Some(id), Some(id));
    }
}

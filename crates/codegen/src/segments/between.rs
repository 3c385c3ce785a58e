//! Rows that statements between loops share with these.
//!
//! What stands around an innermost loop often uses its rows, such as the border of a grid. A pointer in front of both finds each of
//! them once:
//!
//! ```c
//! for (int j = 1; j < n - 1; j++) {
//!   double *a_row0 = a[a_at0][j];
//!   const double *a_row1 = a[a_at1][j];
//!   a_row0[0] = a_row1[0];
//!   for (int k = 1; k < n - 1; k++)
//!     a_row0[k] = f(a_row1[k]);
//!   a_row0[n - 1] = a_row1[n - 1];
//! }
//! ```
//!
//! Only rows of statements that run in each turn are: a place that nobody asks for may not be in the array.

use super::Segments;
use super::found::mentions;
use super::pointed::{Fixed, PointedRow, UsedRow, Wanted, pointers, positions};
use crate::accesses::{FoundRow, View};
use crate::home::free_name;
use crate::rows::Rows;
use crate::subscript::Positions;
use polyfold_isl::Result;
use polyfold_scop::{Certainty, Node, StatementId};

impl Segments<'_> {
    /// The rows that each turn of the loop uses by itself, and loops inside go through; `fixed`: what else gets a name in a turn;
    /// `others`: rows that have a pointer.
    pub(super) fn rows_between(&self, fixed: &[Fixed], others: &[PointedRow]) -> Result<Vec<PointedRow>> {
        let own: Vec<StatementId> = self.inside.node.body.iter().filter_map(statement).collect();
        if own.is_empty() || !self.has_no_continue() {
            return Ok(Vec::new());
        }
        let mut positions = positions(fixed);
        positions.0.extend(self.known.positions.0.clone());
        let (statements, rows) = (Some(&self.inside.statements[..]), &Rows::default());
        let found = self.accesses.rows(&View { statements, positions: &positions, rows, part: None })?;
        let names: Vec<String> =
            self.known.names.iter().chain(fixed.iter().map(|fixed| &fixed.name)).cloned().collect();
        let scop = self.accesses.decisions.scop;
        let moves = |row: &FoundRow| self.inside.inner.iter().any(|l| mentions(&row.last, &l.iterator));
        let is_shared = |row: &&FoundRow| {
            let is_new = self.known.rows.iter().chain(others).all(|known| known.row != row.row);
            let is_sure = row.access.condition.is_always() && row.access.certainty == Certainty::Must;
            let is_gone_through = || found.iter().any(|other| other.row == row.row && moves(other));
            own.contains(&row.statement)
                && is_new
                && is_sure
                && is_gone_through()
                && self.is_plain_row(&row.row, &names)
        };
        let used = found.iter().filter(is_shared).map(|row| UsedRow {
            row: row.row.clone(),
            place: self.place_of(row),
            array: scop.array(row.access.array),
            is_written: self.may_be_written(&row.row, found.iter()),
            moves: true,
        });
        let free = |wanted: &str| free_name(wanted, scop, self.accesses.source);
        let wanted = Wanted { fixed, known: &self.known.names, rows: &[] };
        Ok(pointers(&wanted, self.known.rows.len() + others.len(), used.collect(), free))
    }
}

fn statement(node: &Node) -> Option<StatementId> {
    match node {
        Node::Statement(id) => Some(*id),
        Node::Guard(_) | Node::Loop(_) => None,
    }
}

impl Segments<'_> {
    /// Whether some statement inside writes a row, or may do so in a part of its loop that settles where it writes.
    pub(super) fn may_be_written<'f>(&self, row: &str, mut found: impl Iterator<Item = &'f FoundRow>) -> bool {
        let may_write = |found: &FoundRow| {
            found.access.is_write() && (found.row == row || found.row.contains('?') && found.row.contains(row))
        };
        found.any(may_write) || self.has_scattered_writes_to(row)
    }

    /// Whether writes that may go to several places may go to a row.
    pub(super) fn has_scattered_writes_to(&self, row: &str) -> bool {
        let (positions, rows) = (&Positions::default(), &Rows::default());
        let view = View { statements: Some(&self.inside.statements), positions, rows, part: None };
        self.accesses.values(&view).of_scattered_writes().any(|buffer| mentions(row, buffer))
    }
}

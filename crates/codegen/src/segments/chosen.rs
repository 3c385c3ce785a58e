//! Rows that one part of a loop chooses.
//!
//! A pointer in front of a loop needs iterations that use it. Where one part alone goes through a row, it stands in front of that, if
//! that has an iteration:
//!
//! ```c
//! for (; k < n && k <= 3; k++)
//!   a_row0[k] = a_row1[k];
//! if (k < n) {
//!   const double *b_row2 = i >= 2 ? a[a_at0] + 4 : b;
//!   for (; k < n; k++)
//!     a_row0[k] = a_row1[k] + b_row2[k - 4];
//! }
//! ```
//!
//! Only choices are worth that, and parts of more than a few iterations.

use super::Segments;
use super::parts::{Length, Part};
use super::pointed::{PointedRow, PointedRows, UsedRow, Wanted, pointers};
use crate::accesses::FoundRow;
use crate::home::free_name;
use crate::indent::deeper;

impl Segments<'_> {
    /// Pointers to rows that a part chooses and is in throughout (`found`), but those that all parts have.
    pub(super) fn rows_of_part<'f>(
        &self,
        part: &Part,
        found: impl Iterator<Item = &'f FoundRow>,
        names: &[String],
        others: &[PointedRow],
    ) -> Vec<PointedRow> {
        if part.length != Length::Any {
            return Vec::new();
        }
        let scop = self.accesses.decisions.scop;
        let is_new = |row: &str| self.known.rows.iter().chain(others).all(|known| known.row != row);
        let is_chosen = |row: &str| row.contains('?') && is_new(row) && self.is_plain_row(row, names);
        let used = found.filter(|found| is_chosen(&found.row)).map(|found| UsedRow {
            row: found.row.clone(),
            place: self.place_of(found),
            array: scop.array(found.access.array),
            is_written: found.access.is_write() || self.has_scattered_writes_to(&found.row),
            moves: true,
        });
        let free = |wanted: &str| free_name(wanted, scop, self.accesses.source);
        pointers(&Wanted::default(), self.known.rows.len() + others.len(), used.collect(), free)
    }

    /// A part's text, behind its pointers, where it has an iteration; `rows`: those of all parts.
    pub(super) fn behind_rows(
        &self,
        part: &Part,
        rows: &PointedRows,
        text: String,
        (goes_on, indent): (&str, &str),
    ) -> String {
        if part.rows.is_empty() {
            return text;
        }
        let step = &self.step;
        let lines: String = part.rows.iter().map(|row| format!("{indent}{step}{}\n", rows.pointer(row))).collect();
        let test = if part.always { String::new() } else { format!("if ({goes_on}) ") };
        format!("{test}{{\n{lines}{}\n{indent}}}", deeper(&format!("{indent}{text}"), step))
    }
}

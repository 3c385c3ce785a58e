//! Rows that the parts of a loop use.

use super::Segments;
use super::parts::Part;
use super::pointed::PointedRow;
use crate::accesses::{FoundRow, View};
use crate::home::words;
use crate::rows::{RowSpot, Rows, one_of};
use crate::subscript::Positions;
use polyfold_isl::Result;
use polyfold_scop::Certainty;

/// By part: the rows, and whether each iteration of the part is in them.
pub(super) struct FoundRows(Vec<Vec<(FoundRow, bool)>>);

impl Segments<'_> {
    /// The rows of accesses that happen, with names in place of subscripts.
    pub(super) fn found_rows(&self, parts: &[Part], positions: &Positions) -> Result<FoundRows> {
        let mut found = Vec::new();
        for part in parts {
            let (statements, rows) = (Some(&self.inside.statements[..]), &Rows::default());
            let view = View { statements, positions, rows, part: part.operations.as_ref() };
            let (always, never) = self.always_and_never(part)?;
            let rows = self.accesses.rows(&view)?.into_iter().filter(|row| !never.contains(&row.statement));
            let is_sure = |row: &FoundRow| always.contains(&row.statement) && self.is_the_same_throughout(row);
            found.push(rows.map(|row| (row.clone(), is_sure(&row))).collect());
        }
        Ok(FoundRows(found))
    }

    /// Whether an access happens whenever its statement runs, in a row that is the same for all iterations.
    fn is_the_same_throughout(&self, found: &FoundRow) -> bool {
        let access = &found.access;
        access.condition.is_always()
            && access.certainty == Certainty::Must
            && words(&found.row).all(|(_, word)| word != self.head.counter)
    }

    /// What a pointer to a row points to, as its declaration has it: with the names of rows that it may be.
    pub(super) fn place_of(&self, found: &FoundRow) -> String {
        if found.spots.is_empty() {
            return found.row.clone();
        }
        let names: Rows = self.known.rows.iter().map(PointedRow::named).collect();
        let case = |spot: &RowSpot| (spot.condition.clone(), spot.pointed_with(&names));
        one_of(&found.spots.iter().map(case).collect::<Vec<_>>())
    }
}

impl FoundRows {
    pub(super) fn all(&self) -> impl Iterator<Item = &FoundRow> {
        self.0.iter().flatten().map(|(row, _)| row)
    }

    /// The rows that each iteration of a part is in.
    pub(super) fn of_part(&self, part: usize) -> impl Iterator<Item = &FoundRow> {
        self.0[part].iter().filter(|(_, is_sure)| *is_sure).map(|(row, _)| row)
    }

    /// Whether each iteration of the loop is in a row.
    pub(super) fn is_everywhere(&self, row: &str) -> bool {
        self.0.iter().all(|part| part.iter().any(|(own, is_sure)| *is_sure && own.row == row))
    }
}

/// Whether a row, or a place in it, has a name.
pub(super) fn mentions(text: &str, name: &str) -> bool {
    words(text).any(|(_, word)| word == name)
}

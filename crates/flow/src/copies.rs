//! Statements that may be copies of cells.
//!
//! `b[i + 1][j + 1] = a[i][j];` reads one cell and writes another at a constant distance, (-1, -1). Where b stands that far from a
//! in a buffer that both share, the statement copies a cell onto itself, and can go.
//!
//! Paper: SMO (POPL'16) §1, Figure 1(c).

use crate::distinct::constant_difference;
use polyfold_scop::{ArrayId, Certainty, Scop, StatementId, StatementKind};

/// A statement that reads one cell and writes another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Which statement; its text says whether it does no more than copy.
    pub statement: StatementId,
    /// The array that is read.
    pub from: ArrayId,
    /// The array that is written.
    pub to: ArrayId,
    /// The cell that is read minus the cell that is written.
    pub distance: Vec<i64>,
}

/// The assignments of a scop that read one cell and write one of another array with as many dimensions, always as far from it.
pub fn copies(scop: &Scop) -> Vec<Copy> {
    (0..scop.statements.len()).map(StatementId).filter_map(|id| copy(scop, id)).collect()
}

fn copy(scop: &Scop, id: StatementId) -> Option<Copy> {
    let statement = scop.statement(id);
    let [a, b] = &statement.accesses[..] else { return None };
    let (write, read) = if a.is_write() { (a, b) } else { (b, a) };
    let is_sure = write.certainty == Certainty::Must && write.condition.is_always() && read.condition.is_always();
    let is_copy = statement.kind == StatementKind::Assignment && write.is_write() && !read.is_write() && is_sure;
    let (to, from) = (write.subscripts.as_ref()?, read.subscripts.as_ref()?);
    if !is_copy || write.array == read.array || to.len() != from.len() {
        return None;
    }
    let distance = from.iter().zip(to).map(|(x, y)| constant_difference(x, y)).collect::<Option<Vec<i64>>>()?;
    Some(Copy { statement: id, from: read.array, to: write.array, distance })
}

//! Statements that may be copies of cells.
//!
//! `b[i + 1][j + 1] = a[i][j];` reads one cell and writes another at a constant distance, (-1, -1). Where b stands that far from a
//! in a buffer that both share, the statement copies a cell onto itself, and can go. So it can where the arrays stand turned to each
//! other, for `t[j][i] = a[i][j];`: with rows P for the places of cells along each coordinate of a common space,
//!
//! ```text
//! the place that is read − the place that is written = P_a · x(i) − P_b · y(i),   a constant for all turns i of the loops
//! ```
//!
//! Paper: SMO (POPL'16) §1, Figure 1(c).

use crate::distinct::constant_sum;
use polyfold_scop::{ArrayId, Certainty, Expr, Scop, StatementId, StatementKind};

/// A statement that reads one cell and writes another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Which statement; the program says whether it does no more than copy.
    pub statement: StatementId,
    /// The array that is read.
    pub from: ArrayId,
    /// The array that is written.
    pub to: ArrayId,
    read: Vec<Expr>,
    written: Vec<Expr>,
}

impl Copy {
    /// The place that is read minus the place that is written, along one coordinate of a common space, given its coefficients for
    /// the cells of either array; `None` if that changes with the turns of loops, or with sizes.
    pub fn apart(&self, from: &[i64], to: &[i64]) -> Option<i64> {
        if from.len() != self.read.len() || to.len() != self.written.len() {
            return None;
        }
        let negative = to.iter().map(|c| c.checked_neg()).collect::<Option<Vec<i64>>>()?;
        constant_sum(self.read.iter().zip(from.iter().copied()).chain(self.written.iter().zip(negative)))
    }

    /// The cell that is read minus the cell that is written, if that is the same in all turns of the loops.
    pub fn distance(&self) -> Option<Vec<i64>> {
        let unit = |k: usize| (0..self.read.len()).map(|j| i64::from(j == k)).collect::<Vec<_>>();
        (0..self.read.len()).map(|k| self.apart(&unit(k), &unit(k))).collect()
    }
}

/// The assignments of a scop that read one cell and write one of another array.
pub fn copies(scop: &Scop) -> Vec<Copy> {
    (0..scop.statements.len()).map(StatementId).filter_map(|id| copy(scop, id)).collect()
}

fn copy(scop: &Scop, id: StatementId) -> Option<Copy> {
    let statement = scop.statement(id);
    let [a, b] = &statement.accesses[..] else { return None };
    let (write, read) = if a.is_write() { (a, b) } else { (b, a) };
    let is_sure = write.certainty == Certainty::Must && write.condition.is_always() && read.condition.is_always();
    let is_copy = !statement.passes_addresses()
        && statement.kind == StatementKind::Assignment
        && write.is_write()
        && !read.is_write()
        && is_sure;
    let (written, read_cell) = (write.subscripts.as_ref()?, read.subscripts.as_ref()?);
    (is_copy && write.array != read.array).then(|| Copy {
        statement: id,
        from: read.array,
        to: write.array,
        read: read_cell.clone(),
        written: written.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_scop::LoopId;

    #[test]
    fn turned_and_moved_places() {
        let (i, j) = (Expr::Iterator(LoopId(0)), Expr::Iterator(LoopId(1)));
        let moved = vec![j.clone().add(Expr::Constant(2)), i.clone()];
        let (from, to) = (ArrayId(0), ArrayId(1));
        let copy = Copy { statement: StatementId(0), from, to, read: vec![i, j], written: moved };
        assert_eq!(copy.distance(), None);
        assert_eq!(copy.apart(&[1, 0], &[0, 1]), Some(0));
        assert_eq!(copy.apart(&[0, 1], &[1, 0]), Some(-2));
        assert_eq!(copy.apart(&[0, 1], &[0, 1]), None);
        assert_eq!(copy.apart(&[1], &[0, 1]), None, "another number of dimensions");
        assert_eq!(copy.apart(&[0, 0], &[i64::MIN, 0]), None);
    }
}

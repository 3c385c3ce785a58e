//! Whether each read stands behind a write, as a compiler can see.
//!
//! What the analysis proved, compilers do not know: where an array becomes a variable, they warn of `t = i == 0 ? 1 : t + 3`,
//! and of `t[0] = i == 0 ? 1 : t[0] + 3`, too, since they treat cells with fixed subscripts as variables; and of rings, `t[(i - 1) % 3]`,
//! once they have unrolled loops. Such storage gets a value where it is declared. As in a compiler, a loop may run not at all, and of
//! conditions nothing is known.

use polyfold_scop::{ArrayId, Certainty, Node, Scop, StatementId};
use std::collections::{BTreeMap, BTreeSet};

/// How accesses read after the change, by statement and place among its accesses.
pub(crate) type Cells = BTreeMap<(StatementId, usize), String>;

/// Whether every read of a variable, or of a cell with fixed subscripts, is surely preceded by a write; with `all`, the number of cells that
/// there are, also every read of another cell by a write of the same text, which is taken for the same cell though a counter may have changed, or of all cells. Statements in `gone` count for nothing.
pub(crate) fn is_written_before_read(
    scop: &Scop,
    array: ArrayId,
    cells: &Cells,
    gone: &[StatementId],
    all: Option<u64>,
) -> bool {
    let mut walk = Walk { scop, array, cells, gone, all, exposed: false };
    walk.nodes(&scop.body, BTreeSet::new());
    !walk.exposed
}

/// Cells that are surely written.
type Written<'a> = BTreeSet<&'a str>;

struct Walk<'a> {
    scop: &'a Scop,
    array: ArrayId,
    cells: &'a Cells,
    gone: &'a [StatementId],
    all: Option<u64>,
    /// Whether a read was seen that may come first.
    exposed: bool,
}

impl<'a> Walk<'a> {
    /// What is surely written behind the nodes.
    fn nodes(&mut self, nodes: &[Node], written: Written<'a>) -> Written<'a> {
        nodes.iter().fold(written, |written, node| match node {
            Node::Statement(id) if self.gone.contains(id) => written,
            Node::Statement(id) => self.statement(*id, written),
            Node::Loop(l) => {
                self.nodes(&l.body, written.clone());
                written
            }
            Node::Guard(g) => {
                let then = self.nodes(&g.then, written.clone());
                let otherwise = self.nodes(&g.otherwise, written);
                then.intersection(&otherwise).copied().collect()
            }
        })
    }

    fn statement(&mut self, id: StatementId, mut written: Written<'a>) -> Written<'a> {
        let accesses = self.scop.statement(id).accesses.iter().enumerate().filter(|(_, a)| a.array == self.array);
        let cells = self.cells;
        let known: Vec<_> = accesses.filter_map(|(k, a)| Some((a, cells.get(&(id, k))?.as_str()))).collect();
        self.exposed |= known.iter().any(|(a, cell)| a.is_read() && !self.is_written(cell, &written));
        let sure = known.iter().filter(|(a, _)| a.is_write() && a.certainty == Certainty::Must);
        written.extend(sure.filter(|(a, _)| a.condition.is_always()).map(|(_, cell)| *cell));
        written
    }

    fn is_written(&self, cell: &str, written: &Written) -> bool {
        let are_all = |all| written.iter().filter(|cell| is_fixed(cell)).count() as u64 >= all;
        written.contains(cell) || !is_fixed(cell) && self.all.is_none_or(are_all)
    }
}

/// `t` or `t[0][1]`.
fn is_fixed(cell: &str) -> bool {
    cell.split('[').skip(1).all(|subscript| subscript.trim_end_matches(']').bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::is_fixed;

    #[test]
    fn subscripts_may_be_fixed() {
        assert!(is_fixed("t") && is_fixed("t[0]") && is_fixed("t[0][12]"));
        assert!(!is_fixed("t[i]") && !is_fixed("t[0][i - 1]") && !is_fixed("t[3 % n]"));
    }
}

//! Whether each read of an array stands behind a write of it, as a compiler can see.
//!
//! What the analysis proved, compilers do not know: where an array becomes a variable, they warn of `t = i == 0 ? 1 : t + 3`.
//! Such a variable gets a value where it is declared. As in a compiler, a loop may run not at all, and of conditions nothing
//! is known.

use polyfold_scop::{AccessKind, ArrayId, Certainty, Node, Scop, StatementId};

/// Whether every read is surely preceded by a write; statements in `gone` count for nothing.
pub(crate) fn is_written_before_read(scop: &Scop, array: ArrayId, gone: &[StatementId]) -> bool {
    let mut walk = Walk { scop, array, gone, exposed: false };
    walk.nodes(&scop.body, false);
    !walk.exposed
}

struct Walk<'a> {
    scop: &'a Scop,
    array: ArrayId,
    gone: &'a [StatementId],
    /// Whether a read was seen that may come first.
    exposed: bool,
}

impl Walk<'_> {
    /// Whether the array is surely written behind the nodes, if it is before or not.
    fn nodes(&mut self, nodes: &[Node], written: bool) -> bool {
        nodes.iter().fold(written, |written, node| match node {
            Node::Statement(id) if self.gone.contains(id) => written,
            Node::Statement(id) => self.statement(*id, written),
            Node::Loop(l) => {
                self.nodes(&l.body, written);
                written
            }
            Node::Guard(g) => {
                let then = self.nodes(&g.then, written);
                self.nodes(&g.otherwise, written) && then
            }
        })
    }

    fn statement(&mut self, id: StatementId, written: bool) -> bool {
        let mut accesses = self.scop.statement(id).accesses.iter().filter(|a| a.array == self.array);
        self.exposed |= !written && accesses.clone().any(|a| a.kind == AccessKind::Read);
        let is_sure = |certainty| certainty == Certainty::Must;
        written || accesses.any(|a| a.is_write() && is_sure(a.certainty) && a.condition.is_always())
    }
}

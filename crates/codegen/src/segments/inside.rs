//! Loops, and what is in them.

use super::outer::Nest;
use polyfold_scop::{Loop, Node, Span, StatementId};

/// A loop that may be written otherwise.
pub(super) struct Inside<'a> {
    pub(super) node: &'a Loop,
    /// All that are in it, but for those that are taken away.
    pub(super) statements: Vec<StatementId>,
    /// The text of these.
    pub(super) removed: Vec<Span>,
    /// All loops in it.
    pub(super) inner: Vec<&'a Loop>,
    /// How many of them stand in each other at most.
    pub(super) levels: usize,
    /// Whether something in it stands under a condition.
    pub(super) has_guards: bool,
}

impl<'a> Inside<'a> {
    pub(super) fn of(node: &'a Loop, nest: &Nest) -> Inside<'a> {
        let (source, scop) = (nest.accesses.source, nest.accesses.decisions.scop);
        let removed = nest.gone.spans(source, scop, (&node.body, &node.span));
        let mut inside =
            Inside { node, statements: Vec::new(), removed, inner: Vec::new(), levels: 0, has_guards: false };
        inside.collect(&node.body, 0);
        inside.statements.retain(|id| !nest.gone.statements.contains(id));
        inside
    }

    fn collect(&mut self, nodes: &'a [Node], level: usize) {
        self.levels = self.levels.max(level);
        for node in nodes {
            match node {
                Node::Statement(id) => self.statements.push(*id),
                Node::Guard(g) if self.removed.contains(&g.span) => {}
                Node::Loop(l) if self.removed.contains(&l.span) => {}
                Node::Guard(g) => {
                    self.has_guards = true;
                    self.collect(&g.then, level);
                    self.collect(&g.otherwise, level);
                }
                Node::Loop(l) => {
                    self.inner.push(l);
                    self.collect(&l.body, level + 1);
                }
            }
        }
    }
}

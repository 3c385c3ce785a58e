//! The innermost loops of a scop.

use polyfold_scop::{Loop, Node, StatementId};

/// A loop without loops in it.
pub(super) struct Innermost<'a> {
    pub(super) node: &'a Loop,
    pub(super) statements: Vec<StatementId>,
}

pub(super) fn innermost_loops(nodes: &[Node]) -> Vec<Innermost<'_>> {
    nodes.iter().fold(Vec::new(), |mut found, node| {
        match node {
            Node::Loop(l) => match statements(&l.body) {
                Some(statements) => found.push(Innermost { node: l, statements }),
                None => found.extend(innermost_loops(&l.body)),
            },
            Node::Guard(g) => {
                found.extend([&g.then, &g.otherwise].into_iter().flat_map(|branch| innermost_loops(branch)))
            }
            Node::Statement(_) => {}
        }
        found
    })
}

/// The statements of a body; `None`: there is a loop in it.
fn statements(nodes: &[Node]) -> Option<Vec<StatementId>> {
    nodes.iter().try_fold(Vec::new(), |mut found, node| {
        match node {
            Node::Loop(_) => return None,
            Node::Statement(id) => found.push(*id),
            Node::Guard(g) => {
                found.extend(statements(&g.then)?);
                found.extend(statements(&g.otherwise)?);
            }
        }
        Some(found)
    })
}

//! Loops without loops in them, and those right around them.

use polyfold_scop::{Loop, Node, StatementId};

/// A loop that may be written in segments.
pub(super) struct Innermost<'a> {
    pub(super) node: &'a Loop,
    /// All that are in it.
    pub(super) statements: Vec<StatementId>,
    /// The loops in it, which have none in them.
    pub(super) inner: Vec<&'a Loop>,
}

impl<'a> Innermost<'a> {
    /// `None`: loops in it have loops in them.
    pub(super) fn of(node: &'a Loop) -> Option<Innermost<'a>> {
        let (mut statements, mut inner) = (Vec::new(), Vec::new());
        collect(&node.body, &mut statements, &mut inner)?;
        Some(Innermost { node, statements, inner })
    }
}

fn collect<'a>(nodes: &'a [Node], statements: &mut Vec<StatementId>, inner: &mut Vec<&'a Loop>) -> Option<()> {
    for node in nodes {
        match node {
            Node::Statement(id) => statements.push(*id),
            Node::Guard(g) => {
                collect(&g.then, statements, inner)?;
                collect(&g.otherwise, statements, inner)?;
            }
            Node::Loop(l) => {
                inner.push(l);
                let before = inner.len();
                collect(&l.body, statements, inner)?;
                if inner.len() > before {
                    return None;
                }
            }
        }
    }
    Some(())
}

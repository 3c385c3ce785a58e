//! Arrays that nobody reads.
//!
//! A statement is *useful* if it has an effect besides its writes, decides control, or writes something other than
//! temporaries; or if it writes a temporary that a useful statement reads. What is not useful can go,
//! with the arrays that only it writes. Without this a dead write would still occupy a cell.
//!
//! Scalars that are computed for dead arrays alone are dead, too, but for their declarations: what those read is read.
//!
//! Example: in `a[i] = x[i]; b[i] = a[i]; out[i] = x[i];` with temporaries a and b, nothing reads b; so nothing
//! useful reads a, and both go.

use polyfold_scop::{Access, ArrayId, Node, Scop, Statement, StatementId, StatementKind};
use std::collections::BTreeSet;

/// What can be removed from a scop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeadCode {
    /// Temporary arrays without a useful read.
    pub arrays: Vec<ArrayId>,
    /// Statements that only write these, or scalars that are computed for them.
    pub statements: Vec<StatementId>,
}

/// Finds the arrays that nobody reads.
pub fn dead_code(scop: &Scop) -> DeadCode {
    let mut needed: BTreeSet<ArrayId> =
        (0..scop.arrays.len()).map(ArrayId).filter(|id| !scop.array(*id).is_temporary()).collect();
    loop {
        let before = needed.len();
        for statement in &scop.statements {
            let mut writes = statement.accesses.iter().filter(|a| a.is_write()).peekable();
            let stays = writes.peek().is_none() || writes.any(|a| needed.contains(&a.array));
            if statement.kind != StatementKind::Assignment || stays {
                let used = statement.accesses.iter().filter(|a| !declares_a_scalar(scop, statement, a));
                needed.extend(used.map(|a| a.array));
            }
        }
        if needed.len() == before {
            break;
        }
    }
    let dead = |id: &ArrayId| !needed.contains(id);
    let statements = (0..scop.statements.len()).map(StatementId).filter(|id| {
        let statement = scop.statement(*id);
        let mut writes = statement.accesses.iter().filter(|a| a.is_write()).peekable();
        statement.kind == StatementKind::Assignment && writes.peek().is_some() && writes.all(|a| dead(&a.array))
    });
    let arrays = (0..scop.arrays.len()).map(ArrayId).filter(|id| dead(id) && !scop.array(*id).is_scalar());
    DeadCode { statements: statements.collect(), arrays: arrays.collect() }
}

fn declares_a_scalar(scop: &Scop, statement: &Statement, access: &Access) -> bool {
    statement.kind == StatementKind::Declaration && access.is_write() && scop.array(access.array).is_scalar()
}

impl DeadCode {
    /// The scop without dead statements; ids stay as they are.
    pub fn remove_from(&self, scop: &Scop) -> Scop {
        let mut scop = scop.clone();
        prune(&mut scop.body, &self.statements);
        for id in &self.statements {
            scop.statements[id.0].accesses.clear();
        }
        scop
    }
}

fn prune(nodes: &mut Vec<Node>, dead: &[StatementId]) {
    nodes.retain(|node| !matches!(node, Node::Statement(id) if dead.contains(id)));
    for node in nodes {
        match node {
            Node::Loop(l) => prune(&mut l.body, dead),
            Node::Guard(g) => {
                prune(&mut g.then, dead);
                prune(&mut g.otherwise, dead);
            }
            Node::Statement(_) => {}
        }
    }
}

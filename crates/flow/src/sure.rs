//! Writes that data cannot prevent: both outcomes of a condition write the same cell.
//!
//! In `if (x[i] > 0) p[i] = a; else p[i] = b;` each write may or may not happen, but one of them does. The one in the first
//! branch is then taken as sure, and the other as possible: dates in the first branch come first, so from there on the cell
//! holds the new value or nothing that is needed. That is right only if the second branch does not read the array, since
//! it would read what was there before.

use polyfold_scop::{Access, ArrayId, Certainty, Expr, Guard, Node, Scop, StatementId};
use std::collections::BTreeSet;

/// Statements in first branches whose write of the array is sure although its guard depends on data.
pub fn sure_writes(scop: &Scop) -> BTreeSet<(StatementId, ArrayId)> {
    let mut sure = BTreeSet::new();
    visit(scop, &scop.body, &mut sure);
    sure
}

fn visit(scop: &Scop, nodes: &[Node], sure: &mut BTreeSet<(StatementId, ArrayId)>) {
    for node in nodes {
        match node {
            Node::Loop(l) => visit(scop, &l.body, sure),
            Node::Guard(g) if g.condition.depends_on_data() => collect(scop, g, sure),
            Node::Guard(g) => {
                visit(scop, &g.then, sure);
                visit(scop, &g.otherwise, sure);
            }
            Node::Statement(_) => {}
        }
    }
}

fn collect(scop: &Scop, guard: &Guard, sure: &mut BTreeSet<(StatementId, ArrayId)>) {
    for node in &guard.then {
        let Node::Statement(id) = node else { continue };
        for access in scop.statement(*id).accesses.iter().filter(|a| is_whole_write(a)) {
            let array = access.array;
            if !reads(scop, &guard.otherwise, array) && writes(scop, &guard.otherwise, array, &access.subscripts) {
                sure.insert((*id, array));
            }
        }
    }
}

fn is_whole_write(access: &Access) -> bool {
    access.is_write()
        && access.certainty == Certainty::Must
        && access.condition.is_always()
        && access.subscripts.is_some()
}

/// Whether the nodes write the cell whatever data say.
fn writes(scop: &Scop, nodes: &[Node], array: ArrayId, subscripts: &Option<Vec<Expr>>) -> bool {
    nodes.iter().any(|node| match node {
        Node::Loop(_) => false,
        Node::Guard(g) => writes(scop, &g.then, array, subscripts) && writes(scop, &g.otherwise, array, subscripts),
        Node::Statement(id) => {
            let accesses = &scop.statement(*id).accesses;
            accesses.iter().any(|a| a.array == array && is_whole_write(a) && a.subscripts == *subscripts)
        }
    })
}

fn reads(scop: &Scop, nodes: &[Node], array: ArrayId) -> bool {
    nodes.iter().any(|node| match node {
        Node::Loop(l) => reads(scop, &l.body, array),
        Node::Guard(g) => reads(scop, &g.then, array) || reads(scop, &g.otherwise, array),
        Node::Statement(id) => scop.statement(*id).accesses.iter().any(|a| a.array == array && a.is_read()),
    })
}

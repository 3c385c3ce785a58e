//! Writes that data cannot prevent: whatever a condition turns out to be, the same cell is written.
//!
//! In `if (x[i] > 0) p[i] = a; else p[i] = b;` each write may or may not happen, but one of them does. The one in the first
//! branch is then taken as sure, and the other as possible: dates in the first branch come first, so from there on the cell
//! holds the new value or nothing that is needed. That is right only if no other branch reads what was in the cell before,
//! and so only if its reads are of other cells or come after its own write. Chains (`else if`) and conditions inside
//! branches are taken apart in the same way.

use crate::distinct::surely_differ;
use polyfold_scop::{Access, ArrayId, Certainty, Expr, Guard, Node, Scop, StatementId};
use std::collections::BTreeSet;

/// A write: a statement, and the number of one of its accesses.
pub type Write = (StatementId, usize);

/// The writes that are sure although a guard around them depends on data.
pub fn sure_writes(scop: &Scop) -> BTreeSet<Write> {
    let mut sure = BTreeSet::new();
    visit(scop, &scop.body, &mut sure);
    sure
}

fn visit(scop: &Scop, nodes: &[Node], sure: &mut BTreeSet<Write>) {
    for node in nodes {
        match node {
            Node::Loop(l) => visit(scop, &l.body, sure),
            Node::Guard(g) if g.condition.depends_on_data() => {
                let opening = whole_writes(scop, &g.then).into_iter().filter_map(|cell| cell.fate_in(g).opening);
                sure.extend(opening.flatten());
            }
            Node::Guard(g) => {
                visit(scop, &g.then, sure);
                visit(scop, &g.otherwise, sure);
            }
            Node::Statement(_) => {}
        }
    }
}

/// The cells that the nodes write outside loops of their own.
fn whole_writes<'s>(scop: &'s Scop, nodes: &[Node]) -> Vec<Cell<'s>> {
    let mut cells = Vec::new();
    for node in nodes {
        match node {
            Node::Loop(_) => {}
            Node::Guard(g) => {
                cells.extend(whole_writes(scop, &g.then));
                cells.extend(whole_writes(scop, &g.otherwise));
            }
            Node::Statement(id) => {
                let writes = scop.statement(*id).accesses.iter().filter(|a| is_whole_write(a));
                cells.extend(
                    writes.filter_map(|a| Some(Cell { scop, array: a.array, subscripts: a.subscripts.as_ref()? })),
                );
            }
        }
    }
    cells
}

fn is_whole_write(access: &Access) -> bool {
    access.is_write() && access.certainty == Certainty::Must && access.condition.is_always()
}

/// A cell of an array, in one turn of the loops around a guard.
struct Cell<'s> {
    scop: &'s Scop,
    array: ArrayId,
    subscripts: &'s Vec<Expr>,
}

/// What becomes of a cell's old value.
#[derive(Default)]
struct Fate {
    /// It may be read.
    read: bool,
    /// The writes from which on it is gone, whatever data say; `None` if it may stay.
    opening: Option<Vec<Write>>,
}

impl Cell<'_> {
    fn fate(&self, nodes: &[Node]) -> Fate {
        let mut fate = Fate::default();
        for node in nodes {
            let here = match node {
                Node::Loop(l) => Fate { read: self.fate(&l.body).read, opening: None },
                Node::Guard(g) => self.fate_in(g),
                Node::Statement(id) => {
                    Fate { read: self.may_be_read_in(*id), opening: self.write_in(*id).map(|at| vec![(*id, at)]) }
                }
            };
            fate = Fate { read: fate.read || here.read, opening: here.opening };
            if fate.opening.is_some() {
                break;
            }
        }
        fate
    }

    /// Both branches must write. If data decide, the second must not read before that: its reads have later dates than the
    /// write in the first.
    fn fate_in(&self, guard: &Guard) -> Fate {
        let (then, otherwise) = (self.fate(&guard.then), self.fate(&guard.otherwise));
        let read = then.read || otherwise.read;
        let opening = match (then.opening, otherwise.opening) {
            (Some(first), Some(_)) if guard.condition.depends_on_data() => (!otherwise.read).then_some(first),
            (Some(first), Some(second)) => Some([first, second].concat()),
            _ => None,
        };
        Fate { read, opening }
    }

    fn may_be_read_in(&self, id: StatementId) -> bool {
        let is_elsewhere = |read: &Access| match &read.subscripts {
            Some(subscripts) => surely_differ(self.subscripts, subscripts),
            None => false,
        };
        self.scop.statement(id).accesses.iter().any(|a| a.array == self.array && a.is_read() && !is_elsewhere(a))
    }

    fn write_in(&self, id: StatementId) -> Option<usize> {
        let accesses = &self.scop.statement(id).accesses;
        let is_here = |a: &Access| a.array == self.array && a.subscripts.as_ref() == Some(self.subscripts);
        accesses.iter().position(|a| is_here(a) && is_whole_write(a))
    }
}

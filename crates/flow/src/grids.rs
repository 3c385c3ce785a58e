//! Grids whose border no step writes.
//!
//! A step computes the inside of a grid from another one, or copies it there; the border of both has the same values in all steps:
//!
//! ```c
//! for (t…) {
//!   for (i = 1; i < n - 1; i++) for (j = 1; j < n - 1; j++) P[i][j] = f(Q[i][j - 1], Q[i][j], Q[i][j + 1], Q[i - 1][j], Q[i + 1][j]);
//!   for (i = 1; i < n - 1; i++) for (j = 1; j < n - 1; j++) Q[i][j] = P[i][j];
//! }
//! ```
//!
//! If each step takes the border along, as in `P[i][0] = Q[i][0];` and `Q[i][0] = P[i][0];`, all that a step reads lies in one place, however storage
//! moves. How wide it is is the largest distance, along each dimension, from a cell that a step writes to one that it reads.
//!
//! The grids may be one array, of which they take turns: `A[(t + 1) % 2][i][j] = f(A[t % 2][i][j - 1], …)`. A subscript that changes from step to step, but
//! not inside of one, says which grid it is, and the others where in it.
//!
//! Source: our own; ghost cells of stencil codes are the same, once.

use crate::distinct::constant_sum;
use crate::expansion::time_loops;
use polyfold_scop::{
    Access, ArrayId, Certainty, Comparison, Condition, Expr, Loop, LoopId, Node, Scop, Statement, StatementId,
    StatementKind,
};
use std::collections::BTreeSet;

/// A wider border, at both ends of a dimension together, is none that anybody would copy row by row.
const WIDEST: i64 = 8;

/// Grids that steps go to and fro between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grids {
    /// The loop over steps.
    pub time: LoopId,
    /// How wide the border is in front of the inside and behind it, by dimension.
    pub width: Vec<(i64, i64)>,
    /// The first and the last cell of the inside, by dimension.
    pub inside: Vec<(Expr, Expr)>,
    /// What writes the inside, in text order.
    pub nests: Vec<GridNest>,
    /// Whether a step reads cells that differ from the written one in more than one dimension.
    pub reads_corners: bool,
}

/// A statement that writes the inside of a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridNest {
    /// The loops along the grid's dimensions, the first one's first.
    pub loops: Vec<LoopId>,
    /// The statement.
    pub statement: StatementId,
    /// Which of its accesses writes the grid.
    pub write: usize,
    /// The statement of the same loops that reads the grid that the border comes from: the same one, or one that works for it (`int s = a[i - 1][j] + …;`).
    pub reader: StatementId,
    /// Which of its accesses does.
    pub read: usize,
    /// Which of both's subscripts says in which grid they are, where one array holds several that take turns.
    pub turn: Option<usize>,
}

/// What part of a border is taken along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// The first and last cells of rows.
    OfRows,
    /// All of it.
    OfAll,
}

/// Grids whose steps can take the border along; `None`: there are none, or not all that writes them is like that.
pub fn grids(scop: &Scop) -> Option<Grids> {
    time_loops(&scop.body).find_map(|time| of_steps(scop, time))
}

impl Grids {
    /// Whether one array holds several grids, of which each step writes another one.
    pub fn take_turns(&self) -> bool {
        self.nests.iter().any(|nest| nest.turn.is_some())
    }

    /// The dimensions at whose ends cells are copied.
    pub fn dimensions(&self, ends: Ends) -> std::ops::Range<usize> {
        match ends {
            Ends::OfRows => self.inside.len() - 1..self.inside.len(),
            Ends::OfAll => 0..self.inside.len(),
        }
    }
}

fn of_steps(scop: &Scop, time: &Loop) -> Option<Grids> {
    let (mut found, mut inside) = (Vec::new(), Vec::new());
    walk(&time.body, &mut Vec::new(), &mut inside)?;
    let written: BTreeSet<ArrayId> = inside.iter().flat_map(|(_, id)| writes(scop.statement(*id))).collect();
    for (loops, id) in &inside {
        found.extend(nest((scop, time.id), (loops, *id), &written));
    }
    let (first, cells) = found.first()?.clone();
    let is_like = |(nest, own): &(GridNest, Cells)| {
        nest.element(scop) == first.element(scop)
            && own.len() == cells.len()
            && own.iter().zip(&cells).all(|(a, b)| is_same(&a.0, &b.0) && is_same(&a.1, &b.1))
    };
    let of_nests: BTreeSet<ArrayId> = found.iter().flat_map(|(nest, _)| nest.arrays(scop)).collect();
    let is_in_nests = |id: StatementId| found.iter().any(|(nest, _)| nest.statement == id);
    let is_foreign =
        |id: StatementId| !is_in_nests(id) && writes(scop.statement(id)).any(|array| of_nests.contains(&array));
    if inside.iter().any(|(_, id)| is_foreign(*id)) || !found.iter().all(is_like) {
        return None;
    }
    let nests: Vec<GridNest> = found.into_iter().map(|(nest, _)| nest).collect();
    let distances: Vec<Vec<i64>> = nests.iter().flat_map(|nest| nest.distances((scop, time.id), &of_nests)).collect();
    let along = |k: usize| distances.iter().fold((0, 0), |(a, b), by| (a.max(-by[k]), b.max(by[k])));
    let width: Vec<(i64, i64)> = (0..cells.len()).map(along).collect();
    let is_narrow = width.iter().all(|(before, behind)| before + behind <= WIDEST);
    let reads_corners = distances.iter().any(|by| by.iter().filter(|by| **by != 0).count() > 1);
    let has_border = width.last().is_some_and(|width| *width != (0, 0));
    (is_narrow && has_border).then_some(Grids { time: time.id, width, inside: cells, nests, reads_corners })
}

/// First and last cells, by dimension.
type Cells = Vec<(Expr, Expr)>;

/// The statements, each with the loops around it; `None`: something else than loops and statements is there.
fn walk<'s>(
    nodes: &'s [Node],
    around: &mut Vec<&'s Loop>,
    found: &mut Vec<(Vec<&'s Loop>, StatementId)>,
) -> Option<()> {
    for node in nodes {
        match node {
            Node::Guard(_) => return None,
            Node::Statement(id) => found.push((around.clone(), *id)),
            Node::Loop(l) => {
                around.push(l);
                walk(&l.body, around, found)?;
                around.pop();
            }
        }
    }
    Some(())
}

fn writes(statement: &Statement) -> impl Iterator<Item = ArrayId> {
    statement.accesses.iter().filter(|access| access.is_write()).map(|access| access.array)
}

/// A statement that writes the inside of a temporary out of another one that steps write.
fn nest(
    (scop, time): (&Scop, LoopId),
    (around, id): (&[&Loop], StatementId),
    written: &BTreeSet<ArrayId>,
) -> Option<(GridNest, Cells)> {
    let statement = scop.statement(id);
    let write = statement.accesses.iter().position(Access::is_write)?;
    let target = &statement.accesses[write];
    let loops: Vec<LoopId> = around.iter().map(|l| l.id).collect();
    let place = in_grid(scop, target, (time, &loops))?;
    let is_perfect = around.windows(2).all(|pair| matches!(&pair[0].body[..], [Node::Loop(l)] if l.id == pair[1].id));
    let is_plain = statement.kind == StatementKind::Assignment
        && target.certainty == Certainty::Must
        && writes(statement).count() == 1
        && !statement.passes_addresses()
        && is_perfect;
    let is_origin = |access: &Access| {
        access.is_read()
            && written.contains(&access.array)
            && scop.array(access.array).element == scop.array(target.array).element
            && in_grid(scop, access, (time, &loops)).is_some_and(|other| other.turn == place.turn)
            && are_grids_apart(target, access, place.turn)
    };
    let of = |id: StatementId| Some((id, scop.statement(id).accesses.iter().position(is_origin)?));
    let (reader, read) = of(id).or_else(|| beside(scop, statement).find_map(of))?;
    let cell = |bound: Expr, by: i64| bound.add(Expr::Constant(by));
    let cells = (around.iter().zip(place.ahead))
        .map(|(l, by)| Some((cell(l.first.clone(), by), cell(last_iteration(l, &loops)?, by))))
        .collect::<Option<Cells>>()?;
    let is_box = around.iter().all(|l| loops.iter().all(|id| is_free(&l.first, *id)));
    (is_plain && is_box).then_some((GridNest { loops, statement: id, write, reader, read, turn: place.turn }, cells))
}

/// The statements of the same loops.
fn beside<'s>(scop: &'s Scop, statement: &'s Statement) -> impl Iterator<Item = StatementId> + 's {
    (0..scop.statements.len()).map(StatementId).filter(|other| scop.statement(*other).loops == statement.loops)
}

/// Whether two accesses do not say that they are in the same grid.
fn are_grids_apart(a: &Access, b: &Access, turn: Option<usize>) -> bool {
    let of = |access: &Access| turn.and_then(|turn| Some(access.subscripts.as_ref()?[turn].clone()));
    a.array != b.array || of(a) != of(b)
}

/// Where an access to a temporary is.
struct InGrid {
    /// Which subscript says in which grid.
    turn: Option<usize>,
    /// By how much the others are ahead of the counters of some loops, one each.
    ahead: Vec<i64>,
}

fn in_grid(scop: &Scop, access: &Access, (time, loops): (LoopId, &[LoopId])) -> Option<InGrid> {
    let (array, subscripts) = (scop.array(access.array), access.subscripts.as_ref()?);
    let is_plain = array.is_temporary()
        && !array.linearised
        && access.place.fragment.is_none()
        && access.subscript_spans.len() == subscripts.len()
        && access.condition.is_always();
    let is_turn = |own: &Expr| !is_free(own, time) && loops.iter().all(|id| is_free(own, *id));
    let turn = subscripts.iter().position(is_turn);
    let others: Vec<&Expr> = subscripts.iter().enumerate().filter(|(k, _)| Some(*k) != turn).map(|(_, e)| e).collect();
    if !is_plain || others.len() != loops.len() {
        return None;
    }
    let ahead = others.into_iter().zip(loops).map(|(own, id)| constant_sum([(own, 1), (&Expr::Iterator(*id), -1)]));
    Some(InGrid { turn, ahead: ahead.collect::<Option<_>>()? })
}

/// Of a loop that goes up one by one to a single bound, which some loops do not change.
fn last_iteration(l: &Loop, loops: &[LoopId]) -> Option<Expr> {
    let condition = match &l.condition {
        Condition::All(all) if all.len() == 1 => &all[0],
        one => one,
    };
    let Condition::Compare(a, comparison, b) = condition else { return None };
    let own = Expr::Iterator(l.id);
    let (comparison, bound) = match () {
        () if *a == own => (*comparison, b),
        () if *b == own => (comparison.mirrored(), a),
        () => return None,
    };
    let behind = match comparison {
        Comparison::Less => -1,
        Comparison::LessEqual => 0,
        _ => return None,
    };
    let is_plain = l.step == 1 && !l.parallel && loops.iter().all(|id| is_free(bound, *id));
    is_plain.then(|| bound.clone().add(Expr::Constant(behind)))
}

fn is_same(a: &Expr, b: &Expr) -> bool {
    constant_sum([(a, 1), (b, -1)]) == Some(0)
}

/// Whether an expression does not change with a loop; one that chooses counts as if it did.
fn is_free(expr: &Expr, id: LoopId) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Parameter(_) => true,
        Expr::Iterator(own) => *own != id,
        Expr::Add(a, b) => is_free(a, id) && is_free(b, id),
        Expr::Scale(_, e) | Expr::Divide(e, _) | Expr::Remainder(e, _) => is_free(e, id),
        Expr::Select(..) => false,
    }
}

impl GridNest {
    /// The grid that is written, and the one that the border comes from.
    fn arrays(&self, scop: &Scop) -> [ArrayId; 2] {
        let array = |id: StatementId, access: usize| scop.statement(id).accesses[access].array;
        [array(self.statement, self.write), array(self.reader, self.read)]
    }

    fn element<'s>(&self, scop: &'s Scop) -> &'s str {
        &scop.array(self.arrays(scop)[0]).element
    }

    /// Which subscripts go along the grids' dimensions.
    pub fn along(&self) -> Vec<usize> {
        let all = 0..self.loops.len() + usize::from(self.turn.is_some());
        all.filter(|k| Some(*k) != self.turn).collect()
    }

    /// From the cell that is written to those of some arrays that are read.
    fn distances(&self, (scop, time): (&Scop, LoopId), arrays: &BTreeSet<ArrayId>) -> Vec<Vec<i64>> {
        let statement = scop.statement(self.statement);
        let ahead = |access| Some(in_grid(scop, access, (time, &self.loops))?.ahead);
        let own = ahead(&statement.accesses[self.write]).unwrap_or_default();
        let all = beside(scop, statement).flat_map(|id| &scop.statement(id).accesses);
        let reads = all.filter(|access| access.is_read() && arrays.contains(&access.array));
        let from_own = |by: Vec<i64>| by.iter().zip(&own).map(|(a, b)| a - b).collect();
        reads.filter_map(ahead).map(from_own).collect()
    }
}

//! Cells that a variable may stand for while the loops inside a turn go on (scalar replacement).
//!
//! ```c
//! for (int s = 0; s < S; s++) {                  for (int s = 0; s < S; s++) {
//!   score[t % 2][s] = cand[0];                     float score_cell = cand[0];
//!   for (int r = 1; r < S; r++)                    for (int r = 1; r < S; r++)
//!     if (cand[r] > score[t % 2][s])                 if (cand[r] > score_cell)
//!       score[t % 2][s] = cand[r];                     score_cell = cand[r];
//! }                                                score[t % 2][s] = score_cell;
//!                                                }
//! ```
//!
//! A compiler keeps a sum in a register where nothing else in the loop may be the same cell, which it knows of arrays, and not of rows that
//! arrays have in one buffer. With o the counters around, c the subscripts of the cell, which read no others, and y any other access of the
//! nodes from the first one that uses the cell to the last one, to the same buffer,
//!
//! ```text
//! for all o and i:  M c(o) − M y(o, i)  is no multiple of the moduli, 0 included
//! ```
//!
//! for all parameters (see `touched`). Then what these nodes do with the cell is all that happens to it in the meantime.
//!
//! The variable begins with the value that the first node surely writes, or with that of the cell, if a statement of each turn surely reads it. Then the cell
//! is one of the array's; what is in it may be of no use to anybody yet, which harms no type that has a value for all bits. At the end the cell gets the variable's
//! value: in each turn a statement reads or writes it anyway, and writes it where other threads may look.
//!
//! Conditions behind the last node that writes the cell are left out, and read it from memory.
//!
//! Example: `mean[y][x] = 0; for (k = -3; k <= 3; k++) mean[y][x] += cs[y][x + k];`, where mean[y] is row y − 2 of a buffer, and cs[y] row
//! y − 1. In one row both would meet for k = 0.
//!
//! Source: Callahan, Carr and Kennedy, Improving Register Allocation for Subscripted Variables (PLDI 1990), with cells in place of subscripts.

use crate::Placed;
use crate::touched::{Points, Storage, Use, meet, uses};
use polyfold_flow::StatementModel;
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{Access, ArrayId, Certainty, Expr, Loop, LoopId, Node, Scop, StatementId, StatementKind};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// A cell that a variable may stand for in each turn of a loop; only [`scalar_cells`] makes one.
#[derive(Clone, Debug)]
pub struct ScalarCell {
    turn: LoopId,
    array: ArrayId,
    nodes: RangeInclusive<usize>,
    is_written_first: bool,
    in_each_turn: (StatementId, usize),
    accesses: BTreeSet<(StatementId, usize)>,
}

impl ScalarCell {
    /// The loop in whose turns it is one cell.
    pub fn turn(&self) -> LoopId {
        self.turn
    }

    /// Whose cell it is.
    pub fn array(&self) -> ArrayId {
        self.array
    }

    /// The nodes of the loop's body between which nothing else touches the cell: the first one that uses it, to the last one.
    pub fn nodes(&self) -> &RangeInclusive<usize> {
        &self.nodes
    }

    /// Whether the first of these is a statement that writes the cell and does not read it.
    pub fn is_written_first(&self) -> bool {
        self.is_written_first
    }

    /// An access, of a statement by its number, that surely happens in each turn.
    pub fn in_each_turn(&self) -> (StatementId, usize) {
        self.in_each_turn
    }

    /// Which accesses of which statements use it.
    pub fn accesses(&self) -> &BTreeSet<(StatementId, usize)> {
        &self.accesses
    }
}

/// All cells that loops inside a turn both read and write, and variables may stand for.
///
/// # Errors
/// When the work bound is reached.
pub fn scalar_cells((scop, models): (&Scop, &[StatementModel]), storage: &Storage) -> Result<Vec<ScalarCell>> {
    let mut search = Search { scop, models, storage, found: Vec::new() };
    search.nodes(&scop.body, &mut Vec::new())?;
    Ok(search.found)
}

struct Search<'a> {
    scop: &'a Scop,
    models: &'a [StatementModel],
    storage: &'a Storage<'a>,
    /// Those of loops further out come first.
    found: Vec<ScalarCell>,
}

/// The accesses of a turn to one cell.
struct Group<'a> {
    array: ArrayId,
    subscripts: &'a [Expr],
    uses: Vec<CellUse<'a>>,
}

struct CellUse<'a> {
    id: (StatementId, usize),
    /// In which node of the turn.
    node: usize,
    access: &'a Access,
}

impl Search<'_> {
    fn nodes(&mut self, nodes: &[Node], around: &mut Vec<LoopId>) -> Result<()> {
        for node in nodes {
            match node {
                Node::Loop(l) => {
                    around.push(l.id);
                    let cells = self.turn(l, around)?;
                    self.found.extend(cells);
                    self.nodes(&l.body, around)?;
                    around.pop();
                }
                Node::Guard(g) => {
                    self.nodes(&g.then, around)?;
                    self.nodes(&g.otherwise, around)?;
                }
                Node::Statement(_) => {}
            }
        }
        Ok(())
    }

    /// The cells of a loop's turns.
    fn turn(&self, l: &Loop, around: &[LoopId]) -> Result<Vec<ScalarCell>> {
        let groups = self.groups(l, around);
        let cells =
            groups.iter().filter(|group| group.is_used_by_a_loop(&l.body)).map(|group| self.cell((l, around), group));
        cells.filter_map(Result::transpose).collect()
    }

    /// The accesses whose subscripts are the same throughout a turn, by cell.
    fn groups(&self, l: &Loop, around: &[LoopId]) -> Vec<Group<'_>> {
        let scop = self.scop;
        let mut groups: Vec<Group> = Vec::new();
        for (id, node) in self.statements(l) {
            for (k, access) in scop.statement(id).accesses.iter().enumerate() {
                let Some(subscripts) = access.subscripts.as_deref() else { continue };
                let is_fixed = subscripts.iter().all(|subscript| reads_only(subscript, around));
                let is_taken = self.found.iter().any(|cell| cell.accesses.contains(&(id, k)));
                if !is_fixed || is_taken || self.place(access.array).is_none() {
                    continue;
                }
                let own = CellUse { id: (id, k), node, access };
                match groups.iter_mut().find(|g| g.array == access.array && g.subscripts == subscripts) {
                    Some(group) => group.uses.push(own),
                    None => groups.push(Group { array: access.array, subscripts, uses: vec![own] }),
                }
            }
        }
        groups
    }

    /// The statements of a turn that stay, and in which node each is.
    fn statements(&self, l: &Loop) -> Vec<(StatementId, usize)> {
        let all = (0..self.scop.statements.len()).map(StatementId).filter(|id| !self.storage.gone.contains(id));
        all.filter_map(|id| Some((id, l.body.iter().position(|node| node.holds(id))?))).collect()
    }

    /// Where an array lives whose cells are several.
    fn place(&self, array: ArrayId) -> Option<&Placed> {
        let has_values = self.storage.values.iter().any(|values| values.array() == array);
        let place = self.storage.mapped.iter().find(|place| place.array() == array);
        place.filter(|place| !has_values && !place.is_one_cell())
    }

    /// The first node of a turn that uses a cell, and the last one, conditions behind all writes aside.
    fn ends(&self, l: &Loop, group: &Group) -> Option<(usize, usize)> {
        let all = || group.uses.iter().map(|own| own.node);
        let written = group.uses.iter().filter(|own| own.access.is_write()).map(|own| own.node).max()?;
        let is_condition = |node: usize| match l.body[node] {
            Node::Guard(_) => true,
            Node::Statement(id) => self.scop.statement(id).kind == StatementKind::Condition,
            Node::Loop(_) => false,
        };
        Some((all().min()?, all().filter(|node| *node <= written || !is_condition(*node)).max()?))
    }

    fn cell(&self, (l, around): (&Loop, &[LoopId]), group: &Group) -> Result<Option<ScalarCell>> {
        let Some((first, last)) = self.ends(l, group) else { return Ok(None) };
        let nodes = first..=last;
        let uses_here = || group.uses.iter().filter(|own| own.node <= last);
        let in_each_turn = |own: &&CellUse| matches!(l.body[own.node], Node::Statement(_)) && is_sure(own.access);
        let sure: Vec<&CellUse> = uses_here().filter(in_each_turn).collect();
        let at_first = |own: &&CellUse| own.node == first;
        let is_written_first =
            sure.iter().any(at_first) && uses_here().filter(at_first).all(|own| own.access.is_write());
        let has_threads = around.iter().any(|id| self.scop.loops()[id.0].parallel);
        let is_written = sure.iter().any(|own| own.access.is_write());
        let turn = sure.iter().find(|own| own.access.is_read() || is_written_first && own.node == first);
        let Some(turn) = turn.filter(|_| is_written || !has_threads) else { return Ok(None) };
        let statements = self.statements(l).into_iter().filter(|(_, node)| nodes.contains(node)).map(|(id, _)| id);
        let Some(all) = uses((self.scop, self.models), self.storage, statements)? else { return Ok(None) };
        let accesses: BTreeSet<(StatementId, usize)> = uses_here().map(|own| own.id).collect();
        if !is_alone(&all, (turn.id, &accesses), self.storage.context)? {
            return Ok(None);
        }
        let in_each_turn = turn.id;
        Ok(Some(ScalarCell { turn: l.id, array: group.array, nodes, is_written_first, in_each_turn, accesses }))
    }
}

impl Group<'_> {
    /// Whether a loop in the turn reads the cell, and writes it.
    fn is_used_by_a_loop(&self, nodes: &[Node]) -> bool {
        let loops = nodes.iter().enumerate().filter(|(_, node)| matches!(node, Node::Loop(_)));
        loops.into_iter().any(|(k, _)| {
            let own = || self.uses.iter().filter(move |own| own.node == k).map(|own| own.access);
            own().any(Access::is_read) && own().any(Access::is_write)
        })
    }
}

/// Whether no access but those to a cell touches it, where one of these says which cell it is in each turn.
fn is_alone(
    all: &[Use],
    (turn, own): ((StatementId, usize), &BTreeSet<(StatementId, usize)>),
    context: &Set,
) -> Result<bool> {
    let Some(cell) = all.iter().find(|used| (used.statement, used.access) == turn) else { return Ok(false) };
    let points = Points::of(cell)?;
    let others = all.iter().filter(|used| !own.contains(&(used.statement, used.access)));
    for other in others.filter(|other| other.buffer() == cell.buffer()) {
        let other = Points::of(other)?;
        if meet((&points, &other), &same_turn(&points, &other)?, context)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// `{ [o] -> [o, i] }`, for the operations of two relations, the first ones with no more counters than the others.
fn same_turn(turn: &Points, other: &Points) -> Result<Map> {
    let names = |dimensions: usize| (0..dimensions).map(|k| format!("o{k}")).collect::<Vec<_>>().join(", ");
    let [outer, all] = [names(turn.points.dimensions()?.0), names(other.points.dimensions()?.0)];
    Map::read(turn.points.context(), &format!("{{ [{outer}] -> [{all}] }}"))
}

/// Whether an access happens whenever its statement runs, to the whole cell.
fn is_sure(access: &Access) -> bool {
    access.condition.is_always() && access.certainty == Certainty::Must
}

/// Whether an expression reads no counters but some.
fn reads_only(expr: &Expr, loops: &[LoopId]) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Parameter(_) => true,
        Expr::Iterator(id) => loops.contains(id),
        Expr::Add(a, b) => reads_only(a, loops) && reads_only(b, loops),
        Expr::Scale(_, inner) | Expr::Divide(inner, _) | Expr::Remainder(inner, _) => reads_only(inner, loops),
        Expr::Select(..) => false,
    }
}

//! Rings of a few cells that can be shift registers.
//!
//! A ring that an innermost loop goes through one cell at a time holds its last few values. Where every read finds a value that the
//! same loop wrote d iterations before, the values may move instead of the place where the next one goes: the newest of m cells is
//! the last one, and that from d iterations before stands d places in front of it.
//!
//! ```text
//! v(i, j) = M i + s j + c        position of an access in the ring; s j grows by 1 with each iteration
//! d = v(write) − v(read)         a number: constant over all iterations, 0 <= d < m
//! ```
//!
//! Both hold the same at each read if, for all sizes, a write that surely happens ran d iterations before (for d = 0 in front of the
//! read), and all iterations between them are of loops that move the cells: positions differ by less than m until the read, so nothing
//! else was written to that cell of the ring.
//!
//! Example: `t[j % 3] = in[j]; out[j] = t[(j - 2) % 3] + t[(j - 1) % 3] + t[j % 3];` behind a loop that fills t for j < 2 is
//! `t[2] = in[j]; out[j] = t[0] + t[1] + t[2]; t[0] = t[1]; t[1] = t[2];`.
//!
//! Loops one after the other are one where the first value of the later counter follows the last one of the earlier. The array is used
//! nowhere else, and no loop around runs its iterations at once.
//!
//! Source: Callahan, Carr and Kennedy, Improving Register Allocation for Subscripted Variables (PLDI 1990), for windows in loops; as line
//! buffers are written by hand for hardware.

use crate::position::{Position, Variable};
use crate::{Placed, RowForm};
use polyfold_flow::StatementModel;
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{Access, ArrayId, Certainty, Declaration, Loop, LoopId, Node, Scop, StatementId, Storage};
use std::collections::{BTreeMap, BTreeSet};

/// Rings of more cells stay rings: every iteration moves them all.
const MOST_CELLS: i64 = 8;

/// An array whose cells may move; only [`shift_registers`] makes one.
#[derive(Clone, Debug)]
pub struct ShiftRegister {
    array: ArrayId,
    loops: Vec<LoopId>,
    cells: usize,
    places: BTreeMap<(StatementId, usize), usize>,
}

impl ShiftRegister {
    /// Whose cells.
    pub fn array(&self) -> ArrayId {
        self.array
    }

    /// The innermost loops that move them at the end of each iteration, in text order.
    pub fn loops(&self) -> &[LoopId] {
        &self.loops
    }

    /// Cells that the ring has.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// The first of them that is used.
    pub fn first(&self) -> usize {
        self.places.values().copied().min().unwrap_or(0)
    }

    /// Where an access of a statement finds its value.
    pub fn place(&self, statement: StatementId, access: usize) -> Option<usize> {
        self.places.get(&(statement, access)).copied()
    }
}

/// All rings that can be shift registers, for all parameters in `context`; without statements in `gone`.
///
/// # Errors
/// When the work bound is reached.
pub fn shift_registers(
    (scop, statements): (&Scop, &[StatementModel]),
    mapped: &[Placed],
    gone: &[StatementId],
    context: &Set,
) -> Result<Vec<ShiftRegister>> {
    let mut found = Vec::new();
    for place in mapped {
        let Some(ring) = Ring::of(scop, place, gone)? else { continue };
        let Some(uses) = ring.uses() else { continue };
        if (Judge { ring: &ring, uses: &uses, statements, context }).is_register()? {
            let place = |distance: i64| (ring.cells - 1 - distance) as usize;
            found.push(ShiftRegister {
                array: ring.array,
                loops: ring.loops.iter().map(|l| l.id).collect(),
                cells: ring.cells as usize,
                places: uses.iter().map(|used| ((used.statement, used.access), place(used.distance))).collect(),
            });
        }
    }
    Ok(found)
}

/// A ring, and the loops that go through it.
struct Ring<'s> {
    scop: &'s Scop,
    array: ArrayId,
    cells: i64,
    coefficients: &'s [i64],
    /// One after the other in one body, each innermost.
    loops: Vec<&'s Loop>,
    accesses: Vec<(StatementId, usize, &'s Access)>,
}

/// An access to a ring.
struct Use {
    statement: StatementId,
    access: usize,
    is_read: bool,
    /// A write that happens whenever its statement runs.
    is_sure: bool,
    /// Iterations since the value was written.
    distance: i64,
}

impl<'s> Ring<'s> {
    /// `None`: it is none, or used in other ways.
    fn of(scop: &'s Scop, place: &'s Placed, gone: &[StatementId]) -> Result<Option<Ring<'s>>> {
        let [row] = place.rows() else { return Ok(None) };
        let Some(cells) = row.modulus.as_constant()?.filter(|cells| (2..=MOST_CELLS).contains(cells)) else {
            return Ok(None);
        };
        if matches!(row.form, RowForm::Fits { .. }) || place.shared().is_some() || !is_local(scop, place.array()) {
            return Ok(None);
        }
        let of_statement = |(id, statement): (usize, &'s polyfold_scop::Statement)| {
            let own = move |(k, access): (usize, &'s Access)| {
                (access.array == place.array()).then_some((StatementId(id), k, access))
            };
            statement.accesses.iter().enumerate().filter_map(own)
        };
        let accesses: Vec<_> = scop.statements.iter().enumerate().flat_map(of_statement).collect();
        let stays = |(id, _, access): &(StatementId, usize, &Access)| !gone.contains(id) && !access.is_in_call();
        let loops: BTreeSet<LoopId> =
            accesses.iter().filter_map(|(id, ..)| scop.statement(*id).loops.last()).copied().collect();
        let is_inside = accesses.iter().all(|(id, ..)| !scop.statement(*id).loops.is_empty());
        let siblings = siblings(&scop.body, &loops).filter(|_| is_inside && accesses.iter().all(stays));
        let loops = siblings.filter(|loops| loops.iter().all(|l| is_innermost(l)));
        Ok(loops.map(|loops| Ring {
            scop,
            array: place.array(),
            cells,
            coefficients: &row.coefficients,
            loops,
            accesses,
        }))
    }

    /// Its accesses by their distances; `None`: these are no numbers, or too large.
    fn uses(&self) -> Option<Vec<Use>> {
        let (first, others) = self.loops.split_first()?;
        let around = self.accesses.first().map(|(id, ..)| &self.scop.statement(*id).loops)?;
        let is_in_order = |l: &Loop| l.step.abs() == 1 && l.step == first.step;
        let runs_at_once = |id: &LoopId| self.scop.loops().iter().any(|l| l.id == *id && l.parallel);
        if !is_in_order(first) || !others.iter().all(|l| is_in_order(l)) || around.iter().any(runs_at_once) {
            return None;
        }
        let positions: Vec<Position> = self.accesses.iter().map(|used| self.position(used)).collect::<Option<_>>()?;
        let newest = self.accesses.iter().position(|(.., access)| access.is_write()).map(|at| &positions[at])?;
        let mut uses = Vec::new();
        for ((statement, access, found), position) in self.accesses.iter().zip(&positions) {
            let distance = position.behind(newest).filter(|distance| (0..self.cells).contains(distance))?;
            if found.is_write() && distance != 0 {
                return None;
            }
            let is_sure = found.is_write() && found.certainty == Certainty::Must && found.condition.is_always();
            uses.push(Use { statement: *statement, access: *access, is_read: found.is_read(), is_sure, distance });
        }
        uses.iter().any(|used| used.distance > 0).then_some(uses)
    }

    /// Where an access stands in the ring, counted in the direction in which its loop goes.
    fn position(&self, (id, _, access): &(StatementId, usize, &Access)) -> Option<Position> {
        let own = self.scop.statement(*id).loops.last().copied()?;
        let mut position = Position::of(self.coefficients, access)?;
        let step = self.loops.first()?.step;
        let factor = position.terms.remove(&Variable::Counter(own)).filter(|factor| factor.abs() == 1)?;
        Some(position.scaled(factor * step))
    }
}

/// Variables of its own that a function declares as such.
fn is_local(scop: &Scop, id: ArrayId) -> bool {
    let array = scop.array(id);
    let is_local = |d: &Declaration| d.storage == Storage::Local && d.allocation().is_none();
    array.is_temporary() && !array.linearised && array.declaration.as_ref().is_some_and(is_local)
}

/// Loops that stand in one body, in text order; `None`: they do not.
fn siblings<'s>(nodes: &'s [Node], ids: &BTreeSet<LoopId>) -> Option<Vec<&'s Loop>> {
    let own = |node: &'s Node| match node {
        Node::Loop(l) if ids.contains(&l.id) => Some(l),
        _ => None,
    };
    let here: Vec<&Loop> = nodes.iter().filter_map(own).collect();
    if !here.is_empty() {
        return (here.len() == ids.len()).then_some(here);
    }
    nodes.iter().find_map(|node| match node {
        Node::Loop(l) => siblings(&l.body, ids),
        Node::Guard(g) => siblings(&g.then, ids).or_else(|| siblings(&g.otherwise, ids)),
        Node::Statement(_) => None,
    })
}

fn is_innermost(l: &Loop) -> bool {
    fn has_loop(nodes: &[Node]) -> bool {
        nodes.iter().any(|node| match node {
            Node::Loop(_) => true,
            Node::Guard(g) => has_loop(&g.then) || has_loop(&g.otherwise),
            Node::Statement(_) => false,
        })
    }
    !has_loop(&l.body)
}

/// The proof for one ring.
struct Judge<'a> {
    ring: &'a Ring<'a>,
    uses: &'a [Use],
    statements: &'a [StatementModel],
    context: &'a Set,
}

impl Judge<'_> {
    fn is_register(&self) -> Result<bool> {
        let Some(iterations) = self.iterations()? else { return Ok(false) };
        if !self.are_in_order(&iterations)? {
            return Ok(false);
        }
        let Some(all) = united(iterations)? else { return Ok(false) };
        for read in self.uses.iter().filter(|used| used.is_read) {
            let reading = self.operations(read)?;
            for before in 1..=read.distance {
                if !reading.apply(&self.earlier(&reading, before)?)?.is_subset(&all)? {
                    return Ok(false);
                }
            }
            let written = reading.apply(&self.earlier(&reading, read.distance)?)?;
            let is_first = |write: &&Use| read.distance > 0 || write.statement < read.statement;
            let writes = self.uses.iter().filter(|used| used.is_sure && self.statements[used.statement.0].certain);
            let writing = writes.filter(is_first).map(|write| self.operations(write)).collect::<Result<Vec<_>>>()?;
            let is_covered = match united(writing)? {
                Some(writing) => written.is_subset(&writing)?,
                None => written.is_empty()?,
            };
            if !is_covered {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The operations of an access, `{ [i, j] }`.
    fn operations(&self, used: &Use) -> Result<Set> {
        let cells = &self.statements[used.statement.0].cells[used.access];
        cells.unnamed()?.domain()?.intersect_params(self.context)
    }

    /// The iterations of each loop, by a statement that runs in all of them; `None`: one has no such statement.
    fn iterations(&self) -> Result<Option<Vec<Set>>> {
        let mut all = Vec::new();
        for l in &self.ring.loops {
            let direct = l.body.iter().find_map(|node| match node {
                Node::Statement(id) if self.statements[id.0].certain => Some(&self.statements[id.0]),
                _ => None,
            });
            let Some(statement) = direct else { return Ok(None) };
            all.push(statement.schedule.unnamed()?.domain()?.intersect_params(self.context)?);
        }
        Ok(Some(all))
    }

    /// Whether later loops go on behind earlier ones.
    fn are_in_order(&self, iterations: &[Set]) -> Result<bool> {
        for (k, earlier) in iterations.iter().enumerate() {
            for later in &iterations[k + 1..] {
                let upward = self.ring.loops[0].step > 0;
                let back = self.pairs(earlier, if upward { "k <= j" } else { "k >= j" })?;
                if !back.intersect_domain(earlier)?.intersect_range(later)?.is_empty()? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// `{ [i, j] -> [i, j'] }` for the iteration so many before.
    fn earlier(&self, like: &Set, iterations: i64) -> Result<Map> {
        self.pairs(like, &format!("k = j - ({})", iterations * self.ring.loops[0].step))
    }

    /// `{ [i, j] -> [i, k] }` with a condition.
    fn pairs(&self, like: &Set, condition: &str) -> Result<Map> {
        let outer: String = (0..like.dimensions()?.saturating_sub(1)).map(|k| format!("o{k}, ")).collect();
        Map::read(like.context(), &format!("{{ [{outer}j] -> [{outer}k] : {condition} }}"))
    }
}

/// `None` of none.
fn united(sets: Vec<Set>) -> Result<Option<Set>> {
    let mut sets = sets.into_iter();
    let Some(first) = sets.next() else { return Ok(None) };
    sets.try_fold(first, |all, set| all.union(&set)).map(Some)
}

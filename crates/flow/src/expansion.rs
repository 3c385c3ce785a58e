//! Values by name: arrays whose cells are written again and again, as arrays of values.
//!
//! Under a time loop with counter t, the value that a write leaves in cell c is called (v, c): v counts how many turns of the
//! loop are still to come, `v = last − t`, and is one more than all of them for what is written in front of the loop. A
//! read is given the name of the value that it gets, by dataflow. Reading and writing values instead of cells, the
//! program computes the same, whichever function v is:
//!
//! ```text
//! name(r, c) = name(w, c)   where w is the last write of c before r
//! ```
//!
//! No other write comes between w and r, so none in the new program does. With names, cells that move through memory have
//! affine mappings: `(c + v) mod (n + 1)` for the two grids of a Jacobi iteration.
//!
//! Where a subscript is nothing but the turn's remainder, as in `u[(t + 1) % 2][i]`, names go without it ([`Parity`]).
//!
//! Each array is then split by *lifetime class* (`lifetime.rs`): the border of a grid, written once and read in every step, gets storage of its own, and so does what
//! is read once more at the end.
//!
//! Example: `for i: Q[i] = …; for t: { for i in 1..n: P[i] = f(Q[i-1], Q[i], Q[i+1]); for i in 1..n: Q[i] = P[i]; }` has the
//! classes Q(v, 1 … n), Q(T, 0), Q(T, n + 1) and P(v, 1 … n). The read `Q[i-1]` is Q(T − t + 1, i − 1), for i = 1 it is Q(T, 0).
//!
//! Paper: SMO (POPL'16) §3.1 (total expansion). Deviation: the values of all statements that write an array stay together,
//! since what matters to a read is which cell and when; splitting is by the cells' lifetimes.

use crate::accesses::{Accesses, union};
use crate::lifetime::lifetime_classes;
use crate::lower::Constraints;
use crate::model::Model;
use crate::names::Names;
use crate::parity::Parity;
use crate::space::Space;
use polyfold_isl::{Context, Map, Result, Set};
use polyfold_scop::{ArrayId, Loop, LoopId, Node, Scop, StatementId};
use std::collections::BTreeMap;

/// A program whose temporaries hold values by name.
pub struct Expansion<'s> {
    /// The program, with the classes behind its own arrays. Its context may be larger than the program's, with any names in what is more: so storage for
    /// the classes is right for more than is needed.
    pub model: Model<'s>,
    /// The parameter values for which names are the program's.
    pub context: Set,
    /// What became of each array, in the order of `ArrayId`s in the model.
    pub classes: Vec<ValueClass>,
    /// What the coordinates of a value in front of its cell's say.
    pub versions: Versions,
}

/// What the coordinates of a value in front of its cell's say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Versions {
    /// There are none: a cell has one value.
    One,
    /// How many turns of this loop are left.
    TurnsLeft(LoopId),
    /// In which turns of so many loops it is written, outermost first.
    Turns(usize),
    /// Which operation writes it: its iterators, and zeros to so many.
    Operations(usize),
}

impl Versions {
    /// How many coordinates they are.
    pub fn dimensions(self) -> usize {
        match self {
            Versions::One => 0,
            Versions::TurnsLeft(_) => 1,
            Versions::Turns(dimensions) | Versions::Operations(dimensions) => dimensions,
        }
    }
}

/// Some cells' values, an array of its own.
#[derive(Clone, Debug)]
pub struct ValueClass {
    /// In the expansion's model.
    pub id: ArrayId,
    /// Whose values.
    pub array: ArrayId,
    /// Coordinates of a value in front of its cell's.
    pub version_dimensions: usize,
    /// Whether it is written in the loop that counts versions.
    pub moves: bool,
    /// Whose accesses touch them, and by which names.
    pub accesses: Vec<NamedAccess>,
}

/// What an access of a statement touches in a class.
#[derive(Clone, Debug)]
pub struct NamedAccess {
    /// The statement.
    pub statement: StatementId,
    /// Which of its accesses.
    pub access: usize,
    /// `{ S[i] -> [v, c] }`, for the operations that touch the class.
    pub name: Map,
}

/// The loops at the top of a program that are sequential and take steps of one: those that can count versions.
pub fn time_loops(body: &[Node]) -> impl Iterator<Item = &Loop> {
    body.iter().filter_map(|node| match node {
        Node::Loop(l) if l.step.abs() == 1 && !l.parallel => Some(l),
        _ => None,
    })
}

impl ValueClass {
    fn is_read(&self, scop: &Scop) -> bool {
        self.accesses.iter().any(|named| scop.statement(named.statement).accesses[named.access].is_read())
    }
}

impl<'s> Expansion<'s> {
    /// The program with values of `arrays` by name, versions counted by a loop at its top or not at all; arrays that cannot
    /// be named are left out. `None`: nothing is won by names, or more than `most` classes are read.
    ///
    /// Left out are arrays with writes that data decides, those that are written behind the loop or not in several turns of it,
    /// and all of them if iterations may run in any order. `taken` is the number of classes that other expansions of the
    /// program have: ids are given once.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn of(
        model: &Model<'s>,
        arrays: &[ArrayId],
        time: Option<LoopId>,
        taken: usize,
        most: usize,
    ) -> Result<Option<Expansion<'s>>> {
        let space = Space { ctx: model.context.context(), scop: model.scop, names: Names::of(model.scop) };
        let naming = Naming { model, space, time: time.and_then(|id| Time::of(model, id)) };
        let mut classes = Vec::new();
        for array in arrays {
            classes.extend(naming.classes(*array)?);
            if classes.iter().filter(|class| class.is_read(model.scop)).count() > most {
                return Ok(None);
            }
        }
        let splits = classes.len() > arrays.len() || classes.iter().any(|class| class.moves);
        if !splits {
            return Ok(None);
        }
        let mut accesses = vec![Accesses::default(); taken];
        for (k, class) in classes.iter_mut().enumerate() {
            class.id = ArrayId(model.scop.arrays.len() + taken + k);
            accesses.push(by_date(model, &class.accesses)?);
        }
        let mut with_classes = model.with_more_arrays(accesses);
        with_classes.context = naming.plain_context()?;
        let versions = naming.time.map_or(Versions::One, |time| Versions::TurnsLeft(time.counter.id));
        Ok(Some(Expansion { model: with_classes, context: model.context.clone(), classes, versions }))
    }
}

/// A loop that counts versions.
struct Time<'s> {
    counter: &'s Loop,
    /// Statements in front of it, and in it.
    before: Vec<StatementId>,
    inside: Vec<StatementId>,
}

impl<'s> Time<'s> {
    fn of(model: &Model<'s>, id: LoopId) -> Option<Time<'s>> {
        let at = model.scop.body.iter().position(|node| matches!(node, Node::Loop(l) if l.id == id))?;
        let counter = time_loops(&model.scop.body[at..=at]).next()?;
        let in_nodes = |nodes: &[Node]| {
            let mut found = Vec::new();
            statements(nodes, &mut found);
            found
        };
        Some(Time { counter, before: in_nodes(&model.scop.body[..at]), inside: in_nodes(&counter.body) })
    }
}

/// The statements in some nodes, in text order, behind those in `found`.
pub fn statements(nodes: &[Node], found: &mut Vec<StatementId>) {
    for node in nodes {
        match node {
            Node::Loop(l) => statements(&l.body, found),
            Node::Guard(g) => {
                statements(&g.then, found);
                statements(&g.otherwise, found);
            }
            Node::Statement(id) => found.push(*id),
        }
    }
}

struct Naming<'a, 's> {
    model: &'a Model<'s>,
    space: Space<'a, 's>,
    time: Option<Time<'s>>,
}

/// An access with what it touches: `{ S[i] -> A[c] }`.
pub(crate) struct Touching {
    pub(crate) statement: StatementId,
    pub(crate) access: usize,
    pub(crate) is_read: bool,
    pub(crate) cells: Map,
}

/// All accesses to an array, in text order.
pub(crate) fn touching(model: &Model, array: ArrayId) -> Result<Vec<Touching>> {
    let space = Space { ctx: model.context.context(), scop: model.scop, names: Names::of(model.scop) };
    let mut found = Vec::new();
    for (k, statement) in model.scop.statements.iter().enumerate() {
        for (access, a) in statement.accesses.iter().enumerate().filter(|(_, a)| a.array == array) {
            let cells = space.access(statement, a)?.intersect_domain(&model.statements[k].domain)?;
            let cells = cells.intersect_params(&model.context)?;
            found.push(Touching { statement: StatementId(k), access, is_read: a.is_read(), cells });
        }
    }
    Ok(found)
}

impl Naming<'_, '_> {
    /// The classes of one array; none if its values cannot be named.
    fn classes(&self, array: ArrayId) -> Result<Vec<ValueClass>> {
        let accesses = self.model.accesses(array);
        let Some(cells) = accesses.cells()? else { return Ok(Vec::new()) };
        if !accesses.may_writes.is_empty() || self.model.unordered.is_some() {
            return Ok(Vec::new());
        }
        let mut touching = touching(self.model, array)?;
        let mut all = self.model.declared_cells(array).unwrap_or(&cells).clone();
        let parity = self.parity(&touching, &all)?;
        let named = match self.time {
            None => self.unversioned(&touching)?,
            Some(_) if !self.is_rewritten(&touching)? => return Ok(Vec::new()),
            Some(_) => match self.versioned(array, &touching, parity.as_ref())? {
                None => return Ok(Vec::new()),
                Some(named) => named,
            },
        };
        if let Some(parity) = parity {
            (touching, all) = (parity.without(&touching)?, parity.without_cells(&all)?);
        }
        let mut classes = Vec::new();
        for cells in lifetime_classes(&self.model.scop.body, &all, &touching)? {
            let mut accesses = Vec::new();
            for (touching, version) in touching.iter().zip(&named) {
                let cells = touching.cells.intersect_range(&cells)?;
                let name = beyond(&version.flat_range_product(&cells)?.coalesce()?, &self.model.context)?;
                if !name.is_empty()? {
                    accesses.push(NamedAccess { statement: touching.statement, access: touching.access, name });
                }
            }
            if accesses.is_empty() {
                continue;
            }
            let version_dimensions = usize::from(self.time.is_some());
            let moves = accesses.iter().any(|access| self.is_written_in_time(access));
            classes.push(ValueClass { id: array, array, version_dimensions, moves, accesses });
        }
        Ok(classes)
    }

    fn is_written_in_time(&self, access: &NamedAccess) -> bool {
        let is_write = self.model.scop.statement(access.statement).accesses[access.access].is_write();
        is_write && self.time.as_ref().is_some_and(|time| time.inside.contains(&access.statement))
    }

    /// The context without remainders, if that adds only parameter values for which the loop has no turn: `u[steps % 2]` behind it has no meaning for an odd
    /// number below 0, and proofs take less work where that is not looked at.
    fn plain_context(&self) -> Result<Set> {
        let context = &self.model.context;
        let Some(time) = &self.time else { return Ok(context.clone()) };
        let plain = context.remove_divs()?.coalesce()?;
        let more = plain.subtract(context)?;
        for id in &time.inside {
            if !self.model.statements[id.0].domain.intersect_params(&more)?.is_empty()? {
                return Ok(context.clone());
            }
        }
        Ok(plain)
    }

    /// The dimension whose coordinate follows from the turn in which a cell is written.
    fn parity(&self, touching: &[Touching], cells: &Set) -> Result<Option<Parity>> {
        let Some(time) = &self.time else { return Ok(None) };
        let mut turns = Vec::new();
        for write in touching.iter().filter(|t| !t.is_read && time.inside.contains(&t.statement)) {
            let Some(count) = self.count(write.statement)? else { return Ok(None) };
            turns.push(count.reverse()?.apply_range(&write.cells)?);
        }
        Parity::of(&turns, cells)
    }

    /// Whether turns of the loop write cells that other turns of it write.
    fn is_rewritten(&self, touching: &[Touching]) -> Result<bool> {
        let Some(time) = &self.time else { return Ok(false) };
        for write in touching.iter().filter(|t| !t.is_read && time.inside.contains(&t.statement)) {
            let Some(turns) = self.count(write.statement)? else { continue };
            if !turns.reverse()?.apply_range(&write.cells)?.is_injective()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// For each access `{ S[i] -> [] }`.
    fn unversioned(&self, touching: &[Touching]) -> Result<Vec<Map>> {
        let nothing = Set::read(self.space.ctx, "{ [] }")?;
        touching.iter().map(|access| access.cells.domain()?.with_each_of(&nothing)).collect()
    }

    /// For each access `{ S[i] -> [v] }`; `None` where it has none, or more than one.
    fn versioned(&self, array: ArrayId, touching: &[Touching], parity: Option<&Parity>) -> Result<Option<Vec<Map>>> {
        let Some(flow) = self.model.flow(array)? else { return Ok(None) };
        let mut versions = BTreeMap::new();
        for write in touching.iter().filter(|t| !t.is_read) {
            let Some(mut version) = self.count(write.statement)? else { return Ok(None) };
            let is_before = self.time.as_ref().is_some_and(|time| time.before.contains(&write.statement));
            if let Some(parity) = parity.filter(|_| is_before) {
                version = parity.turn_before(&version, &write.cells)?;
            }
            let version = in_few_cases(&version, &write.cells.domain()?)?;
            if versions.insert(write.statement, version).is_some() && parity.is_some() {
                return Ok(None);
            }
        }
        let backwards = from_last(self.space.ctx, versions.values())?;
        let mut by_date = Vec::new();
        for (statement, version) in &mut versions {
            *version = version.apply_range(&backwards)?;
            let dates = &self.model.statements[statement.0].schedule;
            by_date.push(dates.reverse()?.apply_range(version)?);
        }
        let Some(by_date) = union(&by_date)? else { return Ok(None) };
        let got = flow.reverse()?.apply_range(&by_date)?;
        let mut named = Vec::new();
        for access in touching {
            if !access.is_read {
                named.push(versions[&access.statement].clone());
                continue;
            }
            let dates = &self.model.statements[access.statement.0].schedule;
            let version = dates.range_product(&access.cells)?.apply_range(&got)?.coalesce()?;
            let is_known = access.cells.domain()?.is_subset(&version.domain()?)?;
            if !is_known || !version.is_single_valued()? {
                return Ok(None);
            }
            named.push(in_few_cases(&version, &access.cells.domain()?)?);
        }
        Ok(Some(named))
    }

    /// `{ S[i] -> [v] }`, with v growing from turn to turn; `None` behind the loop.
    fn count(&self, id: StatementId) -> Result<Option<Map>> {
        let operation = self.space.operation(self.model.scop.statement(id));
        let mut constraints = Constraints::new(&self.space.names);
        let Some(time) = &self.time else { return Ok(None) };
        let sign = if time.counter.step > 0 { "" } else { "-" };
        let turn = if time.inside.contains(&id) {
            format!("{sign}{}", self.space.names.iterators[&time.counter.id])
        } else if time.before.contains(&id) {
            format!("{sign}({}) - 1", constraints.expr(&time.counter.first))
        } else {
            return Ok(None);
        };
        self.space.map(&operation, &format!("[{turn}]"), constraints).map(Some)
    }
}

/// A function on some operations, without remainders that only tell cases apart which agree: what is found for even and for odd turns may be
/// one formula.
fn in_few_cases(version: &Map, operations: &Set) -> Result<Map> {
    let version = version.intersect_domain(operations)?;
    if version.divisions()? == 0 {
        return Ok(version);
    }
    let simpler = version.wrap()?.remove_divs()?.unwrap()?.intersect_domain(&version.domain()?)?.coalesce()?;
    Ok(if simpler.is_single_valued()? { simpler } else { version })
}

/// The same names without remainders that only say for which parameter values the program has a meaning.
fn beyond(name: &Map, context: &Set) -> Result<Map> {
    if name.divisions()? == 0 {
        return Ok(name.clone());
    }
    let simpler = name.wrap()?.remove_divs()?.unwrap()?.coalesce()?;
    let is_same = simpler.is_single_valued()? && simpler.intersect_params(context)?.is_equal(name)?;
    Ok(if is_same { simpler } else { name.clone() })
}

/// `{ [v] -> [last − v] }`, where the last version is the largest of all.
fn from_last<'a>(ctx: &Context, versions: impl Iterator<Item = &'a Map>) -> Result<Map> {
    let all = Set::read(ctx, "{ [v] }")?;
    let mut used = all.subtract(&all)?;
    for version in versions {
        used = used.union(&version.range()?)?;
    }
    let subtract = Map::read(ctx, "{ [last, v] -> [[v] -> [last - v]] }")?;
    used.dim_max(0)?.coalesce()?.graph()?.flat_product(&all)?.apply(&subtract)?.unwrap()
}

/// The accesses of a class as relations from dates to values.
pub(crate) fn by_date(model: &Model, named: &[NamedAccess]) -> Result<Accesses> {
    let mut accesses = Accesses::default();
    for (k, statement) in model.statements.iter().enumerate() {
        let (mut reads, mut writes, mut held) = (Vec::new(), Vec::new(), Vec::new());
        for access in named.iter().filter(|access| access.statement.0 == k) {
            let of = &model.scop.statement(access.statement).accesses[access.access];
            let kinds = if of.is_read() { &mut reads } else { &mut writes };
            for dates in statement.dates_of(of) {
                kinds.push(dates.reverse()?.apply_range(&access.name)?);
            }
            if let Some(end) = statement.end.as_ref().filter(|_| of.is_write() && of.is_in_call()) {
                held.push(end.reverse()?.apply_range(&access.name)?);
            }
        }
        accesses.reads.extend(union(&reads)?.map(|all| all.coalesce()).transpose()?);
        accesses.must_writes.extend(union(&writes)?.map(|all| all.coalesce()).transpose()?);
        accesses.held.extend(union(&held)?.map(|all| all.coalesce()).transpose()?);
    }
    Ok(accesses)
}

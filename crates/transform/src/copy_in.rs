//! Statements run in memory of their own: cells are copied there in front of them, and back behind (copy-in and copy-out, scratchpad
//! promotion).
//!
//! ```text
//! with { for i … { S0(i): B[i] = A[2 * i] + A[0]; } }
//!   =>  with A_local {
//!         for c … { copy A_local[c : 1] = A[2 * c : 1]; }
//!         for i … { S0(i): B[i] = A_local[i] + A_local[0]; }
//!       }
//! ```
//!
//! Copies may stand in front of loops around the statements, and be done an iteration ahead in buffers by turns (double buffering).
//! Several versions may be right for different sizes; for all others the statements stay as they are.
//!
//! Which cells are copied, where they live and when is the caller's to say, and the judges' to check.
//!
//! Source: US 8,661,422. Verdoolaege et al., "Polyhedral parallel code generation for CUDA", TACO 2013.
//!
//! Invariant: the statements keep their order and counters.

use crate::scan::Scan;
use polyfold_isl::Ast;
use polyfold_program::{
    Assign, Buffer, BufferId, Cond, Copy, Home, Int, IntOp, IntType, Invariant, Layout, Local, LocalId, LocalKind,
    Loop, Opaque, Operand, Place, Program, Range, Region, Relation, Role, StatementId, Stmt, Sum, Touched, Use, With,
};

/// One way to run some statements.
pub struct LocalVersion {
    /// When. `None`: in all other cases.
    pub cond: Option<Cond>,
    /// The memory.
    pub arrays: Vec<LocalArray>,
    /// Accesses that find their cells there.
    pub accesses: Vec<LocalAccess>,
    /// What stands right around the statements, and then around each loop around them, innermost first.
    pub around: Vec<Steps>,
    /// The statements that only read, for conditions on data, in their order.
    pub tests: Vec<StatementId>,
}

/// A buffer for cells of an array.
#[derive(Clone, Debug)]
pub struct LocalArray {
    /// The array.
    pub array: BufferId,
    /// The buffer's name.
    pub name: String,
    /// How many cells it has in each dimension.
    pub extents: Vec<Int>,
    /// Of several buffers by turns, the first dimension: which one the statements use.
    pub turn: Option<Int>,
}

/// Where an access finds its cells.
#[derive(Clone, Debug)]
pub struct LocalAccess {
    /// Whose it is.
    pub statement: StatementId,
    /// Whether it reads or writes.
    pub how: Use,
    /// The array.
    pub array: BufferId,
    /// The cell.
    pub index: Vec<Int>,
    /// Each for what is left by those before; the last one is for all of that.
    pub cases: Vec<LocalCase>,
}

/// One place of an access.
#[derive(Clone, Debug)]
pub struct LocalCase {
    /// When it is that one.
    pub cond: Cond,
    /// Which of the buffers.
    pub local: usize,
    /// The cell there.
    pub index: Vec<Int>,
}

/// What stands around some statements.
#[derive(Default)]
pub struct Steps {
    /// The buffers that are there for them.
    pub arrays: Vec<usize>,
    /// In front.
    pub before: Vec<Step>,
    /// Behind.
    pub behind: Vec<Step>,
}

/// A step in front of statements, or behind them.
pub enum Step {
    /// Cells are copied.
    Copies(Copies),
    /// Somebody waits for transfers with a tag.
    Wait(Int),
    /// Other steps, if a condition holds.
    If(Cond, Vec<Step>),
}

/// Loops that copy cells.
pub struct Copies {
    /// Which of the buffers.
    pub local: usize,
    /// Whether they are copied there, and not back.
    pub is_into: bool,
    /// Which one, of several buffers by turns.
    pub turn: Option<Int>,
    /// The loops. A point's coordinates are a cell's, those of its place, and how many cells follow if there are several.
    pub ast: Ast,
    /// Whether there are several.
    pub are_runs: bool,
    /// How cells are copied that lie side by side.
    pub unit: Unit,
    /// What isl's names are.
    pub names: Vec<(String, Int)>,
    /// The name of a counter for the cells of a run.
    pub counter: String,
}

/// How cells are copied that lie side by side.
#[derive(Clone, Debug)]
pub enum Unit {
    /// One by one.
    Cell,
    /// All at once.
    Run,
    /// By transfers that go on until somebody waits.
    Transfer {
        /// The tag.
        tag: Int,
        /// Fewer cells are copied one by one.
        least: i64,
        /// More take several transfers.
        most: Option<i64>,
    },
}

/// Statements that run in memory of their own: those in a block that has none yet.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// One of them.
    pub statement: StatementId,
    /// The counters of the loops around that steps stand around, innermost first.
    pub loops: &'a [LocalId],
}

/// What is known where a version runs, or where its condition is asked.
pub type Known<'a> = dyn FnMut(Option<&LocalVersion>, &[Stmt]) -> Vec<Cond> + 'a;

/// The program in such memory: the first version that holds. `runs_otherwise`: the statements do something where none does. `None`: an
/// access isn't one of those, or something has no name.
pub fn copy_in(
    program: &Program,
    block: Block,
    (versions, runs_otherwise): (&[LocalVersion], bool),
    known: &mut Known,
) -> Option<Program> {
    let (after, is_found) = (program.clone(), false);
    let mut placing = Placing { block, versions, runs_otherwise, known, after, is_found };
    let body = placing.list(&program.body, false)?;
    placing.is_found.then_some(Program { body, ..placing.after })
}

impl Block<'_> {
    /// Whether something is inside a statement.
    fn is_in(&self, stmt: &Stmt) -> bool {
        stmt.assigned().contains(&self.statement)
    }

    /// Whether a statement is the block, with so many of the loops around it.
    fn is_at(&self, stmt: &Stmt, depth: usize) -> bool {
        let is_inner = |stmt: &Stmt| matches!(stmt, Stmt::With(_)) && self.is_in(stmt);
        self.is_in(stmt)
            && match (depth.checked_sub(1), stmt) {
                (None, Stmt::With(own)) => !own.body.iter().any(|stmt| stmt.any(&is_inner)),
                (Some(at), Stmt::For(own)) => own.counter == self.loops[at],
                _ => false,
            }
    }

    fn is_outermost(&self, stmt: &Stmt) -> bool {
        self.is_at(stmt, self.loops.len())
    }
}

struct Placing<'a, 'k> {
    block: Block<'a>,
    versions: &'a [LocalVersion],
    runs_otherwise: bool,
    known: &'a mut Known<'k>,
    /// With what comes.
    after: Program,
    is_found: bool,
}

impl Placing<'_, '_> {
    /// `is_asked`: a condition of the only version stands around.
    fn list(&mut self, list: &[Stmt], is_asked: bool) -> Option<Vec<Stmt>> {
        let mut all = Vec::new();
        for stmt in list {
            match stmt {
                stmt if !self.block.is_in(stmt) => all.push(stmt.clone()),
                stmt if self.block.is_outermost(stmt) => all.extend(self.versions(stmt, is_asked)?),
                Stmt::For(own) => all.push(Stmt::For(Loop { body: self.list(&own.body, is_asked)?, ..own.clone() })),
                Stmt::If { cond, then, other } if self.has_others(then) => {
                    // Where one doesn't hold, both are as they were.
                    let cond = self
                        .versions
                        .iter()
                        .filter_map(|own| own.cond.as_ref())
                        .fold(cond.clone(), |all, own| self.joined(all, own));
                    all.push(Stmt::If { cond, then: self.list(then, true)?, other: other.clone() });
                }
                Stmt::If { cond, then, other } => {
                    let (then, other) = (self.list(then, is_asked)?, self.list(other, is_asked)?);
                    all.push(Stmt::If { cond: cond.clone(), then, other });
                }
                Stmt::With(own) => all.push(Stmt::With(self.with(own, is_asked)?)),
                other => all.push(other.clone()),
            }
        }
        Some(all)
    }

    /// A condition with what another one asks besides. Sizes of one name are the same in front of one loop.
    fn joined(&self, cond: Cond, own: &Cond) -> Cond {
        let named = |cond: &Cond| {
            cond.with_leaves(&mut |e| match e {
                Int::Parameter(id) => {
                    let name = &self.after.parameters[id.0].name;
                    self.after.parameter(name).map_or_else(|| e.clone(), Int::Parameter)
                }
                e => e.clone(),
            })
        };
        match own {
            Cond::And(left, right) => self.joined(self.joined(cond, left), right),
            own if has(&named(&cond), &named(own)) => cond,
            own => Cond::And(Box::new(cond), Box::new(own.clone())),
        }
    }

    /// Whether these are a version of others, which stands around the same loop.
    fn has_others(&self, list: &[Stmt]) -> bool {
        matches!(list, [Stmt::With(own)] if own.body.iter().any(|stmt| self.block.is_outermost(stmt)))
    }

    /// What stands around one loop has one block.
    fn with(&mut self, own: &With, is_asked: bool) -> Option<With> {
        let mut joined = With { body: Vec::new(), ..own.clone() };
        for stmt in self.list(&own.body, is_asked)? {
            match stmt {
                Stmt::With(inner)
                    if !own.buffers.is_empty() && inner.body.iter().any(|stmt| self.block.is_outermost(stmt)) =>
                {
                    joined.buffers.extend(inner.buffers);
                    joined.known.extend(inner.known);
                    joined.body.extend(inner.body);
                }
                other => joined.body.push(other),
            }
        }
        Some(joined)
    }

    fn versions(&mut self, stmt: &Stmt, is_asked: bool) -> Option<Vec<Stmt>> {
        self.is_found = true;
        let mut body = if self.runs_otherwise { vec![stmt.clone()] } else { Vec::new() };
        let mut is_conditional = false;
        for version in self.versions.iter().rev() {
            let first = self.after.buffers.len();
            let buffers: Vec<Buffer> = version.arrays.iter().map(|own| new_buffer(&self.after, own)).collect();
            self.after.buffers.extend(buffers);
            let (locals, tests) = (self.after.locals.clone(), version.tests.iter());
            let mut copying = Copying { version, block: self.block, first, locals, tests };
            let mut own = copying.around(stmt, self.block.loops.len())?;
            if copying.tests.next().is_some() {
                return None;
            }
            self.after.locals = copying.locals;
            if let [Stmt::With(with)] = &mut own[..] {
                with.known = (self.known)(Some(version), &with.body);
            }
            body = match version.cond.as_ref().filter(|_| !is_asked) {
                Some(cond) => vec![Stmt::If { cond: cond.clone(), then: own, other: body }],
                None => own,
            };
            is_conditional |= version.cond.is_some() && !is_asked;
        }
        if is_conditional {
            let known = (self.known)(None, &body);
            body = vec![Stmt::With(With { buffers: Vec::new(), known, body })];
        }
        Some(body)
    }
}

/// Whether a condition asks for another one.
fn has(cond: &Cond, own: &Cond) -> bool {
    cond == own || matches!(cond, Cond::And(left, right) if has(left, own) || has(right, own))
}

fn new_buffer(program: &Program, own: &LocalArray) -> Buffer {
    Buffer {
        name: own.name.clone(),
        role: Role::Temporary,
        extents: own.extents.iter().cloned().map(Some).collect(),
        layout: Layout::Rows,
        home: Home::Inside,
        element: program.buffers[own.array.0].element.clone(),
    }
}

struct Copying<'a> {
    version: &'a LocalVersion,
    block: Block<'a>,
    /// The number of the first new buffer.
    first: usize,
    locals: Vec<Local>,
    /// Those that come next.
    tests: std::slice::Iter<'a, StatementId>,
}

impl Copying<'_> {
    fn buffer(&self, local: usize) -> BufferId {
        BufferId(self.first + local)
    }

    /// The block inside of so many of its loops, with what stands around.
    fn around(&mut self, stmt: &Stmt, depth: usize) -> Option<Vec<Stmt>> {
        let inside = match stmt {
            Stmt::For(own) if depth > 0 => {
                vec![Stmt::For(Loop { body: self.beside(&own.body, depth - 1)?, ..own.clone() })]
            }
            Stmt::With(own) if depth == 0 => self.list(&own.body)?,
            _ => return None,
        };
        let Steps { arrays, before, behind } = &self.version.around[depth];
        let body = [self.steps(before)?, inside, self.steps(behind)?].concat();
        let buffers: Vec<BufferId> = arrays.iter().map(|local| self.buffer(*local)).collect();
        let is_block = depth == 0 || !buffers.is_empty();
        Some(if is_block { vec![Stmt::With(With { buffers, known: Vec::new(), body })] } else { body })
    }

    /// A list with that in it, and something else perhaps.
    fn beside(&mut self, list: &[Stmt], depth: usize) -> Option<Vec<Stmt>> {
        let mut all = Vec::new();
        for stmt in list {
            match stmt {
                stmt if !self.block.is_in(stmt) => all.push(stmt.clone()),
                stmt if self.block.is_at(stmt, depth) => all.extend(self.around(stmt, depth)?),
                Stmt::For(own) => all.push(Stmt::For(Loop { body: self.beside(&own.body, depth)?, ..own.clone() })),
                Stmt::If { cond, then, other } => {
                    let (then, other) = (self.beside(then, depth)?, self.beside(other, depth)?);
                    all.push(Stmt::If { cond: cond.clone(), then, other });
                }
                Stmt::With(own) => all.push(Stmt::With(With { body: self.beside(&own.body, depth)?, ..own.clone() })),
                _ => return None,
            }
        }
        Some(all)
    }

    fn list(&mut self, list: &[Stmt]) -> Option<Vec<Stmt>> {
        list.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&mut self, stmt: &Stmt) -> Option<Stmt> {
        Some(match stmt {
            Stmt::For(own) => Stmt::For(Loop { body: self.list(&own.body)?, ..own.clone() }),
            Stmt::If { cond, then, other } => {
                let cond = match cond.has_data() {
                    true => {
                        let test = *self.tests.next()?;
                        self.changed(|own, is_known| cond.with_cells(&mut |place| own.read(test, place, is_known)))?
                    }
                    false => cond.clone(),
                };
                Stmt::If { cond, then: self.list(then)?, other: self.list(other)? }
            }
            Stmt::Assign(own) => Stmt::Assign(self.assign(own)?),
            Stmt::Opaque(own) => Stmt::Opaque(self.opaque(own)?),
            other => other.clone(),
        })
    }

    /// What has other cells; `None`: some access isn't known.
    fn changed<T>(&self, change: impl FnOnce(&Self, &mut bool) -> T) -> Option<T> {
        let mut is_known = true;
        let changed = change(self, &mut is_known);
        is_known.then_some(changed)
    }

    fn assign(&self, own: &Assign) -> Option<Assign> {
        let target = self.changed(|copying, is_known| {
            let target = copying.with_subscripts(own.statement, &own.target, is_known);
            copying.placed(own.statement, Use::Write, target, is_known)
        })?;
        let value = self.changed(|copying, is_known| {
            own.value.with_cells(&mut |place| match place == own.target {
                // A cell that is written has one place.
                true => target.clone(),
                false => copying.read(own.statement, place, is_known),
            })
        })?;
        Some(Assign { target, value, ..own.clone() })
    }

    fn opaque(&self, own: &Opaque) -> Option<Opaque> {
        let operands = own.operands.iter().map(|operand| match operand {
            Operand::Integer(e) => {
                let e = self.changed(|copying, is_known| {
                    e.with_cells(&mut |place| copying.read(own.statement, place, is_known))
                })?;
                Some(Operand::Integer(e))
            }
            Operand::Cell(cell) => {
                let how = if cell.is_written { Use::Write } else { Use::Read };
                let place = self.changed(|copying, is_known| {
                    let inner = copying.with_subscripts(own.statement, &cell.place, is_known);
                    copying.placed(own.statement, how, inner, is_known)
                })?;
                Some(Operand::Cell(Touched { place, ..cell.clone() }))
            }
        });
        Some(Opaque { operands: operands.collect::<Option<_>>()?, ..own.clone() })
    }

    /// A cell whose subscripts read what they read where that lives now.
    fn with_subscripts(&self, statement: StatementId, place: &Place, is_known: &mut bool) -> Place {
        let Place::Cell { buffer, index } = place else { return place.clone() };
        let mut read = |place: Place| self.read(statement, place, is_known);
        Place::Cell { buffer: *buffer, index: index.iter().map(|e| e.with_cells(&mut read)).collect() }
    }

    fn read(&self, statement: StatementId, place: Place, is_known: &mut bool) -> Place {
        self.placed(statement, Use::Read, place, is_known)
    }

    /// Where a cell lives; it itself if its array stays.
    fn placed(&self, statement: StatementId, how: Use, place: Place, is_known: &mut bool) -> Place {
        let Place::Cell { buffer, index } = &place else { return place };
        if self.version.arrays.iter().all(|own| own.array != *buffer) {
            return place;
        }
        let is_same = |own: &[Int]| own.len() == index.len() && own.iter().zip(index).all(|(a, b)| a.is_same(b));
        let mut accesses = self.version.accesses.iter();
        let access = accesses
            .find(|own| (own.statement, own.how, own.array) == (statement, how, *buffer) && is_same(&own.index));
        let cases = access.map_or(&[][..], |own| &own.cases).iter().rev();
        let found = cases.fold(None, |rest: Option<Place>, case| {
            let own = self.cell(case);
            Some(match rest {
                Some(rest) if rest != own => Place::Select(Box::new(case.cond.clone()), Box::new(own), Box::new(rest)),
                _ => own,
            })
        });
        *is_known &= found.is_some();
        found.unwrap_or(place)
    }

    fn cell(&self, case: &LocalCase) -> Place {
        let turn = self.version.arrays[case.local].turn.iter();
        Place::Cell { buffer: self.buffer(case.local), index: turn.chain(&case.index).cloned().collect() }
    }
}

impl Copying<'_> {
    fn steps(&mut self, steps: &[Step]) -> Option<Vec<Stmt>> {
        let mut all = Vec::new();
        for step in steps {
            match step {
                Step::Wait(tag) => all.push(Stmt::Wait(tag.clone())),
                Step::If(cond, then) => {
                    let then = self.steps(then)?;
                    if !then.is_empty() {
                        all.push(Stmt::If { cond: cond.clone(), then, other: Vec::new() });
                    }
                }
                Step::Copies(copies) => all.extend(self.copies(copies)?),
            }
        }
        Some(all)
    }

    fn copies(&mut self, copies: &Copies) -> Option<Vec<Stmt>> {
        let own = &self.version.arrays[copies.local];
        let (local, array) = (self.buffer(copies.local), own.array);
        let places = own.extents.len() - usize::from(own.turn.is_some());
        let size = |name: &str| copies.names.iter().find(|(own, _)| own == name).map(|(_, e)| e.clone());
        let scan = Scan { size: &size, counter: &|_| (None, true), parallel: &|_, _| false };
        let run = Local { name: copies.counter.to_string(), kind: LocalKind::Integer, held: Some(IntType::LONG) };
        let counter = self.locals.iter().position(|own| *own == run).unwrap_or_else(|| {
            self.locals.push(run);
            self.locals.len() - 1
        });
        scan.list(&copies.ast, &mut self.locals, &mut |_, values| {
            let values: Vec<Int> = values.iter().map(|e| e.tidy(&[])).collect();
            let (values, length) = match copies.are_runs {
                true => values.split_last().map(|(length, values)| (values.to_vec(), length.clone()))?,
                false => (values, Int::Constant(1)),
            };
            let (cell, place) = values.split_at_checked(values.len().checked_sub(places)?)?;
            let place = copies.turn.iter().chain(place).cloned().collect();
            let (cell, place) = ((array, cell.to_vec()), (local, place));
            let (to, from) = if copies.is_into { (place, cell) } else { (cell, place) };
            Some(RunOfCells { to, from, counter: LocalId(counter) }.copied(&copies.unit, length))
        })
    }
}

/// Cells side by side in two buffers.
struct RunOfCells {
    to: (BufferId, Vec<Int>),
    from: (BufferId, Vec<Int>),
    /// Counts the cells.
    counter: LocalId,
}

impl RunOfCells {
    /// So many cells are copied.
    fn copied(&self, unit: &Unit, length: Int) -> Vec<Stmt> {
        let (tag, least, most) = match unit {
            Unit::Cell => return vec![self.one_by_one(length)],
            Unit::Run => return vec![self.part(None, &length, None)],
            Unit::Transfer { tag, least, most } => (tag, *least, *most),
        };
        let known = length.as_constant();
        let transfers = match most.filter(|most| known.is_none_or(|length| length > *most)) {
            Some(most) => {
                let left = Int::binary(IntOp::Subtract, length.clone(), Int::Local(self.counter));
                let count = Int::binary(IntOp::Minimum, left, Int::Constant(most));
                self.counted(&length, most, self.part(Some(Int::Local(self.counter)), &count, Some(tag)))
            }
            None => self.part(None, &length, Some(tag)),
        };
        match known {
            Some(length) if length >= least => vec![transfers],
            Some(_) => vec![self.one_by_one(length)],
            None if least <= 1 => vec![transfers],
            None => {
                let cond = Cond::compare(length.clone(), Relation::GreaterOrEqual, Int::Constant(least));
                vec![Stmt::If { cond, then: vec![transfers], other: vec![self.one_by_one(length)] }]
            }
        }
    }

    fn one_by_one(&self, length: Int) -> Stmt {
        match length {
            Int::Constant(1) => self.part(None, &length, None),
            length => {
                let one = self.part(Some(Int::Local(self.counter)), &Int::Constant(1), None);
                self.counted(&length, 1, one)
            }
        }
    }

    /// A loop over the cells of a run.
    fn counted(&self, length: &Int, step: i64, one: Stmt) -> Stmt {
        Stmt::For(Loop {
            counter: self.counter,
            declares: true,
            first: Some(Int::Constant(0)),
            test: Cond::compare(Int::Local(self.counter), Relation::Less, length.clone()),
            step: Some(step),
            parallel: false,
            vector: false,
            invariant: Invariant::default(),
            body: vec![one],
        })
    }

    /// So many cells from one on.
    fn part(&self, from: Option<Int>, count: &Int, tag: Option<&Int>) -> Stmt {
        let region = |(buffer, index): &(BufferId, Vec<Int>)| {
            let is_last = |k: usize| k + 1 == index.len();
            let first = |k: usize, e: &Int| match from.as_ref().filter(|_| is_last(k)) {
                Some(from) => Sum::of(e, 1).plus_term(from).print(&[]),
                None => e.clone(),
            };
            let count = |k: usize| if is_last(k) { count.clone() } else { Int::Constant(1) };
            let ranges = index.iter().enumerate().map(|(k, e)| Range { first: first(k, e), count: count(k) });
            Region { buffer: *buffer, ranges: ranges.collect() }
        };
        Stmt::Copy(Copy { declares: false, to: region(&self.to), from: region(&self.from), tag: tag.cloned() })
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, Copies, LocalAccess, LocalArray, LocalCase, LocalVersion, Step, Steps, Unit, copy_in};
    use polyfold_isl::{Ast, Context, Map, Set};
    use polyfold_program::{BufferId, Cond, Int, IntOp, LocalId, ParameterId, Program, Relation, StatementId, Use};
    use polyfold_replay::terms::{agree, sizes_to_run};

    const SOURCE: &str = "program p(n, k, m) where n >= 1, k >= 0 { in A[m + n]; inout B[n];
        with { for i = 0 while i < n step 1 { S0(i): B[i] = B[i] + A[i + k]; } } }";
    /// The same in a loop of k from 0 to m, beside another statement.
    const IN_LOOP: &str = "program p(n, q, m) where n >= 1 { in A[m + n]; inout B[n]; out C[m];
        for k = 0 while k < m step 1 {
          with { for i = 0 while i < n step 1 { S0(i): B[i] = B[i] + A[i + k]; } }
          S1(k): C[k] = A[k]; } }";
    const A: usize = 0;
    const B: usize = 1;
    /// The cells of A that an iteration of k reads, and those of B, with their places; and the first one as a run.
    const CELLS: [&str; 2] =
        ["copy[x, y] -> [x] : k <= x < k + n and y = x - k", "copy[x, y] -> [x] : 0 <= x < n and y = x"];
    const RUN: &str = "copy[x, y, l] -> [x] : x = k and y = 0 and l = n";

    fn size(k: usize) -> Int {
        Int::Parameter(ParameterId(k))
    }

    fn plus(e: Int, more: i64) -> Int {
        Int::binary(IntOp::Add, e, Int::Constant(more))
    }

    /// Copies of the only local array, where k is some integer.
    fn copies(cells: &str, (is_into, turn): (bool, Option<Int>), unit: Unit, k: Int) -> Step {
        let ctx = Context::new();
        let dates = Map::read(&ctx, &format!("[n, k, m] -> {{ {cells} }}")).expect("it is isl");
        let context = Set::read(&ctx, "[n, k, m] -> { : n >= 1 and k >= 0 }").expect("it is isl");
        let ast = Ast::of(&[dates], &context, &["c".to_string()]).expect("there are loops");
        let names = [("n", size(0)), ("k", k), ("m", size(2))].map(|(name, e)| (name.to_string(), e)).to_vec();
        let (are_runs, counter) = (!matches!(unit, Unit::Cell), "r".to_string());
        Step::Copies(Copies { local: 0, is_into, turn, ast, are_runs, unit, names, counter })
    }

    /// One of the arrays lives in a local one, with some steps around the statement and the loop around.
    fn with_local(array: usize, around: Vec<Steps>) -> LocalVersion {
        let i = Int::Local(LocalId(0));
        let index = if array == A { Int::binary(IntOp::Add, i.clone(), size(1)) } else { i.clone() };
        let always = Cond::compare(Int::Constant(0), Relation::Equal, Int::Constant(0));
        let access = |how| LocalAccess {
            statement: StatementId(0),
            how,
            array: BufferId(array),
            index: vec![index.clone()],
            cases: vec![LocalCase { cond: always.clone(), local: 0, index: vec![i.clone()] }],
        };
        let array = LocalArray { array: BufferId(array), name: "L".to_string(), extents: vec![size(0)], turn: None };
        let accesses = [Use::Read, Use::Write].map(access).to_vec();
        LocalVersion { cond: None, arrays: vec![array], accesses, around, tests: Vec::new() }
    }

    fn steps(arrays: &[usize], before: Vec<Step>, behind: Vec<Step>) -> Steps {
        Steps { arrays: arrays.to_vec(), before, behind }
    }

    /// What comes of a program, and whether it computes the same.
    fn judged(source: &Program, version: LocalVersion) -> (String, bool) {
        let loops: Vec<LocalId> = version.around.iter().skip(1).map(|_| LocalId(0)).collect();
        let block = Block { statement: StatementId(0), loops: &loops };
        let after = copy_in(source, block, (&[version], true), &mut |_, _| Vec::new()).expect("all accesses are known");
        let ran = agree(source, &after, &sizes_to_run(source, &after), 1_000_000);
        (after.to_string(), ran.is_ok_and(|ran| ran.agreed > 5))
    }

    /// A lives in a local array.
    fn moved(unit: Unit, cells: &str) -> (String, bool) {
        let source = Program::read(&SOURCE.replace("A[m + n]", "A[k + n]")).expect("a program");
        let wait = match &unit {
            Unit::Transfer { tag, .. } => Some(Step::Wait(tag.clone())),
            _ => None,
        };
        let into = copies(cells, (true, None), unit, size(1));
        judged(&source, with_local(A, vec![steps(&[0], [into].into_iter().chain(wait).collect(), Vec::new())]))
    }

    #[test]
    fn cells_are_copied_in_front() {
        let (after, is_same) = moved(Unit::Cell, CELLS[A]);
        assert!(is_same && after.contains("S0(i): B[i] = B[i] + L[i];"), "{after}");
        let (_, is_same) = moved(Unit::Cell, &CELLS[A].replace("k <= x", "k < x"));
        assert!(!is_same, "one cell isn't copied");
        let (_, is_same) = moved(Unit::Cell, &CELLS[A].replace("x < k + n", "x <= k + n"));
        assert!(!is_same, "one cell more isn't there");
    }

    #[test]
    fn runs_are_copied_at_once_or_by_transfers() {
        let (after, is_same) = moved(Unit::Run, RUN);
        assert!(is_same && after.contains("copy L[0 : n] = A[k : n];"), "{after}");
        for (least, most) in [(1, None), (3, None), (1, Some(2)), (2, Some(3))] {
            let (after, is_same) = moved(Unit::Transfer { tag: Int::Constant(1), least, most }, RUN);
            assert!(is_same, "{after}");
        }
    }

    /// The counters of the loop around, and of the loop in it.
    const K: LocalId = LocalId(0);
    const I: LocalId = LocalId(1);

    fn in_loop() -> Program {
        Program::read(IN_LOOP).expect("a program")
    }

    /// The same version of a program in which i is the second counter.
    fn beside_k(version: LocalVersion) -> LocalVersion {
        let moved =
            |e: &mut Int| *e = e.with_leaves(&mut |e| if *e == Int::Local(K) { Int::Local(I) } else { e.clone() });
        let mut version = version;
        for access in &mut version.accesses {
            access.index.iter_mut().for_each(moved);
            access.cases.iter_mut().flat_map(|case| &mut case.index).for_each(moved);
        }
        version
    }

    #[test]
    fn copies_stand_in_front_of_a_loop_around() {
        let source = in_loop();
        let both = [true, false].map(|is_into| copies(CELLS[B], (is_into, None), Unit::Cell, size(1)));
        let [into, back] = both;
        let version = with_local(B, vec![Steps::default(), steps(&[0], vec![into], vec![back])]);
        let (after, is_same) = judged(&source, beside_k(version));
        assert!(is_same && after.find("copy L").unwrap() < after.find("for k").unwrap(), "{after}");
    }

    /// With A in two buffers by turns, the cells of the next iteration are on their way while this one runs.
    #[test]
    fn cells_are_copied_an_iteration_ahead() {
        let source = in_loop();
        let k = || Int::Local(K);
        let turn = |k: Int| Int::binary(IntOp::Remainder, k, Int::Constant(2));
        let ahead = |k: Int, turn_of: Int| {
            let unit = Unit::Transfer { tag: turn(k.clone()), least: 1, most: None };
            copies(RUN, (true, Some(turn(turn_of))), unit, k)
        };
        let run = |own: Int| {
            let more = Cond::compare(plus(k(), 1), Relation::Less, size(2));
            let next = Step::If(more, vec![ahead(plus(k(), 1), own)]);
            let inside = steps(&[], vec![next, Step::Wait(turn(k()))], Vec::new());
            let first = ahead(Int::Constant(0), Int::Constant(0));
            let mut version = beside_k(with_local(A, vec![inside, steps(&[0], vec![first], Vec::new())]));
            let array = &mut version.arrays[0];
            (array.turn, array.extents) = (Some(turn(k())), vec![Int::Constant(2), size(0)]);
            for access in &mut version.accesses {
                access.index = vec![Int::binary(IntOp::Add, Int::Local(I), k())];
            }
            judged(&source, version)
        };
        let (after, is_same) = run(plus(k(), 1));
        assert!(is_same, "{after}");
        let (after, is_same) = run(k());
        assert!(!is_same, "they are where this iteration reads:\n{after}");
    }
}

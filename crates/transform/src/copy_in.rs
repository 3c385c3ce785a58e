//! Statements run in memory of their own: cells are copied there in front of them, and back behind (copy-in and copy-out, scratchpad
//! promotion).
//!
//! ```text
//! for i … { S0(i): B[i] = A[2 * i] + A[0]; }
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
    Loop, Opaque, Operand, ParameterId, Place, Program, Range, Region, Relation, Role, StatementId, Stmt, Sum, Touched,
    Use, With,
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
    /// How many conditions there are around all of this in the next loop around.
    pub guards: usize,
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

/// The program in such memory: the first version that holds. `runs_otherwise`: the statements do something where none does. `None`: an
/// access isn't one of those, or something has no name.
pub fn copy_in(program: &Program, versions: &[LocalVersion], runs_otherwise: bool) -> Option<Program> {
    let mut after = program.clone();
    let mut body = if runs_otherwise { program.body.clone() } else { Vec::new() };
    for version in versions.iter().rev() {
        let first = after.buffers.len();
        after.buffers.extend(version.arrays.iter().map(|own| new_buffer(program, own)));
        let mut copying = Copying { version, first, locals: after.locals.clone(), tests: version.tests.iter() };
        let own = copying.around(&program.body, version.around.len().checked_sub(1)?)?;
        if copying.tests.next().is_some() {
            return None;
        }
        after.locals = copying.locals;
        body = match &version.cond {
            Some(cond) => vec![Stmt::If { cond: cond.clone(), then: own, other: body }],
            None => own,
        };
    }
    Some(Program { body, ..after })
}

/// A loop around statements, whose counter is a size of theirs.
#[derive(Clone, Debug)]
pub struct Around {
    /// The size.
    pub counter: ParameterId,
    /// What it begins with.
    pub first: Int,
    /// Another iteration runs while this holds.
    pub test: Cond,
    /// What is added behind each iteration.
    pub step: i64,
    /// When one gets from an iteration to what is inside.
    pub guards: Vec<Cond>,
}

/// A program inside of loops around it, innermost first.
pub fn surrounded(program: &Program, loops: &[Around]) -> Program {
    let mut around = program.clone();
    for own in loops {
        let size = &program.parameters[own.counter.0];
        let counter = LocalId(around.locals.len());
        around.locals.push(Local { name: size.name.clone(), kind: LocalKind::Integer, held: size.held });
        let guarded = own.guards.iter().fold(std::mem::take(&mut around.body), |then, cond| {
            vec![Stmt::If { cond: cond.clone(), then, other: Vec::new() }]
        });
        let body = Stmt::For(Loop {
            counter,
            declares: true,
            first: Some(own.first.clone()),
            test: own.test.clone(),
            step: Some(own.step),
            parallel: false,
            vector: false,
            invariant: Invariant::default(),
            body: guarded,
        });
        let is_counter = |e: &Int| *e == Int::Parameter(own.counter);
        around.body = vec![body.with_leaves(&mut |e| if is_counter(e) { Int::Local(counter) } else { e.clone() })];
    }
    around
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

    /// Statements inside of so many loops, with what stands around.
    fn around(&mut self, list: &[Stmt], depth: usize) -> Option<Vec<Stmt>> {
        let inside = match (depth, list) {
            (0, list) => self.list(list)?,
            (_, [Stmt::For(own)]) => {
                let body = self.guarded(&own.body, depth - 1, self.version.around[depth - 1].guards)?;
                vec![Stmt::For(Loop { body, ..own.clone() })]
            }
            _ => return None,
        };
        let Steps { arrays, before, behind, .. } = &self.version.around[depth];
        let body = [self.steps(before)?, inside, self.steps(behind)?].concat();
        let buffers: Vec<BufferId> = arrays.iter().map(|local| self.buffer(*local)).collect();
        Some(if buffers.is_empty() { body } else { vec![Stmt::With(With { buffers, body })] })
    }

    /// The same under so many conditions.
    fn guarded(&mut self, list: &[Stmt], depth: usize, guards: usize) -> Option<Vec<Stmt>> {
        match (guards, list) {
            (0, list) => self.around(list, depth),
            (_, [Stmt::If { cond, then, other }]) => {
                let then = self.guarded(then, depth, guards - 1)?;
                Some(vec![Stmt::If { cond: cond.clone(), then, other: other.clone() }])
            }
            _ => None,
        }
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
        let is_same = |own: &[Int]| {
            own.len() == index.len() && own.iter().zip(index).all(|(a, b)| Sum::difference(a, b) == Some(0))
        };
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
    use super::{
        Around, Copies, LocalAccess, LocalArray, LocalCase, LocalVersion, Step, Steps, Unit, copy_in, surrounded,
    };
    use polyfold_isl::{Ast, Context, Map, Set};
    use polyfold_program::{BufferId, Cond, Int, IntOp, LocalId, ParameterId, Program, Relation, StatementId, Use};
    use polyfold_replay::terms::{agree, sizes_to_run};

    const SOURCE: &str = "program p(n, k, m) where n >= 1, k >= 0 { in A[m + n]; inout B[n];
        for i = 0 while i < n step 1 { S0(i): B[i] = B[i] + A[i + k]; } }";
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

    /// One of the arrays lives in a local one, of several buffers perhaps, with some steps around the statement and the loop around.
    fn with_local(array: usize, turn: Option<Int>, around: Vec<Steps>) -> LocalVersion {
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
        let extents = turn.iter().map(|_| Int::Constant(2)).chain([size(0)]).collect();
        let array = LocalArray { array: BufferId(array), name: "L".to_string(), extents, turn };
        let accesses = [Use::Read, Use::Write].map(access).to_vec();
        LocalVersion { cond: None, arrays: vec![array], accesses, around, tests: Vec::new() }
    }

    fn steps(arrays: &[usize], before: Vec<Step>, behind: Vec<Step>) -> Steps {
        Steps { guards: 0, arrays: arrays.to_vec(), before, behind }
    }

    /// What comes of a program, and whether it computes the same.
    fn judged(source: &Program, version: LocalVersion) -> (String, bool) {
        let after = copy_in(source, &[version], true).expect("all accesses are known");
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
        judged(&source, with_local(A, None, vec![steps(&[0], [into].into_iter().chain(wait).collect(), Vec::new())]))
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

    /// The program in a loop of k from 0 to m.
    fn in_loop() -> Program {
        let test = Cond::compare(size(1), Relation::Less, size(2));
        let own = Around { counter: ParameterId(1), first: Int::Constant(0), test, step: 1, guards: Vec::new() };
        surrounded(&Program::read(SOURCE).expect("a program"), &[own])
    }

    #[test]
    fn copies_stand_in_front_of_a_loop_around() {
        let source = in_loop();
        let both = [true, false].map(|is_into| copies(CELLS[B], (is_into, None), Unit::Cell, size(1)));
        let [into, back] = both;
        let (after, is_same) =
            judged(&source, with_local(B, None, vec![Steps::default(), steps(&[0], vec![into], vec![back])]));
        assert!(is_same && after.find("copy L").unwrap() < after.find("for let k").unwrap(), "{after}");
    }

    /// With A in two buffers by turns, the cells of the next iteration are on their way while this one runs.
    #[test]
    fn cells_are_copied_an_iteration_ahead() {
        let source = in_loop();
        let k = || Int::Local(LocalId(1));
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
            let mut version = with_local(A, Some(turn(k())), vec![inside, steps(&[0], vec![first], Vec::new())]);
            for access in &mut version.accesses {
                access.index = vec![Int::binary(IntOp::Add, Int::Local(LocalId(0)), k())];
            }
            judged(&source, version)
        };
        let (after, is_same) = run(plus(k(), 1));
        assert!(is_same, "{after}");
        let (after, is_same) = run(k());
        assert!(!is_same, "they are where this iteration reads:\n{after}");
    }
}

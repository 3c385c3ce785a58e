//! Runs one program over terms.

use super::choices::Choices;
use super::memory::{Cells, Memory, Subscript, may_mean};
use super::table::{Node, Term, Terms};
use polyfold_program::{
    Assign, Buffer, BufferId, Cond, Copy, Int, IntType, LocalId, LocalValue, Loop, Op, Opaque, Operand, Place, Program,
    Region, Role, StatementId, Stmt, Value,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What a program does that no C program may, or that goes beyond a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// The instance at which: a statement's name and counters.
    pub at: Option<(String, Vec<i64>)>,
}

/// The kinds of faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A subscript leaves its buffer.
    Outside {
        /// Whose cell was meant.
        buffer: String,
        /// Its subscripts.
        index: Vec<i64>,
    },
    /// A number is past 64 bits, or something is divided by 0.
    Number,
    /// A local has no value yet.
    NoValue(String),
    /// The bound of work is reached.
    Bound,
    /// Two iterations that may run at once touch one cell, and one writes it.
    Race {
        /// Whose cell.
        buffer: String,
        /// Its subscripts.
        index: Vec<i64>,
    },
    /// A parallel loop whose counter the body advances.
    NotCounted,
    /// Something is chosen by a cell of a temporary that was never written.
    Undefined,
    /// A region has other counts than the one that it is copied from.
    Regions,
    /// A cell is used while a transfer is under way that writes it, or is written while one reads it; or nobody waits for one.
    UnderWay {
        /// Whose cell.
        buffer: String,
        /// Its subscripts.
        index: Vec<i64>,
    },
    /// Data decide a number that has to be known: where a loop ends, or to which cell a pointer leads.
    Data,
    /// Any cell of a buffer may be meant, and nobody says how many it has.
    Unbounded(String),
}

type Result<T> = std::result::Result<T, FaultKind>;

/// Cells that a buffer may have.
const MOST_CELLS: i64 = 1 << 24;

/// So many cells begin in the time of one iteration.
const CELLS_AT_ONCE: u64 = 256;

#[derive(Clone, PartialEq, Eq)]
enum Held {
    Integer(i64),
    Address(BufferId, Vec<i64>),
}

/// The cell that a place means.
enum Meant {
    Cell(BufferId, Vec<i64>),
    /// Data decide some subscripts.
    Any(BufferId, Vec<Subscript>),
}

/// The cells that iterations of a loop touched which may run at once.
#[derive(Default)]
struct Iterations {
    now: usize,
    /// Of a loop for vectors: where its assignments stand in its body. Others may run in any order.
    places: Option<Places>,
    /// Where the assignment stands that runs now.
    moment: usize,
    touched: HashMap<(BufferId, usize), Touched>,
}

/// Where assignments stand in a body.
struct Places {
    of: HashMap<*const Assign, usize>,
    /// Under conditions compilers put statements one behind the other as they like.
    has_conditions: bool,
}

impl Places {
    fn of(body: &[Stmt]) -> Places {
        let mut places = Places { of: HashMap::new(), has_conditions: false };
        let mut note = |stmt: &Stmt| match stmt {
            Stmt::Assign(own) => {
                let place = places.of.len();
                places.of.insert(std::ptr::from_ref(own), place);
            }
            Stmt::If { .. } => places.has_conditions = true,
            _ => {}
        };
        body.iter().for_each(|stmt| stmt.each(&mut note));
        places
    }
}

/// The iterations that touched a cell.
#[derive(Clone, Copy, Default)]
struct Touched {
    /// One that did.
    by: usize,
    /// Whether there is another one.
    by_others: bool,
    is_written: bool,
    /// The last moment at which an iteration before this one has read it.
    read_before: Option<usize>,
    /// This iteration, and its last moment.
    read_now: Option<(usize, usize)>,
}

impl Touched {
    /// Whether it may be touched in vectors: no earlier iteration has written it. One may have read it, in this statement or in
    /// one that stands in front of it.
    fn may_be(&mut self, (now, moment): (usize, usize), writes: bool, has_conditions: bool) -> bool {
        if let Some((iteration, last)) = self.read_now
            && iteration < now
        {
            self.read_before = self.read_before.max(Some(last));
            self.read_now = None;
        }
        let is_fine = match writes {
            true => {
                (!self.is_written || self.by == now)
                    && self.read_before.is_none_or(|last| !has_conditions && last <= moment)
            }
            false => !self.is_written || self.by == now,
        };
        match writes {
            true => (self.by, self.is_written) = (now, true),
            false => self.read_now = Some((now, moment)),
        }
        is_fine
    }
}

/// What a program leaves behind.
pub(super) struct Left {
    /// In the cells of each buffer that others see, as far as they were written.
    pub(super) cells: Vec<(String, BTreeMap<usize, Term>)>,
    /// The last opaque statement, and so all of them.
    pub(super) effects: Term,
}

pub(super) struct Machine<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    parameters: Vec<i64>,
    choices: Choices,
    backwards: bool,
    /// Statements and iterations that may still run.
    pub(super) work: u64,
    locals: Vec<Option<Held>>,
    memory: Vec<Memory>,
    parallel: Vec<Iterations>,
    transfers: Vec<Transfer>,
    effects: Term,
    now: Option<(StatementId, Vec<i64>)>,
}

/// A copied cell, until somebody waits for it.
struct Transfer {
    tag: i64,
    to: (BufferId, usize),
    from: (BufferId, usize),
}

impl<'a> Machine<'a> {
    /// In front of the first statement, for values of the parameters in their order.
    pub(super) fn new(
        program: &'a Program,
        terms: &'a mut Terms,
        parameters: Vec<i64>,
        (choices, backwards): (Choices, bool),
        work: u64,
    ) -> std::result::Result<Machine<'a>, Fault> {
        let effects = terms.of(Node::Left { by: Vec::new(), text: String::new(), number: 0 });
        let locals = vec![None; program.locals.len()];
        let (memory, parallel, transfers, now) = (Vec::new(), Vec::new(), Vec::new(), None);
        let mut machine = Machine {
            program,
            terms,
            parameters,
            choices,
            backwards,
            work,
            locals,
            memory,
            parallel,
            transfers,
            effects,
            now,
        };
        for buffer in &program.buffers {
            let fresh = machine.fresh(&buffer.extents).map_err(|kind| Fault { kind, at: None })?;
            machine.memory.push(fresh);
        }
        Ok(machine)
    }

    fn fresh(&mut self, extents: &[Option<Int>]) -> Result<Memory> {
        let mut all = Vec::new();
        let mut count: i64 = 1;
        for extent in extents {
            let Some(extent) = extent else {
                all.push(None);
                continue;
            };
            let extent = self.int(extent)?.max(0);
            count = count.checked_mul(extent).filter(|count| *count <= MOST_CELLS).ok_or(FaultKind::Bound)?;
            all.push(Some(extent));
        }
        let named = all.contains(&None).then(Cells::default);
        self.work = self.work.checked_sub(count as u64 / CELLS_AT_ONCE).ok_or(FaultKind::Bound)?;
        let count = if named.is_some() { 0 } else { usize::try_from(count).map_err(|_| FaultKind::Number)? };
        Ok(Memory { extents: all, cells: vec![None; count], written: Vec::new(), named })
    }

    /// What buffers are called in both programs: of those that others see, blocks may declare several of one name.
    fn called(program: &Program) -> Vec<String> {
        let mut known: HashMap<(&str, bool), usize> = HashMap::new();
        let name = |buffer: &'_ Buffer, count: usize| match count {
            0 => buffer.name.clone(),
            count => format!("{}, declared again ({count})", buffer.name),
        };
        let mut all = Vec::new();
        for buffer in &program.buffers {
            let count = known.entry((&buffer.name, buffer.role == Role::Temporary)).or_default();
            all.push(name(buffer, *count));
            *count += 1;
        }
        all
    }

    /// The cells that were used of buffers that may have any number of them.
    pub(super) fn used(&self) -> HashMap<String, Cells> {
        let all = Machine::called(self.program).into_iter().zip(&self.memory);
        all.filter_map(|(name, memory)| Some((name, memory.named.clone()?))).collect()
    }

    /// No other cells of such buffers are there.
    pub(super) fn has_only(&mut self, used: &HashMap<String, Cells>) {
        for (name, memory) in Machine::called(self.program).iter().zip(&mut self.memory) {
            memory.has_only(used.get(name).cloned().unwrap_or_default());
        }
    }

    /// Whether what is known of the sizes holds.
    pub(super) fn is_within_context(&mut self) -> bool {
        let program = self.program;
        program.context.iter().all(|cond| self.cond(cond) == Ok(true))
    }

    /// Runs the program; what is left in the cells that others see, by buffer, and of effects.
    pub(super) fn run(&mut self) -> std::result::Result<Left, Fault> {
        let program = self.program;
        if let Err(kind) = self.list(&program.body).and_then(|()| self.transfers_of(None)) {
            let named = |(id, at): (StatementId, Vec<i64>)| (program.statements[id.0].clone(), at);
            return Err(Fault { kind, at: self.now.take().map(named) });
        }
        let outs = (0..program.buffers.len()).map(BufferId).filter(|id| program.buffers[id.0].role.is_out());
        let names = Machine::called(program);
        let cells = outs.map(|id| (names[id.0].clone(), self.contents(id))).collect();
        Ok(Left { cells, effects: self.effects })
    }

    fn contents(&self, id: BufferId) -> BTreeMap<usize, Term> {
        let memory = &self.memory[id.0];
        memory.written.iter().filter_map(|flat| Some((*flat, memory.cells[*flat]?))).collect()
    }

    /// A buffer that others see.
    fn seen(&self, buffer: &str) -> Option<BufferId> {
        let is_it = |id: &usize| self.program.buffers[*id].role.is_out();
        let names = Machine::called(self.program);
        (0..names.len()).filter(is_it).find(|id| names[*id] == buffer).map(BufferId)
    }

    /// The subscripts of a cell that others see.
    pub(super) fn index(&self, buffer: &str, flat: usize) -> Vec<i64> {
        self.seen(buffer).map_or_else(Vec::new, |id| self.memory[id.0].index(flat))
    }

    /// What a cell holds that others see, if nobody writes it.
    pub(super) fn untouched(&mut self, buffer: &str, flat: usize) -> Option<Term> {
        self.seen(buffer).map(|id| self.first(id, flat))
    }

    /// Whether no cell is in a term that was never written.
    pub(super) fn is_defined(&self, term: Term) -> bool {
        self.terms.is_defined(term)
    }

    /// The buffers that others see: name, whether they have values from before and behind, and extents.
    pub(super) fn interface(&self) -> BTreeSet<(String, bool, bool, Vec<Option<i64>>)> {
        let all = self.program.buffers.iter().zip(Machine::called(self.program)).zip(&self.memory);
        let seen = all.filter(|((buffer, _), _)| buffer.role != Role::Temporary);
        let one = |((buffer, name), memory): ((&Buffer, String), &Memory)| {
            (name, buffer.role.is_in(), buffer.role.is_out(), memory.extents.clone())
        };
        seen.map(one).collect()
    }

    fn list(&mut self, body: &[Stmt]) -> Result<()> {
        body.iter().try_for_each(|stmt| self.stmt(stmt))?;
        // What is declared in a list has no value behind it, unless somebody else sees it.
        for stmt in body {
            if let Some(buffer) = stmt.declared()
                && self.program.buffers[buffer.0].role == Role::Temporary
            {
                self.forget(buffer);
            }
        }
        Ok(())
    }

    /// Its cells have no values any more.
    fn forget(&mut self, buffer: BufferId) {
        self.memory[buffer.0].cells.fill(None);
        self.memory[buffer.0].written.clear();
        self.parallel.iter_mut().for_each(|own| own.touched.retain(|(other, _), _| *other != buffer));
    }

    /// No transfer is under way from or to a buffer, or at all.
    fn transfers_of(&self, buffer: Option<BufferId>) -> Result<()> {
        let has = |(own, _): (BufferId, usize)| buffer.is_none_or(|buffer| buffer == own);
        let left = self.transfers.iter().find(|own| has(own.to) || has(own.from));
        left.map_or(Ok(()), |own| Err(self.under_way(own.to)))
    }

    fn under_way(&self, (buffer, flat): (BufferId, usize)) -> FaultKind {
        let index = self.memory[buffer.0].index(flat);
        FaultKind::UnderWay { buffer: self.program.buffers[buffer.0].name.clone(), index }
    }

    fn spend(&mut self) -> Result<()> {
        self.work = self.work.checked_sub(1).ok_or(FaultKind::Bound)?;
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<()> {
        self.spend()?;
        match stmt {
            Stmt::For(own) if own.parallel => self.parallel(own),
            Stmt::For(own) => self.for_(own),
            Stmt::If { cond, then, other } => {
                let holds = self.cond(cond)?;
                self.list(if holds { then } else { other })
            }
            Stmt::Assign(own @ Assign { statement, at, target, value, .. }) => {
                for iterations in &mut self.parallel {
                    let place = iterations.places.as_ref().and_then(|places| places.of.get(&std::ptr::from_ref(own)));
                    iterations.moment = place.copied().unwrap_or_default();
                }
                self.instance(*statement, at)?;
                let value = self.value(value)?;
                self.write(target, value)
            }
            Stmt::Let { local, value } | Stmt::Set { local, value } => {
                let held = match value {
                    LocalValue::Integer(e) => Held::Integer(self.int(e)?),
                    LocalValue::Address(place) => match self.named(place)? {
                        Meant::Cell(buffer, index) if self.memory[buffer.0].has_address(&index) => {
                            Held::Address(buffer, index)
                        }
                        Meant::Cell(buffer, index) => {
                            let buffer = self.program.buffers[buffer.0].name.clone();
                            return Err(FaultKind::Outside { buffer, index });
                        }
                        Meant::Any(..) => return Err(FaultKind::Data),
                    },
                };
                self.locals[local.0] = Some(held);
                Ok(())
            }
            Stmt::Copy(copy) => self.copy(copy),
            Stmt::Wait(tag) => {
                let tag = self.int(tag)?;
                self.transfers.retain(|own| own.tag != tag);
                Ok(())
            }
            Stmt::With(own) => {
                own.buffers.iter().for_each(|id| self.forget(*id));
                self.list(&own.body)?;
                own.buffers.iter().try_for_each(|id| self.transfers_of(Some(*id)))?;
                own.buffers.iter().for_each(|id| self.forget(*id));
                Ok(())
            }
            Stmt::Opaque(own) => self.opaque(own),
        }
    }

    fn instance(&mut self, statement: StatementId, at: &[Int]) -> Result<()> {
        self.now = Some((statement, at.iter().map(|e| self.int(e)).collect::<Result<_>>()?));
        Ok(())
    }

    fn for_(&mut self, own: &Loop) -> Result<()> {
        if let Some(first) = &own.first {
            self.locals[own.counter.0] = Some(Held::Integer(self.int(first)?));
        }
        if own.vector {
            let places = Some(Places::of(&own.body));
            self.parallel.push(Iterations { places, ..Iterations::default() });
        }
        while self.cond(&own.test)? {
            self.spend()?;
            self.list(&own.body)?;
            if let (true, Some(iterations)) = (own.vector, self.parallel.last_mut()) {
                iterations.now += 1;
            }
            if let Some(step) = own.step {
                let next = self.counter(own.counter)?.checked_add(step).ok_or(FaultKind::Number)?;
                self.locals[own.counter.0] = Some(Held::Integer(next));
            }
        }
        if own.vector {
            self.parallel.pop();
        }
        Ok(())
    }

    /// Iterations in any order see no local of another one.
    fn parallel(&mut self, own: &Loop) -> Result<()> {
        let (Some(first), Some(step)) = (&own.first, own.step) else { return Err(FaultKind::NotCounted) };
        let before = self.locals.clone();
        let mut counter = self.int(first)?;
        let mut counters = Vec::new();
        loop {
            self.locals[own.counter.0] = Some(Held::Integer(counter));
            if !self.cond(&own.test)? {
                break;
            }
            self.spend()?;
            counters.push(counter);
            counter = counter.checked_add(step).ok_or(FaultKind::Number)?;
        }
        if self.backwards {
            counters.reverse();
        }
        self.parallel.push(Iterations::default());
        for (now, value) in counters.into_iter().enumerate() {
            self.locals.clone_from(&before);
            self.locals[own.counter.0] = Some(Held::Integer(value));
            if let Some(iterations) = self.parallel.last_mut() {
                iterations.now = now;
            }
            self.list(&own.body)?;
        }
        self.parallel.pop();
        self.locals = before;
        self.locals[own.counter.0] = Some(Held::Integer(counter));
        Ok(())
    }

    fn copy(&mut self, Copy { to, from, tag, .. }: &Copy) -> Result<()> {
        let (to_cells, from_cells) = (self.region(to)?, self.region(from)?);
        // Dimensions of one cell needn't be there.
        let longer = |counts: Vec<i64>| counts.into_iter().filter(|count| *count != 1).collect::<Vec<_>>();
        if longer(to_cells.0) != longer(from_cells.0) {
            return Err(FaultKind::Regions);
        }
        let mut values = Vec::new();
        for index in from_cells.1 {
            self.spend()?;
            let flat = self.flat(from.buffer, &index, false)?;
            values.push((flat, self.held(from.buffer, flat)));
        }
        let tag = tag.as_ref().map(|tag| self.int(tag)).transpose()?;
        let mut begun = Vec::new();
        for (index, (source, value)) in to_cells.1.into_iter().zip(values) {
            let flat = self.flat(to.buffer, &index, true)?;
            self.store(to.buffer, flat, value);
            begun.extend(tag.map(|tag| Transfer { tag, to: (to.buffer, flat), from: (from.buffer, source) }));
        }
        self.transfers.extend(begun);
        Ok(())
    }

    /// The counts of a region, and its cells in row-major order.
    fn region(&mut self, region: &Region) -> Result<(Vec<i64>, Vec<Vec<i64>>)> {
        let mut counts = Vec::new();
        let mut cells: Vec<Vec<i64>> = vec![Vec::new()];
        for range in &region.ranges {
            let (first, count) = (self.int(&range.first)?, self.int(&range.count)?.max(0));
            counts.push(count);
            let mut longer = Vec::new();
            for cell in &cells {
                for k in 0..count {
                    self.spend()?;
                    longer.push([&cell[..], &[first.checked_add(k).ok_or(FaultKind::Number)?]].concat());
                }
            }
            cells = longer;
        }
        Ok((counts, cells))
    }

    fn opaque(&mut self, own: &Opaque) -> Result<()> {
        self.instance(own.statement, &own.at)?;
        let mut by = if own.has_effects { vec![self.effects] } else { Vec::new() };
        let mut late = Vec::new();
        for operand in &own.operands {
            match operand {
                Operand::Integer(e) => {
                    let number = self.int(e)?;
                    by.push(self.terms.of(Node::Integer(number, IntType::Unknown)));
                }
                Operand::Cell(cell) if cell.is_read => {
                    by.push(self.read(&cell.place)?);
                    late.extend((cell.in_call && !cell.is_written).then_some((&cell.place, by.len() - 1)));
                }
                Operand::Cell(_) => {}
            }
        }
        self.leave(own, &by)?;
        // A function may read a cell behind its writes.
        let first = by.clone();
        for (place, at) in late {
            by[at] = self.read(place)?;
        }
        if by != first { self.leave(own, &[first, by].concat()) } else { Ok(()) }
    }

    /// What is left in the cells of an opaque statement by what it has read.
    fn leave(&mut self, own: &Opaque, by: &[Term]) -> Result<()> {
        let left = |number: usize| Node::Left { by: by.to_vec(), text: own.text.clone(), number };
        if own.has_effects {
            self.effects = self.terms.of(left(0));
        }
        for (k, cell) in own.cells().enumerate().filter(|(_, cell)| cell.is_written) {
            let term = self.terms.of(left(k + 1));
            self.write(&cell.place, term)?;
        }
        Ok(())
    }

    fn counter(&self, id: LocalId) -> Result<i64> {
        match &self.locals[id.0] {
            Some(Held::Integer(value)) => Ok(*value),
            _ => Err(FaultKind::NoValue(self.program.locals[id.0].name.clone())),
        }
    }

    fn int(&mut self, e: &Int) -> Result<i64> {
        match e {
            Int::Constant(value) => Ok(*value),
            Int::Parameter(id) => Ok(self.parameters[id.0]),
            Int::Local(id) => self.counter(*id),
            Int::Binary(op, left, right) => {
                let (left, right) = (self.int(left)?, self.int(right)?);
                op.apply(left, right).ok_or(FaultKind::Number)
            }
            Int::Select(cond, yes, no) => {
                let holds = self.cond(cond)?;
                self.int(if holds { yes } else { no })
            }
            Int::Data(_) => Err(FaultKind::Data),
        }
    }

    fn subscript(&mut self, e: &Int) -> Result<Subscript> {
        let Some(value) = e.as_data() else { return Ok(Subscript::Known(self.int(e)?)) };
        let term = self.value(value)?;
        match self.terms.node(term) {
            Node::Integer(number, _) => Ok(Subscript::Known(*number)),
            _ if self.terms.is_defined(term) => Ok(Subscript::Unknown(term)),
            _ => Err(FaultKind::Undefined),
        }
    }

    fn cond(&mut self, cond: &Cond) -> Result<bool> {
        match cond {
            Cond::Compare(relation, left, right) => {
                let (left, right) = (self.int(left)?, self.int(right)?);
                Ok(relation.holds(left, right))
            }
            Cond::And(left, right) => Ok(self.cond(left)? && self.cond(right)?),
            Cond::Or(left, right) => Ok(self.cond(left)? || self.cond(right)?),
            Cond::Not(inner) => Ok(!self.cond(inner)?),
            Cond::Data(value) => {
                let term = self.value(value)?;
                if !self.terms.is_defined(term) {
                    return Err(FaultKind::Undefined);
                }
                Ok(self.choices.holds(self.terms, term))
            }
        }
    }

    fn value(&mut self, value: &Value) -> Result<Term> {
        match value {
            Value::Read(place) => self.read(place),
            Value::Integer(e, held) => {
                let number = self.int(e)?;
                Ok(self.terms.of(Node::Integer(number, *held)))
            }
            Value::Choice(cond, yes, no) => {
                let holds = self.cond(cond)?;
                self.value(if holds { yes } else { no })
            }
            Value::Apply(Op::Select(_), operands) if operands.len() == 1 => {
                let mut all = Vec::new();
                operands[0].each_read(&mut |place| all.push(place));
                // Cells without a value are read for nothing, those that aren't there never.
                all.into_iter().try_for_each(|place| self.read(place).map(|_| ()))?;
                self.value(&operands[0])
            }
            Value::Apply(op, operands) => self.apply(op, operands),
        }
    }

    fn apply(&mut self, op: &Op, operands: &[Value]) -> Result<Term> {
        let operands = operands.iter().map(|operand| self.value(operand)).collect::<Result<Vec<Term>>>()?;
        Ok(self.terms.of(Node::Apply(op.clone(), operands)))
    }

    /// The cell that is meant, whether its buffer has it or not.
    fn named(&mut self, place: &Place) -> Result<Meant> {
        match place {
            Place::Cell { buffer, index } => {
                let at = index.iter().map(|e| self.subscript(e)).collect::<Result<Vec<Subscript>>>()?;
                let known = |own: &Subscript| match own {
                    Subscript::Known(number) => Some(*number),
                    Subscript::Unknown(_) => None,
                };
                Ok(match at.iter().map(known).collect() {
                    Some(index) => Meant::Cell(*buffer, index),
                    None => Meant::Any(*buffer, at),
                })
            }
            Place::Through { pointer, index } => {
                let behind = index.iter().map(|e| self.int(e)).collect::<Result<Vec<i64>>>()?;
                let Some(Held::Address(buffer, index)) = &self.locals[pointer.0] else {
                    return Err(FaultKind::NoValue(self.program.locals[pointer.0].name.clone()));
                };
                let (buffer, mut index) = (*buffer, index.clone());
                let mut further = behind.iter().rev();
                for (own, by) in index.iter_mut().rev().zip(further.by_ref()) {
                    *own = own.checked_add(*by).ok_or(FaultKind::Number)?;
                }
                if further.any(|by| *by != 0) {
                    let buffer = self.program.buffers[buffer.0].name.clone();
                    return Err(FaultKind::Outside { buffer, index: behind });
                }
                Ok(Meant::Cell(buffer, index))
            }
            Place::Select(cond, yes, no) => {
                let holds = self.cond(cond)?;
                self.named(if holds { yes } else { no })
            }
        }
    }

    /// Where a cell is in its buffer.
    fn flat(&mut self, buffer: BufferId, index: &[i64], writes: bool) -> Result<usize> {
        let Some(flat) = self.memory[buffer.0].flat(index) else {
            let buffer = self.program.buffers[buffer.0].name.clone();
            return Err(FaultKind::Outside { buffer, index: index.to_vec() });
        };
        self.touch(buffer, flat, writes)?;
        Ok(flat)
    }

    /// The cells that subscripts may mean.
    fn meant(&mut self, buffer: BufferId, at: &[Subscript], writes: bool) -> Result<Vec<usize>> {
        let memory = &self.memory[buffer.0];
        if memory.named.is_some() {
            return Err(FaultKind::Unbounded(self.program.buffers[buffer.0].name.clone()));
        }
        let all: Vec<usize> = (0..memory.cells.len()).filter(|flat| may_mean(at, &memory.index(*flat))).collect();
        for flat in &all {
            self.spend()?;
            self.touch(buffer, *flat, writes)?;
        }
        Ok(all)
    }

    /// The subscripts as terms, if the known ones are in the buffer.
    fn terms_of(&mut self, buffer: BufferId, at: &[Subscript]) -> Result<Vec<Term>> {
        if !self.memory[buffer.0].has(at) {
            let index = at.iter().map(|own| if let Subscript::Known(own) = own { *own } else { 0 }).collect();
            return Err(FaultKind::Outside { buffer: self.program.buffers[buffer.0].name.clone(), index });
        }
        let of = |own: &Subscript| match own {
            Subscript::Known(number) => self.terms.of(Node::Integer(*number, IntType::Unknown)),
            Subscript::Unknown(term) => *term,
        };
        Ok(at.iter().map(of).collect())
    }

    /// What the cell holds that data mean.
    fn picked(&mut self, id: BufferId, at: &[Subscript]) -> Result<Term> {
        let terms = self.terms_of(id, at)?;
        if !self.parallel.is_empty() {
            self.meant(id, at, false)?;
        }
        let memory = &self.memory[id.0];
        let buffer = &self.program.buffers[id.0];
        let untouched = (buffer.role != Role::Temporary).then(|| buffer.name.clone());
        let of_cell = |flat: &usize| Some((memory.index(*flat), memory.cells[*flat]?));
        let has_value = |term: Term| untouched.is_some() || self.terms.is_defined(term);
        let is_meant = |(cell, term): &(Vec<i64>, Term)| may_mean(at, cell) && has_value(*term);
        let mut written: Vec<(Vec<i64>, Term)> = memory.written.iter().filter_map(of_cell).filter(is_meant).collect();
        written.sort();
        self.work = self.work.checked_sub(written.len() as u64).ok_or(FaultKind::Bound)?;
        if untouched.is_none() && written.is_empty() {
            return Err(FaultKind::Undefined);
        }
        let term = self.terms.of(Node::Picked { untouched, written, at: terms });
        Ok(self.terms.converted(&buffer.element, term))
    }

    /// Writes the cell that data mean.
    fn write_any(&mut self, id: BufferId, at: &[Subscript], new: Term) -> Result<()> {
        let terms = self.terms_of(id, at)?;
        for flat in self.meant(id, at, true)? {
            let (cell, old) = (self.memory[id.0].index(flat), self.held(id, flat));
            let new = self.terms.converted(&self.program.buffers[id.0].element, new);
            let term = self.terms.of(Node::Maybe { cell, at: terms.clone(), new, old });
            self.store(id, flat, term);
        }
        Ok(())
    }

    fn touch(&mut self, buffer: BufferId, flat: usize, writes: bool) -> Result<()> {
        let own = (buffer, flat);
        if self.transfers.iter().any(|other| other.to == own || writes && other.from == own) {
            return Err(self.under_way(own));
        }
        let is_variable = self.program.buffers[buffer.0].is_variable();
        for Iterations { now, moment, places, touched } in &mut self.parallel {
            if places.is_some() && is_variable {
                continue;
            }
            let own = touched.entry((buffer, flat)).or_insert(Touched { by: *now, ..Touched::default() });
            let is_fine = match places {
                Some(places) => own.may_be((*now, *moment), writes, places.has_conditions),
                None => {
                    own.by_others |= own.by != *now;
                    own.is_written |= writes;
                    !(own.by_others && own.is_written)
                }
            };
            if !is_fine {
                let index = self.memory[buffer.0].index(flat);
                return Err(FaultKind::Race { buffer: self.program.buffers[buffer.0].name.clone(), index });
            }
        }
        Ok(())
    }

    /// What a cell holds.
    fn held(&mut self, id: BufferId, flat: usize) -> Term {
        match self.memory[id.0].cells[flat] {
            Some(term) => term,
            None => self.first(id, flat),
        }
    }

    /// What a cell holds before it is written.
    fn first(&mut self, id: BufferId, flat: usize) -> Term {
        let index = self.memory[id.0].index(flat);
        let buffer = &self.program.buffers[id.0];
        let name = buffer.name.clone();
        let node = match buffer.role {
            Role::Temporary => Node::Unwritten { buffer: name, index },
            _ => Node::First { buffer: name, index },
        };
        let term = self.terms.of(node);
        self.terms.converted(&buffer.element, term)
    }

    fn store(&mut self, id: BufferId, flat: usize, term: Term) {
        let term = self.terms.converted(&self.program.buffers[id.0].element, term);
        let memory = &mut self.memory[id.0];
        if memory.cells[flat].replace(term).is_none() {
            memory.written.push(flat);
        }
    }

    fn read(&mut self, place: &Place) -> Result<Term> {
        match self.named(place)? {
            Meant::Cell(buffer, index) => {
                let flat = self.flat(buffer, &index, false)?;
                Ok(self.held(buffer, flat))
            }
            Meant::Any(buffer, at) => self.picked(buffer, &at),
        }
    }

    fn write(&mut self, place: &Place, term: Term) -> Result<()> {
        match self.named(place)? {
            Meant::Cell(buffer, index) => {
                let flat = self.flat(buffer, &index, true)?;
                self.store(buffer, flat, term);
                Ok(())
            }
            Meant::Any(buffer, at) => self.write_any(buffer, &at, term),
        }
    }
}

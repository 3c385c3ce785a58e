//! The operations of a program: instances of statements and copied cells, with dates and accesses.
//!
//! ```text
//! for i = 0 while i < n step 1 { S0(i): W[i mod 2] = A[i]; copy B[0 : 2] = W[0 : 2]; }
//!
//! S0            at [0, i, 0]       reads A[i], writes W[i mod 2]
//! copied cell   reads W[k] at [0, i, 1, 0, k], writes B[k] at [0, i, 1, 1, k]
//! ```
//!
//! Facts and dates are as for the lockstep; so loops must count. Locals get one value where they
//! begin. Moduli must be numbers: then all is exact.

use super::facts::{Facts, Judge};
use super::instances::counted;
use super::linear::Linear;
use super::names::Names;
use super::places::{Address, Side};
use super::{Obligation, Stop};
use polyfold_program::{
    BufferId, Cond, Copy, Int, IntType, Invariant, LocalId, LocalValue, Loop, Op, Place, Program, Region, Stmt, Value,
};
use std::collections::BTreeMap;

type Outcome<T> = std::result::Result<T, Stop>;

/// An access to one cell, in one case.
pub(super) struct Access {
    pub(super) facts: Facts,
    pub(super) date: Vec<Linear>,
    pub(super) buffer: BufferId,
    pub(super) index: Vec<Linear>,
}

/// What a statement's value is made of, but for the cells, numbers and conditions in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Read,
    Integer(IntType),
    Apply(Op, Vec<Shape>),
    Choice(Box<Test>, Box<Shape>, Box<Shape>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// Of integers alone.
    Known,
    Data(Shape),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
    Not(Box<Test>),
}

/// A cell, a number or a condition in a value, in all its cases.
pub(super) enum Slot {
    Read(Vec<Access>),
    /// The counters, and the number.
    Integer(Vec<(Facts, Vec<Linear>, Linear)>),
    /// The counters for which it holds.
    Holds(Vec<(Facts, Vec<Linear>)>),
}

/// All instances of a statement.
pub(super) struct Operation {
    /// The source's statement; `None` for copied cells.
    pub(super) statement: Option<String>,
    pub(super) shape: Shape,
    /// The type of the cells that it writes.
    pub(super) element: String,
    pub(super) slots: Vec<Slot>,
    pub(super) writes: Vec<Access>,
    /// When which instance runs.
    pub(super) instances: Vec<(Facts, Vec<Linear>, Vec<Linear>)>,
    /// For a copied cell: when it is written, and when it was read.
    pub(super) copies: Vec<(Facts, Vec<Linear>, Vec<Linear>)>,
}

/// All operations of a program, for sizes in some cases.
pub(super) fn operations(judge: &Judge, program: &Program, names: &Names, cases: &[Facts]) -> Outcome<Vec<Operation>> {
    let begin = |facts: &Facts| State { facts: facts.clone(), names: names.clone(), ..State::default() };
    let mut scan = Scan { judge, program, found: Vec::new() };
    scan.list(&program.body, cases.iter().map(begin).collect())?;
    Ok(scan.found)
}

#[derive(Clone, Default)]
struct State {
    facts: Facts,
    names: Names,
    pointers: BTreeMap<LocalId, Address>,
    /// Positions and counters around.
    date: Vec<Linear>,
}

impl State {
    fn side(&self) -> Side<'_> {
        Side { names: &self.names, pointers: &self.pointers }
    }

    fn with(&self, facts: Facts) -> State {
        State { facts, ..self.clone() }
    }

    fn at(&self, position: usize) -> State {
        let mut state = self.clone();
        state.date.push(number(position));
        state
    }
}

fn number(position: usize) -> Linear {
    Linear::number(position as i128)
}

struct Scan<'a> {
    judge: &'a Judge<'a>,
    program: &'a Program,
    found: Vec<Operation>,
}

impl Scan<'_> {
    fn list(&mut self, body: &[Stmt], mut states: Vec<State>) -> Outcome<()> {
        for (position, stmt) in body.iter().enumerate() {
            if let Stmt::Let { local, value } = stmt {
                states = self.begun(*local, value, states)?;
                continue;
            }
            let here = states.iter().map(|state| state.at(position)).collect();
            self.stmt(stmt, here)?;
        }
        Ok(())
    }

    fn begun(&self, local: LocalId, value: &LocalValue, states: Vec<State>) -> Outcome<Vec<State>> {
        let mut next = Vec::new();
        for state in states {
            if state.names.locals.contains_key(&local) || state.pointers.contains_key(&local) {
                return Err(Obligation::Unsupported("locals that begin where they are").into());
            }
            match value {
                LocalValue::Integer(e) => {
                    for (facts, value) in self.judge.int(&state.facts, &state.names, e)? {
                        let mut state = state.with(facts);
                        state.names.locals.insert(local, value);
                        next.push(state);
                    }
                }
                LocalValue::Address(place) => {
                    for (facts, address) in self.judge.address(&state.facts, state.side(), place)? {
                        self.judge.is_there(&facts, &state.names, (self.program, &address))?;
                        let mut state = state.with(facts);
                        state.pointers.insert(local, address);
                        next.push(state);
                    }
                }
            }
        }
        Ok(next)
    }

    fn stmt(&mut self, stmt: &Stmt, states: Vec<State>) -> Outcome<()> {
        match stmt {
            Stmt::For(own) if own.parallel => Err(Obligation::Unsupported("parallel loops").into()),
            Stmt::For(own) if own.invariant != Invariant::default() => {
                Err(Obligation::Unsupported("what is said of loops").into())
            }
            Stmt::For(own) => {
                let iterations = self.iterations(own, &states)?;
                self.list(&own.body, iterations)
            }
            Stmt::If { cond, then, other } => {
                for (branch, (holds, body)) in [(true, then), (false, other)].into_iter().enumerate() {
                    let mut entering = Vec::new();
                    for state in &states {
                        let cases = self.judge.assume(&state.facts, &state.names, cond, holds)?;
                        entering.extend(cases.into_iter().map(|facts| state.with(facts).at(branch)));
                    }
                    self.list(body, entering)?;
                }
                Ok(())
            }
            Stmt::Assign(assign) => {
                let mut operation = Operation {
                    statement: Some(self.program.statements[assign.statement.0].clone()),
                    shape: shape(&assign.value),
                    element: self.element(&assign.target),
                    slots: Vec::new(),
                    writes: Vec::new(),
                    instances: Vec::new(),
                    copies: Vec::new(),
                };
                for state in states {
                    for (facts, counters) in self.judge.ints(&state.facts, &state.names, &assign.at)? {
                        let state = state.with(facts);
                        let mut slots = Vec::new();
                        self.slots(&state, &counters, &assign.value, &mut slots)?;
                        join(&mut operation.slots, slots)?;
                        operation.writes.extend(self.accesses(&state, &state.facts, &assign.target)?);
                        operation.instances.push((state.facts, state.date, counters));
                    }
                }
                self.found.push(operation);
                Ok(())
            }
            Stmt::Copy(copy) if copy.tag.is_none() => self.copy(copy, &states),
            Stmt::Copy(_) | Stmt::Wait(_) | Stmt::With(_) => Err(Obligation::Unsupported("local memory").into()),
            Stmt::Set { .. } => Err(Obligation::Unsupported("locals that change").into()),
            Stmt::Let { .. } => Err(Obligation::Unsupported("locals that begin here").into()),
            Stmt::Opaque(_) => Err(Obligation::Unsupported("opaque statements").into()),
        }
    }

    fn iterations(&self, own: &Loop, states: &[State]) -> Outcome<Vec<State>> {
        let level = counted(own)?;
        let mut found = Vec::new();
        for state in states {
            if state.names.locals.contains_key(&own.counter) {
                return Err(Obligation::Unsupported("loops inside with the same counter").into());
            }
            let counter = Linear::symbol(self.judge.fresh());
            let mut state = state.clone();
            state.names.locals.insert(own.counter, counter.clone());
            state.date.push(level.in_date(&counter));
            for facts in level.assume(self.judge, &state.facts, &state.names)? {
                found.push(state.with(facts));
            }
        }
        Ok(found)
    }

    fn accesses(&self, state: &State, facts: &Facts, place: &Place) -> Outcome<Vec<Access>> {
        let access =
            |(facts, (buffer, index)): (Facts, Address)| Access { facts, date: state.date.clone(), buffer, index };
        Ok(self.judge.address(facts, state.side(), place)?.into_iter().map(access).collect())
    }

    /// The cells, numbers and conditions in a value, in the order of its shape.
    fn slots(&self, state: &State, counters: &[Linear], value: &Value, found: &mut Vec<Slot>) -> Outcome<()> {
        if shape(value) == Shape::Read {
            let mut accesses = Vec::new();
            self.read(state, &state.facts, value, &mut accesses)?;
            found.push(Slot::Read(accesses));
            return Ok(());
        }
        match value {
            Value::Read(_) => Ok(()),
            Value::Integer(e, _) => {
                let cases = self.judge.int(&state.facts, &state.names, e)?;
                let with = |(facts, value): (Facts, Linear)| (facts, counters.to_vec(), value);
                found.push(Slot::Integer(cases.into_iter().map(with).collect()));
                Ok(())
            }
            Value::Apply(_, operands) => {
                operands.iter().try_for_each(|operand| self.slots(state, counters, operand, found))
            }
            Value::Choice(cond, yes, no) => {
                self.tests(state, counters, cond, found)?;
                self.branch(state, counters, (cond, true), yes, found)?;
                self.branch(state, counters, (cond, false), no, found)
            }
        }
    }

    /// A value that is computed where a condition on integers holds, or doesn't.
    fn branch(
        &self,
        state: &State,
        counters: &[Linear],
        (cond, holds): (&Cond, bool),
        value: &Value,
        found: &mut Vec<Slot>,
    ) -> Outcome<()> {
        if cond.has_data() {
            return self.slots(state, counters, value, found);
        }
        let mut cases = self.judge.assume(&state.facts, &state.names, cond, holds)?;
        if cases.is_empty() {
            // It has the same slots, with nothing in them.
            cases.push(state.facts.with_not_negative(Linear::number(-1)));
        }
        let mut all = Vec::new();
        for facts in cases {
            let mut slots = Vec::new();
            self.slots(&state.with(facts), counters, value, &mut slots)?;
            join(&mut all, slots)?;
        }
        found.extend(all);
        Ok(())
    }

    /// The type of the cells that a place may mean, if all have one.
    fn element(&self, place: &Place) -> String {
        match place {
            Place::Cell { buffer, .. } => self.program.buffers[buffer.0].element.text.clone(),
            Place::Select(_, yes, no) => {
                let (yes, no) = (self.element(yes), self.element(no));
                if yes == no { yes } else { format!("{yes} or {no}") }
            }
            Place::Through { pointer, .. } => format!("what {} points to", self.program.locals[pointer.0].name),
        }
    }

    fn tests(&self, state: &State, counters: &[Linear], cond: &Cond, found: &mut Vec<Slot>) -> Outcome<()> {
        if !cond.has_data() {
            let cases = self.judge.assume(&state.facts, &state.names, cond, true)?;
            found.push(Slot::Holds(cases.into_iter().map(|facts| (facts, counters.to_vec())).collect()));
            return Ok(());
        }
        match cond {
            Cond::Data(value) => self.slots(state, counters, value, found),
            Cond::Not(inner) => self.tests(state, counters, inner, found),
            Cond::And(left, right) | Cond::Or(left, right) => {
                self.tests(state, counters, left, found)?;
                self.tests(state, counters, right, found)
            }
            Cond::Compare(..) => Ok(()),
        }
    }

    /// The cell that is read, where integers alone choose it.
    fn read(&self, state: &State, facts: &Facts, value: &Value, found: &mut Vec<Access>) -> Outcome<()> {
        match value {
            Value::Read(place) => found.extend(self.accesses(state, facts, place)?),
            Value::Choice(cond, yes, no) => {
                for (holds, value) in [(true, yes), (false, no)] {
                    for case in self.judge.assume(facts, &state.names, cond, holds)? {
                        self.read(state, &case, value, found)?;
                    }
                }
            }
            Value::Integer(..) | Value::Apply(..) => {}
        }
        Ok(())
    }

    fn copy(&mut self, copy: &Copy, states: &[State]) -> Outcome<()> {
        let (mut reads, mut writes, mut copies) = (Vec::new(), Vec::new(), Vec::new());
        for state in states {
            self.has_same_counts(state, copy)?;
            let dimensions = copy.to.ranges.len().max(copy.from.ranges.len());
            let offsets: Vec<Linear> = (0..dimensions).map(|_| Linear::symbol(self.judge.fresh())).collect();
            for (facts, from) in self.copied(state, &state.facts, &copy.from, &offsets)? {
                for (facts, to) in self.copied(state, &facts, &copy.to, &offsets)? {
                    let date = |step: usize| [&state.date[..], &[number(step)], &offsets[..]].concat();
                    let access = |buffer: BufferId, index: Vec<Linear>, step: usize| Access {
                        facts: facts.clone(),
                        date: date(step),
                        buffer,
                        index,
                    };
                    reads.push(access(copy.from.buffer, from.clone(), 0));
                    writes.push(access(copy.to.buffer, to, 1));
                    copies.push((facts.clone(), date(1), date(0)));
                }
            }
        }
        let element = |region: &Region| self.program.buffers[region.buffer.0].element.text.clone();
        if element(&copy.to) != element(&copy.from) {
            return Err(Obligation::Unsupported("copies between different types").into());
        }
        let (slots, element) = (vec![Slot::Read(reads)], element(&copy.to));
        let (statement, instances) = (None, Vec::new());
        self.found.push(Operation { statement, shape: Shape::Read, element, slots, writes, instances, copies });
        Ok(())
    }

    /// A scalar is a cell: what is copied from it, or to it, is one.
    fn has_same_counts(&self, state: &State, copy: &Copy) -> Outcome<()> {
        let one = Int::Constant(1);
        let counts = |region: &Region| -> Vec<Int> { region.ranges.iter().map(|range| range.count.clone()).collect() };
        let (mut to, mut from) = (counts(&copy.to), counts(&copy.from));
        let dimensions = to.len().max(from.len());
        if to.is_empty() {
            to = vec![one.clone(); dimensions];
        }
        if from.is_empty() {
            from = vec![one; dimensions];
        }
        if to.len() != from.len() {
            return Err(Obligation::OtherCell.into());
        }
        for (to, from) in to.iter().zip(&from) {
            for (facts, to) in self.judge.int(&state.facts, &state.names, to)? {
                for (facts, from) in self.judge.int(&facts, &state.names, from)? {
                    if !self.judge.is_zero(&facts, &to.minus(&from))? {
                        return Err(Obligation::OtherCell.into());
                    }
                }
            }
        }
        Ok(())
    }

    /// The cells of a region at some offsets, which its counts bound.
    fn copied(
        &self,
        state: &State,
        facts: &Facts,
        region: &Region,
        offsets: &[Linear],
    ) -> Outcome<Vec<(Facts, Vec<Linear>)>> {
        let mut cases = vec![(facts.clone(), Vec::new())];
        for (range, offset) in region.ranges.iter().zip(offsets) {
            let mut next = Vec::new();
            for (facts, index) in cases {
                for (facts, count) in self.judge.int(&facts, &state.names, &range.count)? {
                    let facts = facts.with_not_negative(offset.clone()).with_not_negative(count.minus(offset).and(-1));
                    for (facts, first) in self.judge.int(&facts, &state.names, &range.first)? {
                        next.push((facts, [&index[..], &[first.plus(offset, 1)]].concat()));
                    }
                }
            }
            cases = next;
        }
        Ok(cases)
    }
}

/// More cases of the same slots.
fn join(all: &mut Vec<Slot>, more: Vec<Slot>) -> Outcome<()> {
    if all.is_empty() {
        *all = more;
        return Ok(());
    }
    for (own, other) in all.iter_mut().zip(more) {
        match (own, other) {
            (Slot::Read(own), Slot::Read(other)) => own.extend(other),
            (Slot::Integer(own), Slot::Integer(other)) => own.extend(other),
            (Slot::Holds(own), Slot::Holds(other)) => own.extend(other),
            _ => return Err(Obligation::OtherValue.into()),
        }
    }
    Ok(())
}

/// A choice of cells by integers alone is one that is read.
fn shape(value: &Value) -> Shape {
    match value {
        Value::Read(_) => Shape::Read,
        Value::Integer(_, held) => Shape::Integer(*held),
        // What is computed for nothing changes no value.
        Value::Apply(Op::Select(_), operands) if operands.len() == 1 => shape(&operands[0]),
        Value::Apply(op, operands) => Shape::Apply(op.clone(), operands.iter().map(shape).collect()),
        Value::Choice(cond, yes, no) => match (cond.has_data(), shape(yes), shape(no)) {
            (false, Shape::Read, Shape::Read) => Shape::Read,
            (_, yes, no) => Shape::Choice(Box::new(test(cond)), Box::new(yes), Box::new(no)),
        },
    }
}

fn test(cond: &Cond) -> Test {
    if !cond.has_data() {
        return Test::Known;
    }
    match cond {
        Cond::Data(value) => Test::Data(shape(value)),
        Cond::And(left, right) => Test::And(Box::new(test(left)), Box::new(test(right))),
        Cond::Or(left, right) => Test::Or(Box::new(test(left)), Box::new(test(right))),
        Cond::Not(inner) => Test::Not(Box::new(test(inner))),
        Cond::Compare(..) => Test::Known,
    }
}

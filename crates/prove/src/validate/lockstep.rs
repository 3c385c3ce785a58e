//! Runs the program after along a cursor of the one before.
//!
//! A *state* is what is known at one place of the program after: facts about sizes and locals, where
//! pointers stand, and the cursor. Conditions split states; only loops' heads join them (`heads`).
//! An assignment moves the cursor behind its instance if that is due (`instances`) and the same is
//! computed from the same cells (`places`).
//!
//! Example: behind `S0(0): W[0] = A[0];` of a loop over `S0(i)` the cursor stands behind `S0(0)`, and
//! the next assignment has to be `S0(1)`.

use super::facts::{Facts, Judge};
use super::found::Found;
use super::instances::{Date, Instance, Instances, Test, in_front, instances};
use super::linear::Linear;
use super::names::Names;
use super::normal::normal_form;
use super::places::{Address, Pair, Side};
use super::problem::{Problem, verdict};
use super::sums::with_first_terms;
use super::{Obligation, Stop, Verdict};
use polyfold_isl::{Context, Result};
use polyfold_program::{Buffer, BufferId, Cond, Int, LocalId, LocalValue, Loop, Program, Role, Stmt};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// More cases than these are no proof that ends.
const MOST_STATES: usize = 200;

/// Whether the program after runs the instances of the one before, in their order, on the same cells, for all sizes. No
/// more than `bound` elementary steps of isl are spent.
///
/// # Errors
/// When isl fails otherwise than at the bound.
pub fn lockstep(ctx: &Context, before: &Program, after: &Program, bound: u64) -> Result<Verdict> {
    verdict(ctx, bound, |judge, at| prove(judge, before, after, at))
}

fn prove(judge: &Judge, before: &Program, after: &Program, at: &mut Vec<usize>) -> Outcome<()> {
    let before = &normal_form(before);
    let after = &with_first_terms(before, normal_form(after));
    let mut problem = Problem::of(judge, before, after)?;
    for cond in choices(before) {
        problem.cases = problem.split(judge, (&cond, &problem.known), &[true, false])?;
    }
    for cond in choices(after) {
        problem.cases = problem.split(judge, (&cond, &problem.names), &[true, false])?;
    }
    let (statements, tests) = instances(before)?;
    let buffers = same_buffers(judge, &problem)?;
    for facts in &problem.cases {
        let with = |with_pairs: bool| Walk {
            judge,
            before,
            after,
            parameters: &problem.known.parameters,
            statements: &statements,
            tests: &tests,
            buffers: &buffers,
            with_pairs,
            has_searched: Cell::new(false),
        };
        let (names, pointers) = (problem.names.clone(), BTreeMap::new());
        let state = State { facts: facts.clone(), names, pointers, outcomes: Vec::new(), cursor: Date::new() };
        let alone = with(false);
        match alone.whole(state.clone(), at) {
            Err(Stop::Refused(why)) if why != Obligation::Bound && alone.has_searched.get() => {
                with(true).whole(state, at)?;
            }
            other => other?,
        }
    }
    Ok(())
}

/// Conditions on sizes alone that something is chosen by: each outcome is a case of its own.
fn choices(program: &Program) -> Vec<Cond> {
    let mut found = Vec::new();
    let mut note = |e: &Int| {
        if let Int::Select(cond, ..) = e {
            let mut has_locals = cond.has_data();
            cond.each_int(&mut |inner| has_locals |= matches!(inner, Int::Local(_)));
            if !has_locals && !found.contains(&**cond) {
                found.push((**cond).clone());
            }
        }
    };
    program.body.iter().for_each(|stmt| stmt.each(&mut |stmt| stmt.each_int(&mut note)));
    found
}

/// For each buffer of the program after, that of the one before which has its name and its extents.
fn same_buffers(judge: &Judge, problem: &Problem) -> Outcome<Vec<BufferId>> {
    let Problem { before, after, .. } = problem;
    let is_lost = |own: &Buffer| own.role != Role::Temporary && after.buffer(&own.name).is_none();
    if before.buffers.iter().any(is_lost) {
        return Err(Obligation::Interface.into());
    }
    let same = |(k, buffer): (usize, &Buffer)| {
        // An array and its new storage may have one name.
        let is_here = before.buffers.get(k).is_some_and(|own| own.name == buffer.name);
        let id = if is_here { Some(BufferId(k)) } else { before.buffer(&buffer.name) };
        let id = id.ok_or(Obligation::Interface)?;
        problem.is_same_buffer(judge, &before.buffers[id.0], buffer)?;
        Ok(id)
    };
    let ids = after.buffers.iter().enumerate().map(same).collect::<Outcome<Vec<BufferId>>>()?;
    // Two that stand for one would share its cells.
    let is_alone = ids.iter().collect::<BTreeSet<_>>().len() == ids.len();
    if is_alone { Ok(ids) } else { Err(Obligation::Interface.into()) }
}

/// Where the program after is.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) facts: Facts,
    pub(super) names: Names,
    pub(super) pointers: BTreeMap<LocalId, Address>,
    /// What conditions on data were found to be.
    pub(super) outcomes: Vec<Found>,
    /// Exactly the instances of the program before in front of this date have run.
    pub(super) cursor: Date,
}

impl State {
    pub(super) fn with(&self, facts: Facts) -> State {
        State { facts, ..self.clone() }
    }

    pub(super) fn side(&self) -> Side<'_> {
        Side { names: &self.names, pointers: &self.pointers }
    }

    pub(super) fn set(&self, facts: Facts, local: LocalId, value: Linear) -> State {
        let mut state = self.with(facts);
        state.names.locals.insert(local, value);
        state
    }
}

pub(super) struct Walk<'a> {
    pub(super) judge: &'a Judge<'a>,
    pub(super) before: &'a Program,
    pub(super) after: &'a Program,
    pub(super) parameters: &'a [Linear],
    pub(super) statements: &'a [Instances<'a>],
    pub(super) tests: &'a [Test<'a>],
    pub(super) buffers: &'a [BufferId],
    /// Whether bounds of sums of two locals are looked for, too. Each of them is run through each iteration, so they are
    /// looked for only where the others don't suffice.
    pub(super) with_pairs: bool,
    /// Whether bounds were looked for at all: where the pass says all, a second search finds no more.
    pub(super) has_searched: Cell<bool>,
}

type Outcome<T> = std::result::Result<T, Stop>;

impl Walk<'_> {
    /// That the whole program runs all instances.
    fn whole(&self, state: State, at: &mut Vec<usize>) -> Outcome<()> {
        at.clear();
        for state in self.list(&self.after.body, vec![state], at)? {
            if !self.nothing_between(&state, None)? {
                return Err(Obligation::Missing.into());
            }
        }
        Ok(())
    }

    /// The states behind a list. `at`: where the walk is, and in the end where it stopped.
    pub(super) fn list(&self, body: &[Stmt], mut states: Vec<State>, at: &mut Vec<usize>) -> Outcome<Vec<State>> {
        for (position, stmt) in body.iter().enumerate() {
            at.push(position);
            states = self.stmt(stmt, states, at)?;
            if states.len() > MOST_STATES {
                return Err(Obligation::Cases.into());
            }
            at.pop();
        }
        Ok(states)
    }

    fn stmt(&self, stmt: &Stmt, states: Vec<State>, at: &mut Vec<usize>) -> Outcome<Vec<State>> {
        let mut next = Vec::new();
        match stmt {
            Stmt::Assign(_) | Stmt::Opaque(_) => {
                let instance = Instance::of(stmt).ok_or(Obligation::NoStatement)?;
                for state in states {
                    next.extend(self.due(instance, &state)?);
                }
            }
            Stmt::Let { local, value } | Stmt::Set { local, value } => {
                for state in states {
                    next.extend(self.local(*local, value, &state)?);
                }
            }
            Stmt::If { cond, then, other } if cond.has_data() => {
                for (branch, (holds, body)) in [(true, then), (false, other)].into_iter().enumerate() {
                    let tested = states.iter().map(|state| self.tested(stmt, (cond, holds), state));
                    let entering = tested.collect::<Outcome<Vec<State>>>()?;
                    at.push(branch);
                    next.extend(self.list(body, entering, at)?);
                    at.pop();
                }
            }
            Stmt::If { cond, then, other } => {
                for (branch, (holds, body)) in [(true, then), (false, other)].into_iter().enumerate() {
                    let mut entering = Vec::new();
                    for state in &states {
                        let cases = self.judge.assume(&state.facts, &state.names, cond, holds)?;
                        entering.extend(cases.into_iter().map(|facts| state.with(facts)));
                    }
                    if !entering.is_empty() {
                        at.push(branch);
                        next.extend(self.list(body, entering, at)?);
                        at.pop();
                    }
                }
            }
            Stmt::For(own) if own.parallel => return Err(Obligation::Unsupported("parallel loops").into()),
            Stmt::For(own) => return self.for_(own, states, at),
            Stmt::Copy(_) | Stmt::Wait(_) | Stmt::With(_) => return Err(Obligation::Unsupported("copies").into()),
        }
        Ok(next)
    }

    fn local(&self, local: LocalId, value: &LocalValue, state: &State) -> Outcome<Vec<State>> {
        match value {
            LocalValue::Integer(e) => {
                let cases = self.judge.int(&state.facts, &state.names, e)?;
                Ok(cases.into_iter().map(|(facts, value)| state.set(facts, local, value)).collect())
            }
            LocalValue::Address(place) => {
                let mut next = Vec::new();
                for (facts, address) in self.judge.address(&state.facts, state.side(), place)? {
                    self.judge.is_there(&facts, &state.names, (self.after, &address))?;
                    let mut state = state.with(facts);
                    state.pointers.insert(local, address);
                    next.push(state);
                }
                Ok(next)
            }
        }
    }

    fn due(&self, now: Instance, state: &State) -> Outcome<Vec<State>> {
        let mut next = Vec::new();
        for (facts, counters) in self.judge.ints(&state.facts, &state.names, now.at)? {
            let date = self.instance(now, &state.with(facts.clone()), &counters)?;
            next.push(State { cursor: date, ..state.with(facts) });
        }
        Ok(next)
    }

    /// That the statement is the instance at these counters and that it is due; the date behind it.
    fn instance(&self, now: Instance, state: &State, counters: &[Linear]) -> Outcome<Date> {
        let name = &self.after.statements[now.statement.0];
        let mut refused = Obligation::NoStatement;
        // A statement may stand once for each place that it writes.
        for own in self.statements {
            if self.before.statements[own.what.statement.0] == *name && own.loops.len() == counters.len() {
                match self.instance_of(own, now, state, counters) {
                    Err(Stop::Refused(why)) => refused = why,
                    outcome => return outcome,
                }
            }
        }
        Err(refused.into())
    }

    /// That these are an instance's counters, and that nothing is due in front of it; its date.
    pub(super) fn is_due<What>(
        &self,
        (own, names, counters): (&Instances<What>, &Names, &[Linear]),
        state: &State,
    ) -> Outcome<Date> {
        if !own.is_one(self.judge, &state.facts, names)? {
            return Err(Obligation::NoInstance.into());
        }
        if !self.data_ask(&state.facts, (own, counters), &state.outcomes)? {
            return Err(Obligation::NoInstance.into());
        }
        let date = own.date(counters);
        for facts in in_front(&state.facts, &date, &state.cursor, false) {
            if !self.judge.is_empty(&facts)? {
                return Err(Obligation::HasRun.into());
            }
        }
        if !self.nothing_between(state, Some(&date))? {
            return Err(Obligation::AnotherIsDue.into());
        }
        Ok(date)
    }

    fn instance_of(&self, own: &Instances, now: Instance, state: &State, counters: &[Linear]) -> Outcome<Date> {
        let names = own.names(self.parameters, counters);
        let date = self.is_due((own, &names, counters), state)?;
        let nothing = BTreeMap::new();
        let before = Side { names: &names, pointers: &nothing };
        let pair = Pair { judge: self.judge, before, after: state.side(), buffers: self.buffers };
        pair.same_statement(&state.facts, own.what.stmt, now.stmt)?;
        let mut behind = date;
        if let Some(last) = behind.last_mut() {
            *last = last.and(1);
        }
        Ok(behind)
    }

    /// Whether no instance x of the program before has `cursor <= x < to`.
    pub(super) fn nothing_between(&self, state: &State, to: Option<&Date>) -> Outcome<bool> {
        for own in self.statements {
            let counters: Vec<Linear> = own.loops.iter().map(|_| Linear::symbol(self.judge.fresh())).collect();
            let (names, date) = (own.names(self.parameters, &counters), own.date(&counters));
            let mut between = Vec::new();
            for facts in in_front(&state.facts, &state.cursor, &date, true) {
                match to {
                    Some(to) => between.extend(in_front(&facts, &date, to, false)),
                    None => between.push(facts),
                }
            }
            for facts in between {
                if self.judge.is_empty(&facts)? {
                    continue;
                }
                for facts in own.assume(self.judge, &facts, &names)? {
                    if self.data_allow(&facts, (own, &counters), &state.outcomes)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    fn for_(&self, own: &Loop, states: Vec<State>, at: &mut Vec<usize>) -> Outcome<Vec<State>> {
        let mut begun = Vec::new();
        for state in states {
            match &own.first {
                Some(first) => begun.extend(self.local(own.counter, &LocalValue::Integer(first.clone()), &state)?),
                None => begun.push(state),
            }
        }
        let (mut behind, mut entering) = (Vec::new(), Vec::new());
        for state in &begun {
            for (holds, states) in [(true, &mut entering), (false, &mut behind)] {
                let cases = self.judge.assume(&state.facts, &state.names, &own.test, holds)?;
                states.extend(cases.into_iter().map(|facts| state.with(facts)));
            }
        }
        if own.body.is_empty() {
            behind.extend(self.counted_past(own, &entering)?);
            return Ok(behind);
        }
        // Only what the iterations change is joined, and no pointers into different buffers.
        let changed = changed(own);
        let key = |state: &State| {
            let integers = state.names.locals.iter().filter(|(local, _)| !changed.contains(local));
            let pointers = state.pointers.iter().map(|(pointer, (buffer, at))| {
                let stays = !changed.contains(pointer);
                (*pointer, *buffer, stays.then(|| at.clone()))
            });
            let integers = integers.map(|(local, value)| (*local, value.clone())).collect::<Vec<_>>();
            (integers, pointers.collect::<Vec<_>>())
        };
        let mut groups: BTreeMap<_, Vec<State>> = BTreeMap::new();
        for state in entering {
            groups.entry(key(&state)).or_default().push(state);
        }
        for group in groups.into_values() {
            behind.extend(self.joined_or_alone(own, &group, at)?);
        }
        Ok(behind)
    }

    /// The states behind a loop for several in front of it; where what they have in common says too little, for each alone.
    fn joined_or_alone(&self, own: &Loop, group: &[State], at: &mut Vec<usize>) -> Outcome<Vec<State>> {
        let depth = at.len();
        match self.iterated(own, group, at) {
            Err(Stop::Refused(_)) if group.len() > 1 => {
                at.truncate(depth);
                let mut behind = Vec::new();
                for state in group {
                    behind.extend(self.iterated(own, std::slice::from_ref(state), at)?);
                }
                Ok(behind)
            }
            other => other,
        }
    }
}

/// Locals that a loop's iterations change, its counter among them.
pub(super) fn changed(own: &Loop) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::from([own.counter]);
    let mut visit = |stmt: &Stmt| match stmt {
        Stmt::Let { local, .. } | Stmt::Set { local, .. } => {
            found.insert(*local);
        }
        Stmt::For(inner) => {
            found.insert(inner.counter);
        }
        _ => {}
    };
    own.body.iter().for_each(|stmt| stmt.each(&mut visit));
    found
}

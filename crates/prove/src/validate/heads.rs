//! Invariants of loops' heads.
//!
//! At a head the states in front of the loop and those behind an iteration are one state. Locals
//! that an iteration changes become symbols, and this is known of them:
//!
//! * The cursor: the beginning of the dates of an iteration of the program before. It is what the
//!   pass says, or what the assignments inside suggest.
//! * Bounds of directions: what the pass says, and sums of locals, sizes and conditions, each with
//!   the least value that it has in front of the loop.
//! * Congruences: what the pass says; and locals against the subscripts that the program before has
//!   where the iteration begins.
//! * Cases, where what the pass says has a choice or a division in it: one state for each.
//! * Pointers that the pass says the place of stand there: no symbol is needed for them.
//!
//! What was found must hold behind an iteration that begins with all of it. What doesn't hold is
//! weakened or dropped, and the iteration runs again (Houdini; see `candidates`). Where the
//! pass says bounds or congruences, nothing else is looked for but that the counter advances; what it
//! says must hold.
//!
//! Source: Flanagan and Leino, Houdini, an annotation assistant for ESC/Java (2001).

use super::candidates::{Bound, Multiple};
use super::facts::Facts;
use super::forms::{Form, Slot};
use super::instances::Date;
use super::linear::Linear;
use super::lockstep::{State, Walk, changed};
use super::places::Address;
use super::{Obligation, Stop};
use polyfold_program::{Cond, Int, Invariant, LocalId, Loop, Moment, Place, Relation, StatementId, Stmt};
use std::collections::BTreeSet;

type Outcome<T> = std::result::Result<T, Stop>;

/// A loop, with the cursor that is tried for its head.
pub(super) struct Head<'a> {
    pub(super) own: &'a Loop,
    pub(super) statement: usize,
    /// The first counters of that statement.
    pub(super) counters: Vec<Int>,
    pub(super) changed: BTreeSet<LocalId>,
}

impl Head<'_> {
    /// Whether the pass says what holds.
    pub(super) fn is_said(&self) -> bool {
        let Invariant { ranges, congruences, addresses, .. } = &self.own.invariant;
        !ranges.is_empty() || !congruences.is_empty() || !addresses.is_empty()
    }

    /// Whether the pass says where a pointer stands.
    fn says_where(&self, pointer: LocalId) -> bool {
        self.own.invariant.addresses.iter().any(|(own, _)| *own == pointer)
    }
}

impl Walk<'_> {
    /// The states behind a loop whose test holds in front of it.
    pub(super) fn iterated(&self, own: &Loop, entry: &[State], at: &mut Vec<usize>) -> Outcome<Vec<State>> {
        let depth = at.len();
        let mut failed = (at.clone(), Obligation::Cursor);
        for (statement, counters) in self.moments(own) {
            let head = Head { own, statement, counters, changed: changed(own) };
            if !self.begins(&head, entry)? {
                continue;
            }
            match self.with_cursor(&head, entry, at) {
                Err(Stop::Refused(why)) => {
                    failed = (at.clone(), why);
                    at.truncate(depth);
                }
                other => return other,
            }
        }
        *at = failed.0;
        Err(failed.1.into())
    }

    /// The states behind a loop that does nothing but count by 1 or -1, whose test holds in front of it: the test holds for the
    /// counter before the last one, and not for the last one.
    pub(super) fn counted_past(&self, own: &Loop, entry: &[State]) -> Outcome<Vec<State>> {
        let step = own.step.filter(|step| step.abs() == 1).map(i128::from);
        let step = step.ok_or(Obligation::Unsupported("loops that do nothing and don't count by 1"))?;
        if direction(&own.test, (own, &changed(own))) != Some(step) {
            return Err(Obligation::MayNotEnd.into());
        }
        let mut behind = Vec::new();
        for state in entry {
            let begun = state.names.locals.get(&own.counter).ok_or(Obligation::NoValue)?;
            let last = Linear::symbol(self.judge.fresh());
            let facts = state.facts.with_not_negative(last.minus(begun).times(step).and(-1));
            let at = |counter: Linear| state.set(facts.clone(), own.counter, counter);
            let (before, after) = (at(last.and(-step)), at(last));
            for facts in self.judge.assume(&before.facts, &before.names, &own.test, true)? {
                let cases = self.judge.assume(&facts, &after.names, &own.test, false)?;
                behind.extend(cases.into_iter().map(|facts| after.with(facts)));
            }
        }
        Ok(behind)
    }

    /// Whether the head's cursor is where the states in front of the loop are.
    fn begins(&self, head: &Head, entry: &[State]) -> Outcome<bool> {
        for state in entry {
            match self.is_reached(head, state) {
                Ok(true) => {}
                Ok(false) | Err(Stop::Refused(_)) => return Ok(false),
                Err(failed) => return Err(failed),
            }
        }
        Ok(true)
    }

    /// The cursor that is said, or those that the assignments in a loop suggest.
    fn moments(&self, own: &Loop) -> Vec<(usize, Vec<Int>)> {
        let position = |id: StatementId| {
            let name = &self.after.statements[id.0];
            self.statements.iter().position(|s| self.before.statements[s.what.statement.0] == *name)
        };
        if let Some(Moment { statement, at }) = &own.invariant.before {
            return position(*statement).map(|statement| (statement, at.clone())).into_iter().collect();
        }
        let mut found: Vec<(usize, Vec<Int>)> = Vec::new();
        for (id, at) in first_instances(&own.body, &mut Vec::new()) {
            let Some(statement) = position(id) else { continue };
            for k in 0..at.len() {
                let moment = (statement, at[..=k].to_vec());
                if mentions(&at[k], own.counter) && !found.contains(&moment) {
                    found.push(moment);
                }
            }
        }
        found
    }

    fn with_cursor(&self, head: &Head, entry: &[State], at: &mut Vec<usize>) -> Outcome<Vec<State>> {
        let mut loose = BTreeSet::new();
        let depth = at.len();
        loop {
            at.truncate(depth);
            match self.with_slots(head, entry, &loose, at)? {
                Iterated::Behind(states) => return Ok(states),
                Iterated::Moves(slot) => {
                    loose.insert(slot);
                }
            }
        }
    }

    /// The beginning of the dates of the iteration that is due, as the head says.
    fn cursor(&self, head: &Head, state: &State) -> Outcome<Date> {
        let counter = |e: &Int| self.only(state, &Form::Int(e.clone()), head)?.ok_or_else(|| Obligation::Cursor.into());
        let counters = head.counters.iter().map(counter).collect::<Outcome<Vec<Linear>>>()?;
        Ok(self.statements[head.statement].iteration(&counters))
    }

    /// Whether the state's cursor is the head's, up to dates that no instance has.
    fn is_reached(&self, head: &Head, state: &State) -> Outcome<bool> {
        let cursor = self.cursor(head, state)?;
        let there = State { cursor: cursor.clone(), ..state.clone() };
        Ok(self.nothing_between(state, Some(&cursor))? && self.nothing_between(&there, Some(&state.cursor))?)
    }

    fn with_slots(
        &self,
        head: &Head,
        entry: &[State],
        loose: &BTreeSet<Slot>,
        at: &mut Vec<usize>,
    ) -> Outcome<Iterated> {
        self.stand_as_said(head, entry)?;
        let (joined, slots) = self.joined(head, entry, loose);
        let mut bounds = self.bounds(head, entry, &joined, &slots)?;
        let mut multiples = self.multiples(head, entry, &joined, &slots)?;
        let depth = at.len();
        loop {
            at.truncate(depth);
            let begun = self.at_head(head, &joined, &bounds, &multiples)?;
            let mut entering = Vec::new();
            for state in &begun {
                let cases = self.judge.assume(&state.facts, &state.names, &head.own.test, true)?;
                entering.extend(cases.into_iter().map(|facts| state.with(facts)));
            }
            let mut back = self.list(&head.own.body, entering, at)?;
            if let Some(step) = head.own.step {
                for state in &mut back {
                    if let Some(value) = state.names.locals.get_mut(&head.own.counter) {
                        *value = value.and(i128::from(step));
                    }
                }
            }
            self.stand_as_said(head, &back)?;
            if let Some(slot) = moved(head, (&joined, &slots), &back)? {
                return Ok(Iterated::Moves(slot));
            }
            let kept =
                self.keep_bounds(head, &back, &mut bounds)? & self.keep_multiples(head, &back, &mut multiples)?;
            if kept {
                return self.behind(head, entry, &begun, &back).map(Iterated::Behind);
            }
        }
    }

    /// What is common to some states, with symbols for what differs or changes.
    fn joined(&self, head: &Head, entry: &[State], loose: &BTreeSet<Slot>) -> (State, Vec<Slot>) {
        let mut joined = entry[0].clone();
        let mut slots = Vec::new();
        let begun = begun_inside(head.own);
        let is_everywhere = |local: &LocalId| entry.iter().all(|state| state.names.locals.contains_key(local));
        joined.names.locals.retain(|local, _| is_everywhere(local) && !begun.contains(local));
        joined.pointers.retain(|pointer, _| !begun.contains(pointer));
        for (local, value) in &mut joined.names.locals {
            let differs = entry.iter().any(|state| state.names.locals.get(local) != Some(value));
            if differs || head.changed.contains(local) {
                *value = Linear::symbol(self.judge.fresh());
                slots.push(Slot::Local(*local));
            }
        }
        for (pointer, (_, at)) in joined.pointers.iter_mut().filter(|(pointer, _)| !head.says_where(**pointer)) {
            for (k, value) in at.iter_mut().enumerate() {
                let own = |state: &State| state.pointers.get(pointer).and_then(|(_, at)| at.get(k).cloned());
                let slot = Slot::Pointer(*pointer, k);
                if loose.contains(&slot) || entry.iter().any(|state| own(state).as_ref() != Some(value)) {
                    *value = Linear::symbol(self.judge.fresh());
                    slots.push(slot);
                }
            }
        }
        let common = |sums: &dyn Fn(&State) -> &Vec<Linear>| -> Vec<Linear> {
            let in_all = |sum: &&Linear| entry.iter().all(|state| sums(state).contains(sum));
            sums(&entry[0]).iter().filter(in_all).cloned().collect()
        };
        joined.facts.zero = common(&|state| &state.facts.zero);
        joined.facts.not_negative = common(&|state| &state.facts.not_negative);
        for state in entry {
            joined.facts.multiples.extend(state.facts.multiples.clone());
        }
        joined.outcomes.retain(|own| entry.iter().all(|state| state.outcomes.contains(own)));
        (joined, slots)
    }

    /// The states at the head: one, or the cases of what is said.
    fn at_head(&self, head: &Head, joined: &State, bounds: &[Bound], multiples: &[Multiple]) -> Outcome<Vec<State>> {
        let mut cases = vec![joined.facts.clone()];
        for Bound { form, least, .. } in bounds {
            let mut noted = Vec::new();
            for facts in cases {
                match self.values(&joined.with(facts.clone()), form, head)? {
                    Some(all) => noted.extend(all.iter().map(|(facts, e)| facts.with_not_negative(e.and(-*least)))),
                    None => noted.push(facts),
                }
            }
            cases = noted;
        }
        for Multiple { form, modulus, .. } in multiples {
            let mut noted = Vec::new();
            for facts in cases {
                noted.extend(self.with_multiple((head, joined), facts, (form, modulus))?);
            }
            cases = noted;
        }
        let mut states = Vec::new();
        for facts in cases {
            let mut state = joined.with(facts);
            for (pointer, address) in self.said_addresses(head, &state)? {
                state.pointers.insert(pointer, address);
            }
            state.cursor = self.cursor(head, &state)?;
            states.push(state);
        }
        Ok(states)
    }

    /// Facts with a form that is a multiple of a modulus, if they have values.
    fn with_multiple(
        &self,
        (head, joined): (&Head, &State),
        facts: Facts,
        (form, modulus): (&Form, &Form),
    ) -> Outcome<Vec<Facts>> {
        let Some(values) = self.values(&joined.with(facts.clone()), form, head)? else { return Ok(vec![facts]) };
        let mut noted = Vec::new();
        for (own, value) in values {
            let Some(moduli) = self.values(&joined.with(own), modulus, head)? else { return Ok(vec![facts]) };
            for (mut facts, modulus) in moduli {
                let (symbol, factor) = (self.judge.fresh(), modulus.as_number());
                facts = facts.with_zero(value.plus(&Linear::symbol(symbol), -factor.unwrap_or(1)));
                if factor.is_none() {
                    facts.multiples.insert(symbol, modulus);
                }
                noted.push(facts);
            }
        }
        Ok(noted)
    }

    /// Where pointers stand in a state, as the head says.
    fn said_addresses(&self, head: &Head, state: &State) -> Outcome<Vec<(LocalId, Address)>> {
        let said = |(pointer, place): &(LocalId, Place)| {
            let Place::Cell { buffer, index } = place else {
                return Err(Obligation::Unsupported("pointers that stand at no cell of a buffer").into());
            };
            let subscript = |e: &Int| self.only_int(&state.facts, &state.names, e)?.ok_or(Obligation::Head.into());
            Ok((*pointer, (*buffer, index.iter().map(subscript).collect::<Outcome<Vec<Linear>>>()?)))
        };
        head.own.invariant.addresses.iter().map(said).collect()
    }

    /// That pointers stand where the head says.
    fn stand_as_said(&self, head: &Head, states: &[State]) -> Outcome<()> {
        for state in states {
            for (pointer, (buffer, said)) in self.said_addresses(head, state)? {
                let Some((own, at)) = state.pointers.get(&pointer).filter(|(_, at)| at.len() == said.len()) else {
                    return Err(Obligation::Head.into());
                };
                let mut is_there = *own == buffer;
                for (own, said) in at.iter().zip(&said) {
                    is_there = is_there && self.judge.is_zero(&state.facts, &own.minus(said))?;
                }
                if !is_there {
                    return Err(Obligation::Head.into());
                }
            }
        }
        Ok(())
    }

    /// That iterations end where the next one begins, and that there is a last one; the states behind it.
    fn behind(&self, head: &Head, entry: &[State], begun: &[State], back: &[State]) -> Outcome<Vec<State>> {
        for state in back {
            if !self.is_reached(head, state)? {
                return Err(Obligation::Cursor.into());
            }
        }
        let counter = |state: &State| state.names.locals.get(&head.own.counter).cloned();
        // Its symbol is the same in all of them.
        let first = begun.first().and_then(counter).ok_or(Obligation::NoValue)?;
        let sign = direction(&head.own.test, (head.own, &head.changed)).ok_or(Obligation::MayNotEnd)?;
        for state in back {
            let last = counter(state).ok_or(Obligation::NoValue)?;
            if !self.judge.entails(&state.facts, &last.minus(&first).times(sign).and(-1))? {
                return Err(Obligation::MayNotEnd.into());
            }
        }
        let mut behind = Vec::new();
        for state in begun {
            // An iteration ran: the counter isn't what it was in front of the loop.
            let mut facts = state.facts.clone();
            if let Some(begun) = counter(&entry[0])
                && entry.iter().all(|state| counter(state).as_ref() == Some(&begun))
            {
                let moved = first.minus(&begun).times(sign);
                if self.judge.entails(&facts, &moved)? {
                    facts = facts.with_not_negative(moved.and(-1));
                }
            }
            let cases = self.judge.assume(&facts, &state.names, &head.own.test, false)?;
            behind.extend(cases.into_iter().map(|facts| state.with(facts)));
        }
        Ok(behind)
    }
}

/// Locals that begin inside a loop: an iteration doesn't see those of another one.
fn begun_inside(own: &Loop) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    let mut visit = |stmt: &Stmt| match stmt {
        Stmt::Let { local, .. } => {
            found.insert(*local);
        }
        Stmt::For(inner) if inner.first.is_some() => {
            found.insert(inner.counter);
        }
        _ => {}
    };
    own.body.iter().for_each(|stmt| stmt.each(&mut visit));
    found.remove(&own.counter);
    found
}

enum Iterated {
    Behind(Vec<State>),
    /// A subscript of a pointer isn't what it was taken for.
    Moves(Slot),
}

/// A subscript of a pointer that is no symbol at the head and changes, or a pointer that moves to another buffer.
fn moved(head: &Head, (joined, slots): (&State, &[Slot]), back: &[State]) -> Outcome<Option<Slot>> {
    for (pointer, (buffer, at)) in joined.pointers.iter().filter(|(pointer, _)| !head.says_where(**pointer)) {
        for state in back {
            let Some((own, now)) = state.pointers.get(pointer) else { continue };
            if own != buffer {
                return Err(Obligation::Unsupported("pointers that move to another buffer").into());
            }
            let differs = |k: &usize| at[*k] != now[*k] && !slots.contains(&Slot::Pointer(*pointer, *k));
            if let Some(k) = (0..at.len()).find(differs) {
                return Ok(Some(Slot::Pointer(*pointer, k)));
            }
        }
    }
    Ok(None)
}

/// 1 if a test bounds its counter from above, -1 if from below, by what an iteration doesn't change.
fn direction(test: &Cond, (own, changed): (&Loop, &BTreeSet<LocalId>)) -> Option<i128> {
    match test {
        Cond::And(left, right) => direction(left, (own, changed)).or_else(|| direction(right, (own, changed))),
        Cond::Compare(relation, left, right) => {
            let stays = |e: &Int| changed.iter().all(|local| !mentions(e, *local));
            let is_counter = |e: &Int| *e == Int::Local(own.counter);
            let up = matches!(relation, Relation::Less | Relation::LessOrEqual);
            let down = matches!(relation, Relation::Greater | Relation::GreaterOrEqual);
            let sign = if up { 1 } else { -1 };
            match (up || down, is_counter(left) && stays(right), is_counter(right) && stays(left)) {
                (true, true, _) => Some(sign),
                (true, _, true) => Some(-sign),
                _ => None,
            }
        }
        _ => None,
    }
}

fn mentions(e: &Int, local: LocalId) -> bool {
    let mut found = false;
    e.each(&mut |inner| found |= *inner == Int::Local(local));
    found
}

/// The counters of assignments, where counters of loops inside are what they begin with.
fn first_instances(body: &[Stmt], loops: &mut Vec<(LocalId, Int)>) -> Vec<(StatementId, Vec<Int>)> {
    let mut found = Vec::new();
    for stmt in body {
        match stmt {
            Stmt::For(own) => {
                let count = loops.len();
                loops.extend(own.first.clone().map(|first| (own.counter, first)));
                found.extend(first_instances(&own.body, loops));
                loops.truncate(count);
            }
            other => {
                let first =
                    |e: &Int| loops.iter().rev().fold(e.clone(), |e, (local, first)| replaced(&e, *local, first));
                found.extend(other.instance().map(|(own, at)| (own, at.iter().map(first).collect())));
                other.lists().into_iter().for_each(|list| found.extend(first_instances(list, loops)));
            }
        }
    }
    found
}

fn replaced(e: &Int, local: LocalId, by: &Int) -> Int {
    match e {
        Int::Local(own) if *own == local => by.clone(),
        Int::Binary(op, left, right) => Int::binary(*op, replaced(left, local, by), replaced(right, local, by)),
        other => other.clone(),
    }
}

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
//!
//! What was found must hold behind an iteration that begins with all of it. What doesn't hold is
//! weakened to what subscripts need, then dropped, and the iteration runs again (Houdini). Where the
//! pass says bounds or congruences, nothing else is looked for but that the counter advances; what it
//! says must hold.
//!
//! Source: Flanagan and Leino, Houdini, an annotation assistant for ESC/Java (2001).

use super::facts::Facts;
use super::instances::{Date, Instances};
use super::linear::Linear;
use super::lockstep::{State, Walk, changed};
use super::names::Names;
use super::{Obligation, Stop};
use polyfold_program::{
    BufferId, Cond, Congruence, Int, IntOp, Invariant, LocalId, Loop, Moment, Place, Relation, StatementId, Stmt,
};
use std::collections::BTreeSet;

/// What a bound is weakened to before it is dropped: `0 <= x` and `x <= b - 1` are what subscripts need.
const NATURAL: [i128; 2] = [1, 0];

type Outcome<T> = std::result::Result<T, Stop>;

/// What changes at a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    Local(LocalId),
    /// One subscript of where a pointer stands.
    Pointer(LocalId, usize),
}

/// A function of a state.
#[derive(Clone, Debug)]
enum Form {
    Slot(Slot),
    /// An integer of the program after.
    Int(Int),
    /// A subscript of a statement of the program before, in the first instance of the iteration.
    Subscript(usize, Int),
    Known(Linear),
    Sum(Vec<(i128, Form)>),
}

/// `form >= least`
#[derive(Clone, Debug)]
struct Bound {
    form: Form,
    least: i128,
    is_said: bool,
}

/// `form` is a multiple of `modulus`.
#[derive(Clone, Debug)]
struct Multiple {
    form: Form,
    modulus: Form,
    is_said: bool,
}

/// A loop, with the cursor that is tried for its head.
struct Head<'a> {
    own: &'a Loop,
    statement: usize,
    /// The first counters of that statement.
    counters: Vec<Int>,
    changed: BTreeSet<LocalId>,
}

impl Head<'_> {
    /// Whether the pass says what holds.
    fn is_said(&self) -> bool {
        let Invariant { ranges, congruences, addresses, .. } = &self.own.invariant;
        !ranges.is_empty() || !congruences.is_empty() || !addresses.is_empty()
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
            self.statements.iter().position(|s| self.before.statements[s.assign.statement.0] == *name)
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
        Ok(self.nothing_between(&state.facts, &state.cursor, Some(&cursor))?
            && self.nothing_between(&state.facts, &cursor, Some(&state.cursor))?)
    }

    /// The value of a form, if it has one without telling cases apart.
    fn only(&self, state: &State, form: &Form, head: &Head) -> Outcome<Option<Linear>> {
        Ok(match form {
            Form::Known(value) => Some(value.clone()),
            Form::Slot(Slot::Local(local)) => state.names.locals.get(local).cloned(),
            Form::Slot(Slot::Pointer(pointer, k)) => {
                state.pointers.get(pointer).and_then(|(_, at)| at.get(*k).cloned())
            }
            Form::Int(e) => self.only_int(&state.facts, &state.names, e)?,
            Form::Sum(parts) => {
                let mut sum = Linear::default();
                for (factor, part) in parts {
                    let Some(value) = self.only(state, part, head)? else { return Ok(None) };
                    sum = sum.plus(&value, *factor);
                }
                Some(sum)
            }
            Form::Subscript(statement, e) => {
                let own = &self.statements[*statement];
                match self.first_counters(state, own, head)? {
                    Some(counters) => self.only_int(&state.facts, &own.names(self.parameters, &counters), e)?,
                    None => None,
                }
            }
        })
    }

    fn only_int(&self, facts: &Facts, names: &Names, e: &Int) -> Outcome<Option<Linear>> {
        match self.judge.int(facts, names, e) {
            Ok(mut cases) if cases.len() == 1 && is_linear(e) => Ok(cases.pop().map(|(_, value)| value)),
            Ok(_) | Err(Stop::Refused(_)) => Ok(None),
            Err(failed) => Err(failed),
        }
    }

    /// The counters of a statement where the head's iteration begins: those of shared loops, and the first ones.
    fn first_counters(&self, state: &State, own: &Instances, head: &Head) -> Outcome<Option<Vec<Linear>>> {
        let due = &self.statements[head.statement];
        let mut counters = Vec::new();
        let mut are_shared = true;
        for (k, level) in own.loops.iter().enumerate() {
            are_shared &= due.loops.get(k).is_some_and(|other| std::ptr::eq(other.own, level.own));
            let value = match head.counters.get(k).filter(|_| are_shared) {
                Some(e) => self.only_int(&state.facts, &state.names, e)?,
                None => self.only_int(&state.facts, &own.names(self.parameters, &counters), level.first)?,
            };
            let Some(value) = value else { return Ok(None) };
            counters.push(value);
        }
        Ok(Some(counters))
    }

    fn with_slots(
        &self,
        head: &Head,
        entry: &[State],
        loose: &BTreeSet<Slot>,
        at: &mut Vec<usize>,
    ) -> Outcome<Iterated> {
        let (joined, slots) = self.joined(head, entry, loose);
        let mut bounds = self.bounds(head, entry, &joined, &slots)?;
        let mut multiples = self.multiples(head, entry, &joined, &slots)?;
        let depth = at.len();
        loop {
            at.truncate(depth);
            let state = self.at_head(head, &joined, &bounds, &multiples)?;
            let entering = self.judge.assume(&state.facts, &state.names, &head.own.test, true)?;
            let entering = entering.into_iter().map(|facts| state.with(facts)).collect();
            let mut back = self.list(&head.own.body, entering, at)?;
            if let Some(step) = head.own.step {
                for state in &mut back {
                    if let Some(value) = state.names.locals.get_mut(&head.own.counter) {
                        *value = value.and(i128::from(step));
                    }
                }
            }
            if let Some(slot) = moved(&joined, &back, &slots)? {
                return Ok(Iterated::Moves(slot));
            }
            let kept =
                self.keep_bounds(head, &back, &mut bounds)? & self.keep_multiples(head, &back, &mut multiples)?;
            if kept {
                return self.behind(head, entry, &state, &back).map(Iterated::Behind);
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
        for (pointer, (_, at)) in &mut joined.pointers {
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
        (joined, slots)
    }

    fn at_head(&self, head: &Head, joined: &State, bounds: &[Bound], multiples: &[Multiple]) -> Outcome<State> {
        let mut state = joined.clone();
        for Bound { form, least, .. } in bounds {
            if let Some(value) = self.only(joined, form, head)? {
                state.facts = state.facts.with_not_negative(value.and(-*least));
            }
        }
        for Multiple { form, modulus, .. } in multiples {
            let (value, modulus) = (self.only(joined, form, head)?, self.only(joined, modulus, head)?);
            if let (Some(value), Some(modulus)) = (value, modulus) {
                let symbol = self.judge.fresh();
                let factor = modulus.as_number();
                state.facts = state.facts.with_zero(value.plus(&Linear::symbol(symbol), -factor.unwrap_or(1)));
                if factor.is_none() {
                    state.facts.multiples.insert(symbol, modulus);
                }
            }
        }
        state.cursor = self.cursor(head, &state)?;
        Ok(state)
    }

    /// Bounds that hold in front of the loop.
    fn bounds(&self, head: &Head, entry: &[State], joined: &State, slots: &[Slot]) -> Outcome<Vec<Bound>> {
        let mut found = Vec::new();
        for form in said(&head.own.invariant.ranges)? {
            found.push(Bound { form, least: 0, is_said: true });
        }
        for (pointer, place) in &head.own.invariant.addresses {
            let (buffer, forms) = standing(*pointer, place)?;
            if joined.pointers.get(pointer).is_none_or(|(own, _)| *own != buffer) {
                return Err(Obligation::Head.into());
            }
            found.extend(forms.into_iter().map(|form| Bound { form, least: 0, is_said: true }));
        }
        let is_counted = slots == [Slot::Local(head.own.counter)];
        let looked_for = if head.is_said() || is_counted {
            self.advances(head, entry)?
        } else {
            self.directions(head, entry, joined, slots)?
        };
        found.extend(looked_for.into_iter().map(|form| Bound { form, least: i128::MAX, is_said: false }));
        let mut holding = Vec::new();
        for mut bound in found {
            let least = self.least(head, entry, &bound.form)?;
            match least {
                Some(least) if bound.is_said && least >= 0 => holding.push(bound),
                _ if bound.is_said => return Err(Obligation::Head.into()),
                Some(least) if self.only(joined, &bound.form, head)?.is_some() => {
                    bound.least = least;
                    holding.push(bound);
                }
                _ => {}
            }
        }
        Ok(holding)
    }

    /// The least value of a form in some states, if it has one in all of them.
    fn least(&self, head: &Head, states: &[State], form: &Form) -> Outcome<Option<i128>> {
        let mut least: Option<i128> = None;
        for state in states {
            let Some(value) = self.only(state, form, head)? else { return Ok(None) };
            let Some(own) = self.judge.least(&state.facts, &value)? else { return Ok(None) };
            least = Some(least.map_or(own, |least| least.min(own)));
        }
        Ok(least)
    }

    /// How far the counter is from where it begins.
    fn advances(&self, head: &Head, entry: &[State]) -> Outcome<Vec<Form>> {
        let counter = Slot::Local(head.own.counter);
        let sign = i128::from(head.own.step.unwrap_or(1).signum());
        let from = |begun: Linear| Form::Sum(vec![(sign, Form::Slot(counter)), (-sign, Form::Known(begun))]);
        Ok(self.begun(head, entry, counter)?.into_iter().map(from).collect())
    }

    /// Sums of what changes, of sizes and of conditions.
    fn directions(&self, head: &Head, entry: &[State], joined: &State, slots: &[Slot]) -> Outcome<Vec<Form>> {
        self.has_looked.set(true);
        let counter = Slot::Local(head.own.counter);
        let moduli = self.moduli()?;
        let mut found = Vec::new();
        let mut both = |form: &Form| found.extend([1, -1].map(|sign| Form::Sum(vec![(sign, form.clone())])));
        for atom in atoms(head.own) {
            both(&Form::Int(atom));
        }
        for slot in slots {
            both(&Form::Slot(*slot));
            for begun in self.begun(head, entry, *slot)? {
                both(&Form::Sum(vec![(1, Form::Slot(*slot)), (-1, Form::Known(begun))]));
            }
        }
        let sizes = self.parameters.iter().cloned();
        let limits: Vec<Linear> = moduli.iter().cloned().chain(sizes).collect();
        for slot in slots {
            let below = |limit: &Linear| Form::Sum(vec![(1, Form::Known(limit.clone())), (-1, Form::Slot(*slot))]);
            found.extend(limits.iter().map(below));
            if !self.is_rich {
                continue;
            }
            let unchanged = joined.names.locals.keys().filter(|local| !head.changed.contains(local));
            let others = unchanged.map(|local| Slot::Local(*local)).chain([counter]).filter(|other| other != slot);
            for other in others {
                let sum = [Form::Slot(*slot), Form::Slot(other)].map(|form| (1, form)).to_vec();
                found.extend([1, -1].map(|sign| Form::Sum(vec![(sign, Form::Sum(sum.clone()))])));
                let below =
                    |limit: &Linear| Form::Sum(vec![(1, Form::Known(limit.clone())), (-1, Form::Sum(sum.clone()))]);
                found.extend(moduli.iter().map(below));
            }
        }
        Ok(found)
    }

    /// What a slot begins with, in the states in front of the loop.
    fn begun(&self, head: &Head, entry: &[State], slot: Slot) -> Outcome<Vec<Linear>> {
        let mut found = Vec::new();
        for state in entry {
            let begun = self.only(state, &Form::Slot(slot), head)?;
            found.extend(begun.filter(|begun| !found.contains(begun)));
        }
        Ok(found)
    }

    /// The sizes that subscripts of the program before are taken modulo of.
    fn moduli(&self) -> Outcome<Vec<Linear>> {
        let mut found = Vec::new();
        for (statement, _, modulus) in self.subscripts() {
            let own = &self.statements[statement];
            let facts = Facts::default();
            if let Some(value) = self.only_int(&facts, &own.names(self.parameters, &[]), &modulus)?
                && !found.contains(&value)
            {
                found.push(value);
            }
        }
        Ok(found)
    }

    /// Subscripts `e mod b` of the program before: the statement, e and b.
    fn subscripts(&self) -> Vec<(usize, Int, Int)> {
        let mut found = Vec::new();
        for (statement, own) in self.statements.iter().enumerate() {
            let mut note = |place: &Place| {
                place.each_int(&mut |e| {
                    if let Int::Binary(IntOp::FloorModulo, e, modulus) = e {
                        let entry = (statement, (**e).clone(), (**modulus).clone());
                        if !found.contains(&entry) {
                            found.push(entry);
                        }
                    }
                });
            };
            note(&own.assign.target);
            own.assign.value.each_read(&mut note);
        }
        found
    }

    /// Congruences that hold in front of the loop.
    fn multiples(&self, head: &Head, entry: &[State], joined: &State, slots: &[Slot]) -> Outcome<Vec<Multiple>> {
        let mut found = Vec::new();
        for Congruence { local, form, modulus } in &head.own.invariant.congruences {
            let form = Form::Sum(vec![(1, Form::Int(local.clone())), (-1, Form::Int(form.clone()))]);
            found.push(Multiple { form, modulus: Form::Int(modulus.clone()), is_said: true });
        }
        let counter = Form::Slot(Slot::Local(head.own.counter));
        let begun = self.begun(head, entry, Slot::Local(head.own.counter))?;
        if let ([begun], Some(step)) = (&begun[..], head.own.step.filter(|step| step.unsigned_abs() > 1)) {
            let form = Form::Sum(vec![(1, counter.clone()), (-1, Form::Known(begun.clone()))]);
            let modulus = Form::Known(Linear::number(i128::from(step).abs()));
            found.push(Multiple { form, modulus, is_said: false });
        }
        let looked_for = if head.is_said() { Vec::new() } else { self.subscripts() };
        for (statement, e, modulus) in looked_for {
            let own = &self.statements[statement];
            let Some(modulus) = self.only_int(&joined.facts, &own.names(self.parameters, &[]), &modulus)? else {
                continue;
            };
            for slot in slots {
                let form = vec![(1, Form::Slot(*slot)), (-1, Form::Subscript(statement, e.clone()))];
                let without = [&form[..], &[(1, counter.clone())]].concat();
                for form in [form, without] {
                    let (form, modulus) = (Form::Sum(form), Form::Known(modulus.clone()));
                    found.push(Multiple { form, modulus, is_said: false });
                }
            }
        }
        let mut holding = Vec::new();
        for multiple in found {
            let holds = self.is_multiple(head, entry, &multiple)?;
            if multiple.is_said && !holds {
                return Err(Obligation::Head.into());
            }
            if holds && self.only(joined, &multiple.form, head)?.is_some() {
                holding.push(multiple);
            }
        }
        Ok(holding)
    }

    fn is_multiple(&self, head: &Head, states: &[State], multiple: &Multiple) -> Outcome<bool> {
        for state in states {
            let (value, modulus) =
                (self.only(state, &multiple.form, head)?, self.only(state, &multiple.modulus, head)?);
            let (Some(value), Some(modulus)) = (value, modulus) else { return Ok(false) };
            if !self.judge.is_multiple(&state.facts, &value, &modulus)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Weakens or drops bounds that don't hold behind an iteration; whether all hold.
    fn keep_bounds(&self, head: &Head, back: &[State], bounds: &mut Vec<Bound>) -> Outcome<bool> {
        let mut kept = Vec::new();
        let mut all = true;
        for mut bound in bounds.drain(..) {
            let least = if back.is_empty() { Some(bound.least) } else { self.least(head, back, &bound.form)? };
            match least {
                Some(least) if least >= bound.least => kept.push(bound),
                _ if bound.is_said => return Err(Obligation::Head.into()),
                Some(least) => {
                    if let Some(natural) = NATURAL.into_iter().find(|natural| *natural <= least) {
                        bound.least = natural;
                        kept.push(bound);
                    }
                    all = false;
                }
                None => all = false,
            }
        }
        *bounds = kept;
        Ok(all)
    }

    fn keep_multiples(&self, head: &Head, back: &[State], multiples: &mut Vec<Multiple>) -> Outcome<bool> {
        let count = multiples.len();
        let mut kept = Vec::new();
        for multiple in multiples.drain(..) {
            if self.is_multiple(head, back, &multiple)? {
                kept.push(multiple);
            } else if multiple.is_said {
                return Err(Obligation::Head.into());
            }
        }
        let all = kept.len() == count;
        *multiples = kept;
        Ok(all)
    }

    /// That iterations end where the next one begins, and that there is a last one; the states behind it.
    fn behind(&self, head: &Head, entry: &[State], state: &State, back: &[State]) -> Outcome<Vec<State>> {
        for state in back {
            if !self.is_reached(head, state)? {
                return Err(Obligation::Cursor.into());
            }
        }
        let counter = |state: &State| state.names.locals.get(&head.own.counter).cloned();
        let first = counter(state).ok_or(Obligation::NoValue)?;
        let sign = direction(&head.own.test, head).ok_or(Obligation::MayNotEnd)?;
        for state in back {
            let last = counter(state).ok_or(Obligation::NoValue)?;
            if !self.judge.entails(&state.facts, &last.minus(&first).times(sign).and(-1))? {
                return Err(Obligation::MayNotEnd.into());
            }
        }
        // An iteration ran: the counter isn't what it was in front of the loop.
        let mut behind = state.clone();
        if let Some(begun) = counter(&entry[0])
            && entry.iter().all(|state| counter(state).as_ref() == Some(&begun))
        {
            let moved = first.minus(&begun).times(sign);
            if self.judge.entails(&state.facts, &moved)? {
                behind.facts = behind.facts.with_not_negative(moved.and(-1));
            }
        }
        let cases = self.judge.assume(&behind.facts, &behind.names, &head.own.test, false)?;
        Ok(cases.into_iter().map(|facts| behind.with(facts)).collect())
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
fn moved(joined: &State, back: &[State], slots: &[Slot]) -> Outcome<Option<Slot>> {
    for (pointer, (buffer, at)) in &joined.pointers {
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

/// The sums of said ranges that aren't negative.
fn said(ranges: &[Cond]) -> Outcome<Vec<Form>> {
    let mut found = Vec::new();
    for cond in ranges {
        let Cond::Compare(relation, left, right) = cond else {
            return Err(Obligation::Unsupported("ranges that are no comparisons").into());
        };
        let sum = |sign: i128, more: i128| {
            let parts = [(sign, left), (-sign, right)].map(|(factor, e)| (factor, Form::Int(e.clone())));
            Form::Sum([&parts[..], &[(more, Form::Known(Linear::number(1)))]].concat())
        };
        match relation {
            Relation::Less => found.push(sum(-1, -1)),
            Relation::LessOrEqual => found.push(sum(-1, 0)),
            Relation::Greater => found.push(sum(1, -1)),
            Relation::GreaterOrEqual => found.push(sum(1, 0)),
            Relation::Equal => found.extend([sum(1, 0), sum(-1, 0)]),
            Relation::NotEqual => return Err(Obligation::Unsupported("ranges without one value").into()),
        }
    }
    Ok(found)
}

/// That a pointer stands at a place: differences of subscripts that aren't negative, in both directions.
fn standing(pointer: LocalId, place: &Place) -> Outcome<(BufferId, Vec<Form>)> {
    let Place::Cell { buffer, index } = place else {
        return Err(Obligation::Unsupported("pointers that stand at no cell of a buffer").into());
    };
    let both = |(k, e): (usize, &Int)| {
        let parts = [(1, Form::Slot(Slot::Pointer(pointer, k))), (-1, Form::Int(e.clone()))];
        [1, -1].map(|sign| Form::Sum(parts.iter().map(|(factor, part)| (sign * factor, part.clone())).collect()))
    };
    Ok((*buffer, index.iter().enumerate().flat_map(both).collect()))
}

/// 1 if a test bounds its counter from above, -1 if from below, by what an iteration doesn't change.
fn direction(test: &Cond, head: &Head) -> Option<i128> {
    match test {
        Cond::And(left, right) => direction(left, head).or_else(|| direction(right, head)),
        Cond::Compare(relation, left, right) => {
            let stays = |e: &Int| head.changed.iter().all(|local| !mentions(e, *local));
            let is_counter = |e: &Int| *e == Int::Local(head.own.counter);
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

/// Differences of what the conditions of a loop compare.
fn atoms(own: &Loop) -> Vec<Int> {
    let mut found = Vec::new();
    compared(&own.test, &mut found);
    let mut visit = |stmt: &Stmt| match stmt {
        Stmt::For(inner) => compared(&inner.test, &mut found),
        Stmt::If { cond, .. } => compared(cond, &mut found),
        _ => {}
    };
    own.body.iter().for_each(|stmt| stmt.each(&mut visit));
    found
}

fn compared(cond: &Cond, found: &mut Vec<Int>) {
    match cond {
        Cond::Compare(_, left, right) => {
            let difference = Int::binary(IntOp::Subtract, left.clone(), right.clone());
            if !found.contains(&difference) {
                found.push(difference);
            }
        }
        Cond::And(left, right) | Cond::Or(left, right) => {
            compared(left, found);
            compared(right, found);
        }
        Cond::Not(inner) => compared(inner, found),
        Cond::Data(_) => {}
    }
}

fn mentions(e: &Int, local: LocalId) -> bool {
    let mut found = false;
    e.each(&mut |inner| found |= *inner == Int::Local(local));
    found
}

/// Whether the value is a sum of what is named: then it has no facts of its own.
fn is_linear(e: &Int) -> bool {
    let mut linear = true;
    e.each(&mut |inner| {
        linear &= match inner {
            Int::Binary(op, ..) => matches!(op, IntOp::Add | IntOp::Subtract | IntOp::Multiply),
            Int::Select(..) => false,
            _ => true,
        }
    });
    linear
}

/// The counters of assignments, where counters of loops inside are what they begin with.
fn first_instances(body: &[Stmt], loops: &mut Vec<(LocalId, Int)>) -> Vec<(StatementId, Vec<Int>)> {
    let mut found = Vec::new();
    for stmt in body {
        match stmt {
            Stmt::Assign(assign) => {
                let first =
                    |e: &Int| loops.iter().rev().fold(e.clone(), |e, (local, first)| replaced(&e, *local, first));
                found.push((assign.statement, assign.at.iter().map(first).collect()));
            }
            Stmt::For(own) => {
                let count = loops.len();
                loops.extend(own.first.clone().map(|first| (own.counter, first)));
                found.extend(first_instances(&own.body, loops));
                loops.truncate(count);
            }
            other => other.lists().into_iter().for_each(|list| found.extend(first_instances(list, loops))),
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

//! Functions of a state, and their values.
//!
//! ```text
//! slot      a local, or one subscript of where a pointer stands
//! form      slots, integers of the program after, subscripts of the program before, and sums of these
//! ```
//!
//! Example: how far `w` is from the subscript `i` of `S0` is `Sum([(1, w), (-1, Subscript(S0, i))])`. A form has a value in a state, unless
//! cases have to be told apart for it.

use super::Stop;
use super::facts::Facts;
use super::heads::Head;
use super::instances::Instances;
use super::linear::Linear;
use super::lockstep::{State, Walk};
use super::names::Names;
use polyfold_program::{Int, IntOp, LocalId};

type Outcome<T> = std::result::Result<T, Stop>;

/// What changes at a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    Local(LocalId),
    /// One subscript of where a pointer stands.
    Pointer(LocalId, usize),
}

/// A function of a state.
#[derive(Clone, Debug)]
pub(super) enum Form {
    Slot(Slot),
    /// An integer of the program after.
    Int(Int),
    /// A subscript of a statement of the program before, in the first instance of the iteration.
    Subscript(usize, Int),
    Known(Linear),
    Sum(Vec<(i128, Form)>),
}

impl Walk<'_> {
    /// The value of a form, if it has one without telling cases apart.
    pub(super) fn only(&self, state: &State, form: &Form, head: &Head) -> Outcome<Option<Linear>> {
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

    pub(super) fn only_int(&self, facts: &Facts, names: &Names, e: &Int) -> Outcome<Option<Linear>> {
        match self.judge.int(facts, names, e) {
            Ok(mut cases) if cases.len() == 1 && is_linear(e) => Ok(cases.pop().map(|(_, value)| value)),
            Ok(_) | Err(Stop::Refused(_)) => Ok(None),
            Err(failed) => Err(failed),
        }
    }

    /// The counters of a statement where the head's iteration begins: those of shared loops, and the first ones.
    pub(super) fn first_counters(&self, state: &State, own: &Instances, head: &Head) -> Outcome<Option<Vec<Linear>>> {
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

    /// The values of a form, each in its case. `None`: something in it has no value.
    pub(super) fn values(&self, state: &State, form: &Form, head: &Head) -> Outcome<Option<Vec<(Facts, Linear)>>> {
        match form {
            Form::Int(e) => match self.judge.int(&state.facts, &state.names, e) {
                Ok(cases) => Ok(Some(cases)),
                Err(Stop::Refused(_)) => Ok(None),
                Err(failed) => Err(failed),
            },
            Form::Sum(parts) => {
                let mut cases = vec![(state.facts.clone(), Linear::default())];
                for (factor, part) in parts {
                    let mut next = Vec::new();
                    for (facts, sum) in cases {
                        let Some(values) = self.values(&state.with(facts), part, head)? else { return Ok(None) };
                        next.extend(values.into_iter().map(|(facts, value)| (facts, sum.plus(&value, *factor))));
                    }
                    cases = next;
                }
                Ok(Some(cases))
            }
            other => Ok(self.only(state, other, head)?.map(|value| vec![(state.facts.clone(), value)])),
        }
    }

    /// Whether a form has no smaller value in some states.
    pub(super) fn is_at_least(&self, head: &Head, states: &[State], form: &Form, least: i128) -> Outcome<bool> {
        for state in states {
            let Some(values) = self.values(state, form, head)? else { return Ok(false) };
            for (facts, value) in values {
                if !self.judge.entails(&facts, &value.and(-least))? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The least value of a form in some states, if it has one in all of them.
    pub(super) fn least(&self, head: &Head, states: &[State], form: &Form) -> Outcome<Option<i128>> {
        let mut least: Option<i128> = None;
        for state in states {
            let Some(value) = self.only(state, form, head)? else { return Ok(None) };
            let Some(own) = self.judge.least(&state.facts, &value)? else { return Ok(None) };
            least = Some(least.map_or(own, |least| least.min(own)));
        }
        Ok(least)
    }

    /// What a slot begins with, in the states in front of the loop.
    pub(super) fn begun(&self, head: &Head, entry: &[State], slot: Slot) -> Outcome<Vec<Linear>> {
        let mut found = Vec::new();
        for state in entry {
            let begun = self.only(state, &Form::Slot(slot), head)?;
            found.extend(begun.filter(|begun| !found.contains(begun)));
        }
        Ok(found)
    }
}

/// Whether the value is a sum of what is named, in the only case that there is: then it has no facts of its own.
fn is_linear(e: &Int) -> bool {
    let mut linear = true;
    e.each(&mut |inner| {
        linear &= match inner {
            Int::Binary(op, ..) => matches!(op, IntOp::Add | IntOp::Subtract | IntOp::Multiply),
            _ => true,
        }
    });
    linear
}

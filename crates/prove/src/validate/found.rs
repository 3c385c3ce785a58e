//! Conditions on data.
//!
//! A condition of the program before has instances, as statements have. The one of the program after is the same if it is asked when
//! that is due, of the same cells. Then there are two states: in one it holds, in the other it doesn't. A statement in a branch is an
//! instance in one of them.
//!
//! Example: behind `if (A[i] > x)` either `S1(i)` inside is due, or what comes behind it.
//!
//! Invariant: what was found is of counters, and stays true.

use super::facts::Facts;
use super::instances::{Instance, Instances};
use super::linear::Linear;
use super::lockstep::{State, Walk};
use super::places::{Pair, Side};
use super::{Obligation, Stop};
use polyfold_program::{Cond, Int, Stmt};
use std::collections::BTreeMap;

type Outcome<T> = std::result::Result<T, Stop>;

/// What a condition on data of the program before is at some counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    test: usize,
    counters: Vec<Linear>,
    holds: bool,
}

impl Walk<'_> {
    /// The state in which a condition on data holds, or doesn't: it is the one of the program before that is due.
    pub(super) fn tested(&self, stmt: &Stmt, (cond, holds): (&Cond, bool), state: &State) -> Outcome<State> {
        let Some(first) = first_instance(stmt) else {
            return Err(Obligation::Unsupported("conditions on data without statements").into());
        };
        let name = &self.after.statements[first.statement.0];
        let mut refused = Obligation::NoStatement;
        for own in self.statements.iter().filter(|own| self.before.statements[own.what.statement.0] == *name) {
            for (test, _) in &own.outcomes {
                let found = self.test_of(*test, (first, cond), state);
                match found {
                    // It is another one of the same kind inside.
                    Ok(counters) if self.found(&state.facts, &state.outcomes, (*test, &counters))?.is_some() => {}
                    Ok(counters) => {
                        let mut state = state.clone();
                        state.outcomes.push(Found { test: *test, counters, holds });
                        return Ok(state);
                    }
                    Err(Stop::Refused(why)) => refused = why,
                    Err(failed) => return Err(failed),
                }
            }
        }
        Err(refused.into())
    }

    /// The counters at which a condition of the program before is the one that is asked here.
    fn test_of(&self, test: usize, (first, cond): (Instance, &Cond), state: &State) -> Outcome<Vec<Linear>> {
        let own = &self.tests[test];
        let at = first.at.get(..own.loops.len()).ok_or(Obligation::NoStatement)?;
        let value = |e: &Int| self.only_int(&state.facts, &state.names, e)?.ok_or(Obligation::NoValue.into());
        let counters = at.iter().map(value).collect::<Outcome<Vec<Linear>>>()?;
        let names = own.names(self.parameters, &counters);
        self.is_due((own, &names, &counters), state)?;
        let nothing = BTreeMap::new();
        let before = Side { names: &names, pointers: &nothing };
        let pair = Pair { judge: self.judge, before, after: state.side(), buffers: self.buffers };
        pair.same_cond(&state.facts, own.what, cond)?;
        Ok(counters)
    }

    /// Whether it was found of data that this is an instance.
    pub(super) fn data_ask<What>(
        &self,
        facts: &Facts,
        (own, counters): (&Instances<What>, &[Linear]),
        all: &[Found],
    ) -> Outcome<bool> {
        for (test, holds) in &own.outcomes {
            if self.found(facts, all, (*test, counters))? != Some(*holds) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether nothing was found of data that says that this is no instance.
    pub(super) fn data_allow(
        &self,
        facts: &Facts,
        (own, counters): (&Instances, &[Linear]),
        all: &[Found],
    ) -> Outcome<bool> {
        for (test, holds) in &own.outcomes {
            if self.found(facts, all, (*test, counters))? == Some(!holds) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What a condition on data was found to be for an instance with these counters.
    fn found(&self, facts: &Facts, all: &[Found], (test, counters): (usize, &[Linear])) -> Outcome<Option<bool>> {
        for own in all.iter().filter(|own| own.test == test) {
            let mut is_it = true;
            for (one, other) in own.counters.iter().zip(counters) {
                is_it = is_it && self.judge.is_zero(facts, &one.minus(other))?;
            }
            if is_it {
                return Ok(Some(own.holds));
            }
        }
        Ok(None)
    }
}

/// The first statement of the source inside one.
fn first_instance(stmt: &Stmt) -> Option<Instance<'_>> {
    Instance::of(stmt).or_else(|| stmt.lists().into_iter().flatten().find_map(first_instance))
}

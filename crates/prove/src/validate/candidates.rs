//! What may hold at a loop's head: bounds and congruences.
//!
//! Some are said by the pass, others are looked for: sums of what changes, of sizes and of conditions,
//! and locals against subscripts of the program before. Those that hold in front of the loop are
//! candidates. Those that don't hold behind an iteration are weakened, then dropped (Houdini); what
//! is said has to hold.

use super::facts::Facts;
use super::forms::{Form, Slot};
use super::heads::Head;
use super::linear::Linear;
use super::lockstep::{State, Walk};
use super::{Obligation, Stop};
use polyfold_program::{Cond, Congruence, Int, IntOp, Loop, Place, Relation, Stmt};

/// What a bound is weakened to before it is dropped: `0 <= x` and `x <= b - 1` are what subscripts need.
const NATURAL: [i128; 2] = [1, 0];

type Outcome<T> = std::result::Result<T, Stop>;

/// `form >= least`
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) form: Form,
    pub(super) least: i128,
    pub(super) is_said: bool,
}

/// `form` is a multiple of `modulus`.
#[derive(Clone, Debug)]
pub(super) struct Multiple {
    pub(super) form: Form,
    pub(super) modulus: Form,
    pub(super) is_said: bool,
}

impl Walk<'_> {
    /// Bounds that hold in front of the loop.
    pub(super) fn bounds(&self, head: &Head, entry: &[State], joined: &State, slots: &[Slot]) -> Outcome<Vec<Bound>> {
        let mut found = Vec::new();
        for form in said(&head.own.invariant.ranges)? {
            found.push(Bound { form, least: 0, is_said: true });
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
            if bound.is_said {
                if !self.is_at_least(head, entry, &bound.form, bound.least)? {
                    return Err(Obligation::Head.into());
                }
                holding.push(bound);
                continue;
            }
            match self.least(head, entry, &bound.form)? {
                Some(least) if self.only(joined, &bound.form, head)?.is_some() => {
                    bound.least = least;
                    holding.push(bound);
                }
                _ => {}
            }
        }
        Ok(holding)
    }

    /// Congruences that hold in front of the loop.
    pub(super) fn multiples(
        &self,
        head: &Head,
        entry: &[State],
        joined: &State,
        slots: &[Slot],
    ) -> Outcome<Vec<Multiple>> {
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
            if holds && (multiple.is_said || self.only(joined, &multiple.form, head)?.is_some()) {
                holding.push(multiple);
            }
        }
        Ok(holding)
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
        self.has_searched.set(true);
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
            if !self.with_pairs {
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
            own.what.stmt.each_place(&mut |_, place| note(place));
        }
        found
    }

    fn is_multiple(&self, head: &Head, states: &[State], multiple: &Multiple) -> Outcome<bool> {
        for state in states {
            let Some(values) = self.values(state, &multiple.form, head)? else { return Ok(false) };
            for (facts, value) in values {
                let moduli = self.values(&state.with(facts), &multiple.modulus, head)?;
                let Some(moduli) = moduli else { return Ok(false) };
                for (facts, modulus) in moduli {
                    if !self.judge.is_multiple(&facts, &value, &modulus)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Weakens or drops bounds that don't hold behind an iteration; whether all hold.
    pub(super) fn keep_bounds(&self, head: &Head, back: &[State], bounds: &mut Vec<Bound>) -> Outcome<bool> {
        let mut kept = Vec::new();
        let mut all = true;
        for mut bound in bounds.drain(..) {
            if self.is_at_least(head, back, &bound.form, bound.least)? {
                kept.push(bound);
                continue;
            }
            if bound.is_said {
                return Err(Obligation::Head.into());
            }
            match self.least(head, back, &bound.form)? {
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

    pub(super) fn keep_multiples(&self, head: &Head, back: &[State], multiples: &mut Vec<Multiple>) -> Outcome<bool> {
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

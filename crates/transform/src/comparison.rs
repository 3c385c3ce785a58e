//! Comparisons of a loop's counter with something, and what is left of conditions where some of them are known.
//!
//! Example: of `i >= 1 && i < n - 1`, where i is at least 1, `i < n - 1` is left.

use polyfold_program::Sum;
use polyfold_program::{Cond, Int, LocalId, Loop, Place, Relation, Stmt, Value};

/// Whether the counter is at least something, or less.
pub(crate) struct Comparison {
    pub(crate) threshold: Int,
    pub(crate) is_at_least: bool,
}

impl Comparison {
    /// `None`: it isn't a comparison of the counter alone with something, or it is for equality.
    pub(crate) fn of(cond: &Cond, counter: LocalId) -> Option<Comparison> {
        let Cond::Compare(relation, left, right) = cond else { return None };
        let at = Int::Local(counter);
        let sum = Sum::of(left, 1).plus(right, -1);
        let (factor, _) = sum.without(&at)?;
        // factor * i + rest, compared with 0.
        let rest = sum.plus(&at, -factor);
        let (relation, limit) = match factor {
            1 => (*relation, rest.negated().print(&[])),
            -1 => (mirrored(*relation), rest.print(&[])),
            _ => return None,
        };
        if limit.names(counter) {
            return None;
        }
        Some(match relation {
            Relation::GreaterOrEqual => Comparison { threshold: limit, is_at_least: true },
            Relation::Less => Comparison { threshold: limit, is_at_least: false },
            Relation::Greater => {
                Comparison { threshold: Sum::of(&limit, 1).plus(&Int::Constant(1), 1).print(&[]), is_at_least: true }
            }
            Relation::LessOrEqual => {
                Comparison { threshold: Sum::of(&limit, 1).plus(&Int::Constant(1), 1).print(&[]), is_at_least: false }
            }
            Relation::Equal | Relation::NotEqual => return None,
        })
    }
}

fn mirrored(relation: Relation) -> Relation {
    match relation {
        Relation::Less => Relation::Greater,
        Relation::LessOrEqual => Relation::GreaterOrEqual,
        Relation::Greater => Relation::Less,
        Relation::GreaterOrEqual => Relation::LessOrEqual,
        same => same,
    }
}

/// Comparisons that hold together exactly if a condition does, or if it doesn't, for `!=`. Empty: it isn't understood.
pub(crate) fn comparisons(cond: &Cond, counter: LocalId) -> Vec<Comparison> {
    match cond {
        Cond::Compare(Relation::Equal | Relation::NotEqual, left, right) => {
            let side = |relation| Comparison::of(&Cond::compare(left.clone(), relation, right.clone()), counter);
            let both = [side(Relation::GreaterOrEqual), side(Relation::LessOrEqual)];
            both.into_iter().collect::<Option<Vec<_>>>().unwrap_or_default()
        }
        other => Comparison::of(other, counter).into_iter().collect(),
    }
}

/// What is known of a counter: it is at least some integers, and less than others.
#[derive(Clone, Default)]
pub(crate) struct Facts {
    at_least: Vec<Int>,
    less: Vec<Int>,
}

impl Facts {
    /// What is at least a maximum is at least both.
    pub(crate) fn note(&mut self, threshold: Int, is_at_least: bool) {
        let all = if is_at_least { &mut self.at_least } else { &mut self.less };
        all.extend(Sum::of(&threshold, 1).extremes(is_at_least).iter().map(|own| own.print(&[])));
    }

    /// Whether the counter is at least a threshold. `None`: nothing says.
    pub(crate) fn settles(&self, threshold: &Int) -> Option<bool> {
        let is_from = |own: &Int, range: fn(i64) -> bool| Sum::difference(own, threshold).is_some_and(range);
        if self.at_least.iter().any(|own| is_from(own, |further| further >= 0)) {
            return Some(true);
        }
        self.less.iter().any(|own| is_from(own, |further| further <= 0)).then_some(false)
    }
}

/// Conditions that facts settle.
pub(crate) struct Settling<'a> {
    pub(crate) counter: LocalId,
    pub(crate) facts: &'a Facts,
}

impl Settling<'_> {
    pub(crate) fn list(&self, body: &[Stmt]) -> Vec<Stmt> {
        body.iter().flat_map(|own| self.stmt(own)).collect()
    }

    fn stmt(&self, own: &Stmt) -> Vec<Stmt> {
        match own {
            Stmt::For(own) => vec![Stmt::For(Loop { body: self.list(&own.body), ..own.clone() })],
            Stmt::If { cond, then, other } => match self.cond(cond) {
                Settled::Holds => self.list(then),
                Settled::Fails => self.list(other),
                Settled::Open(cond) => vec![Stmt::If { cond, then: self.list(then), other: self.list(other) }],
            },
            Stmt::Assign(own) => {
                let (target, value) = (self.place(&own.target), self.value(&own.value));
                vec![Stmt::Assign(polyfold_program::Assign { target, value, ..own.clone() })]
            }
            other => vec![other.clone()],
        }
    }

    fn place(&self, place: &Place) -> Place {
        match place {
            Place::Select(cond, yes, no) => match self.cond(cond) {
                Settled::Holds => self.place(yes),
                Settled::Fails => self.place(no),
                Settled::Open(cond) => {
                    Place::Select(Box::new(cond), Box::new(self.place(yes)), Box::new(self.place(no)))
                }
            },
            other => other.clone(),
        }
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Read(place) => Value::Read(self.place(place)),
            Value::Apply(op, operands) => {
                Value::Apply(op.clone(), operands.iter().map(|operand| self.value(operand)).collect())
            }
            // The type of a choice is that of both sides.
            Value::Choice(cond, yes, no) => {
                Value::Choice(cond.clone(), Box::new(self.value(yes)), Box::new(self.value(no)))
            }
            other => other.clone(),
        }
    }

    /// What is asked behind a condition: behind data it stays.
    fn behind(&self, first: &Cond, cond: &Cond) -> Settled {
        if first.has_data() { Settled::Open(cond.clone()) } else { self.cond(cond) }
    }

    fn cond(&self, cond: &Cond) -> Settled {
        match cond {
            Cond::And(left, right) => match (self.cond(left), self.behind(left, right)) {
                (Settled::Fails, _) | (_, Settled::Fails) => Settled::Fails,
                (Settled::Holds, other) | (other, Settled::Holds) => other,
                (Settled::Open(left), Settled::Open(right)) => {
                    Settled::Open(Cond::And(Box::new(left), Box::new(right)))
                }
            },
            Cond::Or(left, right) => match (self.cond(left), self.behind(left, right)) {
                (Settled::Holds, _) | (_, Settled::Holds) => Settled::Holds,
                (Settled::Fails, other) | (other, Settled::Fails) => other,
                (Settled::Open(left), Settled::Open(right)) => Settled::Open(Cond::Or(Box::new(left), Box::new(right))),
            },
            Cond::Not(inner) => match self.cond(inner) {
                Settled::Holds => Settled::Fails,
                Settled::Fails => Settled::Holds,
                Settled::Open(inner) => Settled::Open(Cond::Not(Box::new(inner))),
            },
            Cond::Compare(relation, ..) => {
                let all = comparisons(cond, self.counter);
                let known = |own: &Comparison| Some(self.facts.settles(&own.threshold)? == own.is_at_least);
                let outcome = match &all[..] {
                    [] => None,
                    all if all.iter().any(|own| known(own) == Some(false)) => Some(false),
                    all => all.iter().all(|own| known(own) == Some(true)).then_some(true),
                };
                match outcome.map(|holds| holds != (*relation == Relation::NotEqual)) {
                    Some(true) => Settled::Holds,
                    Some(false) => Settled::Fails,
                    None => Settled::Open(cond.clone()),
                }
            }
            Cond::Data(_) => Settled::Open(cond.clone()),
        }
    }
}

/// What is left of a condition.
enum Settled {
    Holds,
    Fails,
    Open(Cond),
}

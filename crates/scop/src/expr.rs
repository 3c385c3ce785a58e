//! Quasi-affine expressions and conditions, with C's meaning.
//!
//! `Divide` and `Remainder` are C's: they truncate toward zero, and their divisor is a positive constant.
//! `min`, `max`, `abs` and ternaries are all [`Expr::Select`].
//!
//! Example: `(i - 1) / 2` is `Divide(Add(Iterator(i), Constant(-1)), 2)`; at `i = 0` it is 0, not -1.

use crate::Comparison;
use std::collections::BTreeSet;

/// A loop of the scop; unique in it, numbered in text order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(pub usize);

/// Index into [`Scop::parameters`](crate::Scop::parameters).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParameterId(pub usize);

/// An integer expression of iterators and parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A literal, or a macro taken at its value.
    Constant(i64),
    /// The counter of an enclosing loop.
    Iterator(LoopId),
    /// A size that stays symbolic.
    Parameter(ParameterId),
    /// Sum.
    Add(Box<Expr>, Box<Expr>),
    /// A constant multiple.
    Scale(i64, Box<Expr>),
    /// C's quotient by a positive constant (toward zero).
    Divide(Box<Expr>, i64),
    /// C's remainder by a positive constant (sign of the dividend).
    Remainder(Box<Expr>, i64),
    /// `condition ? first : second`.
    Select(Box<Condition>, Box<Expr>, Box<Expr>),
}

/// A condition on iterators and parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A comparison.
    Compare(Expr, Comparison, Expr),
    /// All hold; `All(vec![])` is true.
    All(Vec<Condition>),
    /// One holds; `Any(vec![])` is false.
    Any(Vec<Condition>),
    /// Negation.
    Not(Box<Condition>),
    /// Depends on data: may be true or false at any evaluation, and so may its negation.
    Unknown,
}

impl Expr {
    /// `self + other`, folding constants.
    #[allow(clippy::should_implement_trait)]
    pub fn add(self, other: Expr) -> Expr {
        match (self, other) {
            (Expr::Constant(a), Expr::Constant(b)) if a.checked_add(b).is_some() => Expr::Constant(a + b),
            (Expr::Constant(0), e) | (e, Expr::Constant(0)) => e,
            (a, b) => Expr::Add(Box::new(a), Box::new(b)),
        }
    }

    /// `factor * self`, folding constants.
    pub fn scale(self, factor: i64) -> Expr {
        match self {
            Expr::Constant(a) if a.checked_mul(factor).is_some() => Expr::Constant(a * factor),
            e if factor == 1 => e,
            Expr::Scale(f, e) if f.checked_mul(factor).is_some() => e.scale(f * factor),
            e => Expr::Scale(factor, Box::new(e)),
        }
    }

    /// Whether it has the counter of a loop, but for conditions in it.
    pub fn mentions(&self, counter: LoopId) -> bool {
        match self {
            Expr::Constant(_) | Expr::Parameter(_) => false,
            Expr::Iterator(id) => *id == counter,
            Expr::Add(a, b) | Expr::Select(_, a, b) => a.mentions(counter) || b.mentions(counter),
            Expr::Scale(_, e) | Expr::Divide(e, _) | Expr::Remainder(e, _) => e.mentions(counter),
        }
    }

    /// The value of an expression of parameters only, at given parameter values in order; `None` if it has iterators,
    /// depends on data, or leaves 64 bits.
    pub fn value(&self, parameters: &[i64]) -> Option<i64> {
        match self {
            Expr::Constant(value) => Some(*value),
            Expr::Iterator(_) => None,
            Expr::Parameter(id) => parameters.get(id.0).copied(),
            Expr::Add(a, b) => a.value(parameters)?.checked_add(b.value(parameters)?),
            Expr::Scale(factor, e) => e.value(parameters)?.checked_mul(*factor),
            Expr::Divide(e, divisor) => e.value(parameters)?.checked_div(*divisor),
            Expr::Remainder(e, divisor) => e.value(parameters)?.checked_rem(*divisor),
            Expr::Select(condition, first, second) => match condition.holds(parameters)? {
                true => first.value(parameters),
                false => second.value(parameters),
            },
        }
    }

    /// Adds the parameters that occur in the expression.
    pub fn collect_parameters(&self, into: &mut BTreeSet<ParameterId>) {
        match self {
            Expr::Constant(_) | Expr::Iterator(_) => {}
            Expr::Parameter(id) => {
                into.insert(*id);
            }
            Expr::Add(a, b) => {
                a.collect_parameters(into);
                b.collect_parameters(into);
            }
            Expr::Scale(_, e) | Expr::Divide(e, _) | Expr::Remainder(e, _) => e.collect_parameters(into),
            Expr::Select(condition, a, b) => {
                condition.collect_parameters(into);
                a.collect_parameters(into);
                b.collect_parameters(into);
            }
        }
    }

    /// Of `p > q ? p : q` and the like: whether it is `max(p, q)` (else it is `min(p, q)`), with p and q.
    pub fn as_extremum(&self) -> Option<(bool, &Expr, &Expr)> {
        let Expr::Select(condition, first, second) = self else { return None };
        let Condition::Compare(a, comparison, b) = &**condition else { return None };
        let first_is_larger = match comparison {
            Comparison::Greater | Comparison::GreaterEqual => true,
            Comparison::Less | Comparison::LessEqual => false,
            Comparison::Equal | Comparison::NotEqual => return None,
        };
        match (&**first, &**second) {
            (p, q) if p == a && q == b => Some((first_is_larger, p, q)),
            (p, q) if p == b && q == a => Some((!first_is_larger, p, q)),
            _ => None,
        }
    }

    /// The value, if the expression is a literal.
    pub fn as_constant(&self) -> Option<i64> {
        match self {
            Expr::Constant(value) => Some(*value),
            _ => None,
        }
    }
}

impl Condition {
    /// The condition that always holds.
    pub fn always() -> Condition {
        Condition::All(Vec::new())
    }

    /// Whether this is literally the condition that always holds.
    pub fn is_always(&self) -> bool {
        matches!(self, Condition::All(parts) if parts.is_empty())
    }

    /// `self && other`.
    pub fn and(self, other: Condition) -> Condition {
        match (self, other) {
            (a, b) if b.is_always() => a,
            (a, b) if a.is_always() => b,
            (Condition::All(mut a), b) => {
                a.push(b);
                Condition::All(a)
            }
            (a, b) => Condition::All(vec![a, b]),
        }
    }

    /// `!self`.
    pub fn negate(self) -> Condition {
        match self {
            Condition::Not(inner) => *inner,
            other => Condition::Not(Box::new(other)),
        }
    }

    /// Whether a condition on parameters only holds at given parameter values; `None` if that cannot be said.
    pub fn holds(&self, parameters: &[i64]) -> Option<bool> {
        match self {
            Condition::Unknown => None,
            Condition::Not(inner) => inner.holds(parameters).map(|h| !h),
            Condition::All(parts) => parts.iter().try_fold(true, |all, p| Some(all && p.holds(parameters)?)),
            Condition::Any(parts) => parts.iter().try_fold(false, |any, p| Some(any || p.holds(parameters)?)),
            Condition::Compare(a, comparison, b) => {
                Some(comparison.compare(a.value(parameters)?, b.value(parameters)?))
            }
        }
    }

    /// Adds the expressions that it compares.
    pub fn collect_expressions<'a>(&'a self, into: &mut Vec<&'a Expr>) {
        match self {
            Condition::Unknown => {}
            Condition::Not(inner) => inner.collect_expressions(into),
            Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|p| p.collect_expressions(into)),
            Condition::Compare(a, _, b) => into.extend([a, b]),
        }
    }

    /// The parameters in it.
    pub fn collect_parameters(&self, into: &mut BTreeSet<ParameterId>) {
        let mut compared = Vec::new();
        self.collect_expressions(&mut compared);
        compared.iter().for_each(|e| e.collect_parameters(into));
    }

    /// Whether data decides: some part is [`Condition::Unknown`].
    pub fn depends_on_data(&self) -> bool {
        match self {
            Condition::Unknown => true,
            Condition::Compare(..) => false,
            Condition::All(parts) | Condition::Any(parts) => parts.iter().any(Condition::depends_on_data),
            Condition::Not(inner) => inner.depends_on_data(),
        }
    }
}

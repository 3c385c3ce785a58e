//! What expressions and conditions are worth at given sizes and iterator values.
//!
//! Arithmetic saturates: a value out of range is then out of bounds too, and ends the count.

use polyfold_scop::{Condition, Expr};

/// A subscript, prepared for many evaluations.
pub(super) enum Subscript<'s> {
    /// A constant and multiples of iterators.
    Linear(i64, Vec<(usize, i64)>),
    /// Anything else.
    Other(&'s Expr),
}

/// Values of parameters and iterators, by their ids.
pub(super) struct Point<'a> {
    pub(super) sizes: &'a [i64],
    pub(super) iterators: Vec<i64>,
}

impl Point<'_> {
    pub(super) fn value(&self, expr: &Expr) -> i64 {
        match expr {
            Expr::Constant(value) => *value,
            Expr::Iterator(id) => self.iterators[id.0],
            Expr::Parameter(id) => self.sizes[id.0],
            Expr::Add(a, b) => self.value(a).saturating_add(self.value(b)),
            Expr::Scale(factor, e) => self.value(e).saturating_mul(*factor),
            Expr::Divide(e, divisor) => self.value(e) / divisor,
            Expr::Remainder(e, divisor) => self.value(e) % divisor,
            Expr::Select(condition, first, second) => match self.holds(condition) {
                Some(false) => self.value(second),
                _ => self.value(first),
            },
        }
    }

    /// Whether a condition holds; `None` if data decides.
    pub(super) fn holds(&self, condition: &Condition) -> Option<bool> {
        match condition {
            Condition::Unknown => None,
            Condition::Not(inner) => self.holds(inner).map(|h| !h),
            Condition::All(parts) => self.join(parts, false),
            Condition::Any(parts) => self.join(parts, true),
            Condition::Compare(a, comparison, b) => Some(comparison.compare(self.value(a), self.value(b))),
        }
    }

    /// A conjunction or disjunction, of which one part equal to `decisive` decides.
    fn join(&self, parts: &[Condition], decisive: bool) -> Option<bool> {
        let mut known = true;
        for part in parts {
            match self.holds(part) {
                Some(holds) if holds == decisive => return Some(decisive),
                Some(_) => {}
                None => known = false,
            }
        }
        known.then_some(!decisive)
    }

    /// Prepares a subscript.
    pub(super) fn prepare<'s>(&self, expr: &'s Expr) -> Subscript<'s> {
        let (mut constant, mut terms) = (0, Vec::new());
        match self.add_terms(expr, 1, &mut constant, &mut terms) {
            true => Subscript::Linear(constant, terms),
            false => Subscript::Other(expr),
        }
    }

    fn add_terms(&self, expr: &Expr, factor: i64, constant: &mut i64, terms: &mut Vec<(usize, i64)>) -> bool {
        match expr {
            Expr::Constant(value) => *constant = constant.saturating_add(value.saturating_mul(factor)),
            Expr::Parameter(id) => *constant = constant.saturating_add(self.sizes[id.0].saturating_mul(factor)),
            Expr::Iterator(id) => terms.push((id.0, factor)),
            Expr::Scale(by, e) => return self.add_terms(e, factor.saturating_mul(*by), constant, terms),
            Expr::Add(a, b) => {
                return self.add_terms(a, factor, constant, terms) && self.add_terms(b, factor, constant, terms);
            }
            Expr::Divide(..) | Expr::Remainder(..) | Expr::Select(..) => return false,
        }
        true
    }

    /// The value of a prepared subscript.
    pub(super) fn subscript(&self, subscript: &Subscript) -> i64 {
        match subscript {
            Subscript::Other(expr) => self.value(expr),
            Subscript::Linear(constant, terms) => terms
                .iter()
                .fold(*constant, |sum, (k, factor)| sum.saturating_add(self.iterators[*k].saturating_mul(*factor))),
        }
    }
}

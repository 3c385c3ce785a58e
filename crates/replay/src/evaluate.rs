//! Expressions and conditions at one point, with C's meaning.
//!
//! Rust's `/` and `%` truncate toward zero, as C's do. What does not fit 64 bits is `None`.

use polyfold_scop::{Condition, Expr};

/// The values of counters and parameters at one moment, by the index in their ids.
#[derive(Debug)]
pub(crate) struct Environment {
    pub(crate) counters: Vec<i64>,
    pub(crate) parameters: Vec<i64>,
}

impl Environment {
    pub(crate) fn value(&self, expr: &Expr, choose: &mut dyn FnMut() -> bool) -> Option<i64> {
        match expr {
            Expr::Constant(value) => Some(*value),
            Expr::Iterator(id) => Some(self.counters[id.0]),
            Expr::Parameter(id) => Some(self.parameters[id.0]),
            Expr::Add(a, b) => self.value(a, choose)?.checked_add(self.value(b, choose)?),
            Expr::Scale(factor, e) => self.value(e, choose)?.checked_mul(*factor),
            Expr::Divide(e, divisor) => self.value(e, choose)?.checked_div(*divisor),
            Expr::Remainder(e, divisor) => self.value(e, choose)?.checked_rem(*divisor),
            Expr::Select(condition, first, second) => {
                let chosen = if self.holds(condition, choose)? { first } else { second };
                self.value(chosen, choose)
            }
        }
    }

    pub(crate) fn holds(&self, condition: &Condition, choose: &mut dyn FnMut() -> bool) -> Option<bool> {
        match condition {
            Condition::Compare(a, comparison, b) => {
                Some(comparison.compare(self.value(a, choose)?, self.value(b, choose)?))
            }
            Condition::All(parts) => {
                for part in parts {
                    if !self.holds(part, choose)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            Condition::Any(parts) => {
                for part in parts {
                    if self.holds(part, choose)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            Condition::Not(inner) => Some(!self.holds(inner, choose)?),
            Condition::Unknown => Some(choose()),
        }
    }
}

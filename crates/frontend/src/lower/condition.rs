//! Conditions of guards, loops and ternaries.

use super::Lowering;
use polyfold_c::syntax::{BinaryOperator, Expression, ExpressionKind, UnaryOperator};
use polyfold_scop::{Comparison, Condition, Expr};

impl Lowering<'_> {
    /// The condition that `e` tests; parts that depend on data are [`Condition::Unknown`].
    pub(super) fn condition(&mut self, e: &Expression) -> Condition {
        match &e.kind {
            ExpressionKind::Unary(UnaryOperator::Not, inner) => self.condition(inner).negate(),
            ExpressionKind::Binary(BinaryOperator::And, a, b) => {
                let first = self.condition(a);
                let second = self.under(first.clone(), |walk| walk.condition(b));
                Condition::All(parts(vec![first, second], true))
            }
            ExpressionKind::Binary(BinaryOperator::Or, a, b) => {
                let first = self.condition(a);
                let second = self.under(first.clone().negate(), |walk| walk.condition(b));
                Condition::Any(parts(vec![first, second], false))
            }
            ExpressionKind::Binary(BinaryOperator::Compare(comparison), a, b) => self.comparison(*comparison, a, b),
            _ => match self.affine(e) {
                Ok(value) => {
                    self.note_exact(e);
                    Condition::Compare(value, Comparison::NotEqual, Expr::Constant(0))
                }
                Err(error) => {
                    self.wanted_pins.extend(error.pins);
                    Condition::Unknown
                }
            },
        }
    }

    fn comparison(&mut self, comparison: Comparison, a: &Expression, b: &Expression) -> Condition {
        let mark = self.mark();
        let operands = (self.affine(a), self.affine(b));
        if operands.0.is_err() || operands.1.is_err() {
            self.forget_since(mark);
        }
        match operands {
            (Ok(left), Ok(right)) => {
                self.note_operands(a, b);
                Condition::Compare(left, comparison, right)
            }
            (Ok(_), Err(error)) | (Err(error), Ok(_)) => {
                self.wanted_pins.extend(error.pins);
                Condition::Unknown
            }
            (Err(first), Err(second)) => {
                if !first.pins.is_empty() && !second.pins.is_empty() {
                    self.wanted_pins.extend(first.pins.into_iter().chain(second.pins));
                }
                Condition::Unknown
            }
        }
    }

    /// Runs `inner` where `condition` holds.
    pub(super) fn under<T>(&mut self, condition: Condition, inner: impl FnOnce(&mut Self) -> T) -> T {
        self.conditions.push(condition);
        let result = inner(self);
        self.conditions.pop();
        result
    }
}

/// Flattens conjunctions in a conjunction, disjunctions in a disjunction.
fn parts(list: Vec<Condition>, conjunction: bool) -> Vec<Condition> {
    let mut flat = Vec::new();
    for condition in list {
        match condition {
            Condition::All(inner) if conjunction => flat.extend(inner),
            Condition::Any(inner) if !conjunction => flat.extend(inner),
            other => flat.push(other),
        }
    }
    flat
}

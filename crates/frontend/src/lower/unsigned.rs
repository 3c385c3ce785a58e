//! Unsigned arithmetic in bounds and conditions.
//!
//! The idea: an unsigned expression means its mathematical value as long as that is not negative. Where it could
//! be, "it is not negative" becomes an [`Obligation`] for a later stage to discharge.
//!
//! Example: with `size_t n`, the bound `i < n - 1` is `i < 18446744073709551615` for `n = 0`; the obligation is
//! `n - 1 >= 0`.
//!
//! Limit: sums that exceed the type's largest value are not considered.

use super::Lowering;
use crate::syntax::{BinaryOperator, Expression, ExpressionKind, Scalar, UnaryOperator};
use polyfold_scop::{Expr, Obligation, Span};

impl Lowering<'_> {
    /// Records what must hold for the affine reading of `e` to be C's.
    pub(super) fn note_wrapping(&mut self, e: &Expression) {
        match &e.kind {
            ExpressionKind::Binary(BinaryOperator::Compare(_), a, b) => {
                if self.scalar_of(a).with(self.scalar_of(b)).may_wrap() {
                    self.note_conversion(a);
                    self.note_conversion(b);
                }
                self.note_wrapping(a);
                self.note_wrapping(b);
            }
            ExpressionKind::Binary(
                BinaryOperator::Divide | BinaryOperator::Remainder | BinaryOperator::ShiftRight,
                a,
                _,
            ) if self.scalar_of(e).may_wrap() => {
                self.note_conversion(a);
                self.note_wrapping(a);
            }
            // The low bits of a value that wraps are those of the value that does not.
            ExpressionKind::Binary(BinaryOperator::BitAnd, a, b) => {
                self.note_choices(a);
                self.note_choices(b);
            }
            ExpressionKind::Cast(to, inner) if to.may_wrap() => {
                self.note_conversion(inner);
                self.note_wrapping(inner);
            }
            _ if is_arithmetic(e) && self.scalar_of(e).may_wrap() => {
                if self.may_be_negative(e) {
                    self.oblige(e);
                }
                self.note_choices(e);
            }
            _ => e.parts().into_iter().for_each(|part| self.note_wrapping(part)),
        }
    }

    /// A signed value that is converted to an unsigned type.
    pub(super) fn note_conversion(&mut self, e: &Expression) {
        if !self.scalar_of(e).may_wrap() {
            self.oblige(e);
        }
    }

    /// The parts of a sum whose value does not follow from the sum's value: a subscript may wrap as long as these
    /// do not, because what it wraps to is outside the array.
    pub(super) fn note_choices(&mut self, e: &Expression) {
        match &e.kind {
            ExpressionKind::Binary(
                BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply | BinaryOperator::ShiftLeft,
                ..,
            )
            | ExpressionKind::Unary(..)
            | ExpressionKind::Cast(..) => {
                e.parts().into_iter().for_each(|part| self.note_choices(part));
            }
            _ => self.note_wrapping(e),
        }
    }

    /// Whether a part of `e` could make it negative.
    pub(super) fn may_be_negative(&self, e: &Expression) -> bool {
        let mut found = false;
        e.walk(&mut |part| {
            found |= match &part.kind {
                ExpressionKind::Binary(BinaryOperator::Subtract, ..)
                | ExpressionKind::Unary(UnaryOperator::Minus, _) => true,
                ExpressionKind::Name(_, Some(_)) => !self.scalar_of(part).may_wrap(),
                _ => false,
            };
        });
        found
    }

    /// Adds the obligation `e >= 0`.
    pub(super) fn oblige(&mut self, e: &Expression) {
        if let Ok(expression) = self.affine(e) {
            self.oblige_expr(expression, &e.span);
        }
    }

    /// Adds the obligation `expression >= 0`, unless it is plain; `span` is where it comes from.
    pub(super) fn oblige_expr(&mut self, expression: Expr, span: &Span) {
        if expression.as_constant().is_some_and(|value| value >= 0) {
            return;
        }
        let known =
            |o: &Obligation| o.loops == self.loops && o.conditions == self.conditions && o.expression == expression;
        if self.obligations.iter().any(known) {
            return;
        }
        let span = self.site.expanded.to_file(span);
        let (loops, conditions) = (self.loops.clone(), self.conditions.clone());
        self.obligations.push(Obligation { loops, conditions, expression, span });
    }

    /// Whether a counter of this type wraps below zero.
    pub(super) fn is_unsigned(&self, scalar: Scalar) -> bool {
        scalar.may_wrap()
    }
}

fn is_arithmetic(e: &Expression) -> bool {
    matches!(
        &e.kind,
        ExpressionKind::Binary(
            BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply | BinaryOperator::ShiftLeft,
            ..
        ) | ExpressionKind::Unary(UnaryOperator::Minus, _)
    )
}

//! Quotients, remainders, shifts and masks by constants.
//!
//! C's `/` and `%` round toward zero and are what [`Expr::Divide`] and [`Expr::Remainder`] mean. Shifts to the right and masks
//! round down, as two's complement does. Below zero the two differ, and flipping all bits, `~x = -1 - x`, turns one into the
//! other:
//!
//! ```text
//! x >> k          =  x / 2^k         for x >= 0,    ~(~x / 2^k)             for x < 0
//! x & (2^k - 1)   =  x % 2^k         for x >= 0,    2^k - 1 - (~x % 2^k)    for x < 0
//! ```
//!
//! Example: `-3 >> 1` is `~(2 / 2) = -2`, and `-3 & 3` is `3 - 2 % 4 = 1`.

use super::{Affine, NotAffine, refuse};
use crate::lower::Lowering;
use polyfold_c::syntax::{BinaryOperator, Expression};
use polyfold_scop::{Comparison, Condition, Expr};

/// What to do about a remainder by a size: mostly it wraps an index around an edge.
const WRAPPED: &str = "take the remainder by a constant, such as a macro; or give the array halo rows and columns, copied from the other \
                       side before the loops, so that no index wraps around";

impl Lowering<'_> {
    /// `left / right` or `left % right`.
    pub(super) fn quotient(&self, e: &Expression, operator: BinaryOperator, left: Expr, right: Expr) -> Affine {
        match (operator, left.as_constant(), right.as_constant()) {
            (BinaryOperator::Divide, Some(a), Some(b)) if b != 0 && a.checked_div(b).is_some() => {
                Ok(Expr::Constant(a / b))
            }
            (BinaryOperator::Remainder, Some(a), Some(b)) if b != 0 && a.checked_rem(b).is_some() => {
                Ok(Expr::Constant(a % b))
            }
            (BinaryOperator::Divide, _, Some(by)) if by > 0 => Ok(Expr::Divide(Box::new(left), by)),
            (BinaryOperator::Remainder, _, Some(by)) if by > 0 => Ok(Expr::Remainder(Box::new(left), by)),
            _ => Err(NotAffine {
                span: e.span.clone(),
                why: format!(
                    "it {} by something that is not a positive constant",
                    match operator {
                        BinaryOperator::Remainder => "takes a remainder",
                        _ => "divides",
                    }
                ),
                pins: self.only_constants(&right).unwrap_or_default(),
                help: Some(match operator {
                    BinaryOperator::Remainder => WRAPPED,
                    _ => "divide by a constant: a macro will do",
                }),
            }),
        }
    }

    /// `left << right` or `left >> right`.
    pub(super) fn shifted(&self, e: &Expression, operator: BinaryOperator, left: Expr, right: Expr) -> Affine {
        match (operator, left.as_constant(), right.as_constant()) {
            (BinaryOperator::ShiftLeft, Some(value), Some(by)) => match polyfold_c::constant::shifted_left(value, by) {
                Some(shifted) => Ok(Expr::Constant(shifted)),
                None => refuse(e, "it shifts bits out of an `int`"),
            },
            (BinaryOperator::ShiftLeft, _, Some(by @ 0..31)) => Ok(left.scale(1 << by)),
            (BinaryOperator::ShiftRight, _, Some(by @ 0..62)) => Ok(self.floor_quotient(left, 1 << by)),
            _ => Err(NotAffine {
                span: e.span.clone(),
                why: "it does not shift by a constant".to_string(),
                pins: self.only_constants(&right).unwrap_or_default(),
                help: None,
            }),
        }
    }

    /// `value & (2^k - 1)`, in two's complement. A mask of at most 32 bits does not see whether `value` wrapped.
    pub(super) fn masked(&self, e: &Expression, left: Expr, right: Expr) -> Affine {
        let (value, mask) = if right.as_constant().is_some() { (left, right) } else { (right, left) };
        match mask.as_constant() {
            Some(0) => Ok(Expr::Constant(0)),
            Some(bits) if bits > 0 && bits <= i64::from(u32::MAX) && bits & (bits + 1) == 0 => {
                Ok(self.floor_remainder(value, bits + 1))
            }
            Some(_) => refuse(e, "its mask is not one less than a power of two, of at most 32 bits"),
            None => Err(NotAffine {
                span: e.span.clone(),
                why: "its mask is not a constant".to_string(),
                pins: self.only_constants(&mask).or_else(|| self.only_constants(&value)).unwrap_or_default(),
                help: None,
            }),
        }
    }

    /// What is left of `value` after division that rounds down: below zero it is `by - 1 - (-1 - value) % by`.
    fn floor_remainder(&self, value: Expr, by: i64) -> Expr {
        let remainder = |e: Expr| match e.as_constant() {
            Some(value) => Expr::Constant(value % by),
            None => Expr::Remainder(Box::new(e), by),
        };
        let below = remainder(mirrored(value.clone())).scale(-1).add(Expr::Constant(by - 1));
        self.by_sign(value.clone(), remainder(value), below)
    }

    /// Division that rounds down: below zero it is `-1 - (-1 - value) / by`.
    fn floor_quotient(&self, value: Expr, by: i64) -> Expr {
        let quotient = |e: Expr| match e.as_constant() {
            Some(value) => Expr::Constant(value / by),
            None if by == 1 => e,
            None => Expr::Divide(Box::new(e), by),
        };
        let below = mirrored(quotient(mirrored(value.clone())));
        self.by_sign(value.clone(), quotient(value), below)
    }

    fn by_sign(&self, value: Expr, natural: Expr, negative: Expr) -> Expr {
        let is_natural = Condition::Compare(value.clone(), Comparison::GreaterEqual, Expr::Constant(0));
        match value.as_constant() {
            Some(0..) => natural,
            Some(_) => negative,
            None if self.is_natural(&value) => natural,
            None => Expr::Select(Box::new(is_natural), Box::new(natural), Box::new(negative)),
        }
    }
}

/// `-1 - e`: all bits of it flipped.
fn mirrored(e: Expr) -> Expr {
    e.scale(-1).add(Expr::Constant(-1))
}

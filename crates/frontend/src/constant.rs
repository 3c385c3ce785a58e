//! Integer constant expressions.

use crate::syntax::{BinaryOperator, Expression, ExpressionKind, Scalar, UnaryOperator};
use polyfold_scop::Comparison;

/// The value of `expression` if it is an integer constant; `named` gives the values of names.
pub(crate) fn value(expression: &Expression, named: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
    let of = |e: &Expression| value(e, named);
    match &expression.kind {
        ExpressionKind::Integer(value, _) => Some(*value),
        ExpressionKind::Name(name, None) => named(name),
        ExpressionKind::Unary(UnaryOperator::Minus, e) => of(e)?.checked_neg(),
        ExpressionKind::Unary(UnaryOperator::Plus, e) => of(e),
        ExpressionKind::Unary(UnaryOperator::Not, e) => Some(i64::from(of(e)? == 0)),
        ExpressionKind::Cast(Scalar::Integer { bytes: 4.., .. }, e) => of(e),
        ExpressionKind::Ternary(c, a, b) => of(if of(c)? != 0 { a } else { b }),
        ExpressionKind::Binary(operator, a, b) => binary(*operator, of(a)?, of(b)?),
        _ => None,
    }
}

fn binary(operator: BinaryOperator, a: i64, b: i64) -> Option<i64> {
    match operator {
        BinaryOperator::Add => a.checked_add(b),
        BinaryOperator::Subtract => a.checked_sub(b),
        BinaryOperator::Multiply => a.checked_mul(b),
        BinaryOperator::Divide => a.checked_div(b),
        BinaryOperator::Remainder => a.checked_rem(b),
        BinaryOperator::And => Some(i64::from(a != 0 && b != 0)),
        BinaryOperator::Or => Some(i64::from(a != 0 || b != 0)),
        BinaryOperator::Compare(comparison) => Some(i64::from(compare(comparison, a, b))),
        BinaryOperator::BitAnd if a >= 0 && b >= 0 => Some(a & b),
        BinaryOperator::ShiftLeft => shifted_left(a, b),
        BinaryOperator::ShiftRight if a >= 0 && (0..63).contains(&b) => Some(a >> b),
        BinaryOperator::BitAnd | BinaryOperator::ShiftRight | BinaryOperator::Bits => None,
    }
}

/// `a << b`, as far as an `int` can hold it.
pub(crate) fn shifted_left(a: i64, b: i64) -> Option<i64> {
    let factor = (0..31).contains(&b).then(|| 1i64 << b)?;
    a.checked_mul(factor).filter(|value| a >= 0 && *value <= i64::from(i32::MAX))
}

fn compare(comparison: Comparison, a: i64, b: i64) -> bool {
    match comparison {
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::Greater => a > b,
        Comparison::GreaterEqual => a >= b,
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
    }
}

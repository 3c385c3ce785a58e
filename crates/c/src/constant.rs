//! Integer constant expressions.

use crate::syntax::{BinaryOperator, Expression, ExpressionKind, Scalar, UnaryOperator};

/// The value of `expression` if it is an integer constant that C computes as it stands; `named` gives the values of names.
pub fn value(expression: &Expression, named: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
    typed(expression, named).map(|(value, _)| value)
}

/// The value, and its type.
fn typed(expression: &Expression, named: &dyn Fn(&str) -> Option<i64>) -> Option<(i64, Scalar)> {
    let of = |e: &Expression| typed(e, named);
    let (value, scalar) = match &expression.kind {
        ExpressionKind::Integer(value, scalar) => (*value, *scalar),
        ExpressionKind::Name(name, None) => named(name).map(|value| (value, Scalar::of_constant(value)))?,
        ExpressionKind::Unary(UnaryOperator::Minus, e) => {
            of(e).and_then(|(v, s)| Some((v.checked_neg()?, s.promoted())))?
        }
        ExpressionKind::Unary(UnaryOperator::Plus, e) => of(e).map(|(value, scalar)| (value, scalar.promoted()))?,
        ExpressionKind::Unary(UnaryOperator::Not, e) => (i64::from(of(e)?.0 == 0), Scalar::INT),
        ExpressionKind::Cast(to @ Scalar::Integer { bytes: 4.., .. }, e) => (of(e)?.0, *to),
        ExpressionKind::Ternary(c, a, b) => {
            let (a, b) = (of(a), of(b));
            let scalar = a.or(b)?.1.with(b.or(a)?.1);
            ((if of(c)?.0 != 0 { a } else { b })?.0, scalar)
        }
        ExpressionKind::Binary(operator, a, b) => {
            let ((a, s), (b, t)) = (of(a)?, of(b)?);
            let common = s.with(t);
            let scalar = match operator {
                BinaryOperator::Compare(_) | BinaryOperator::And | BinaryOperator::Or => Scalar::INT,
                BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => s.promoted(),
                _ => common,
            };
            let is_converted = !matches!(operator, BinaryOperator::And | BinaryOperator::Or);
            let fits = [a, b].iter().all(|value| common.range().contains(&i128::from(*value)));
            (binary(*operator, a, b).filter(|_| fits || !is_converted)?, scalar)
        }
        _ => return None,
    };
    scalar.range().contains(&i128::from(value)).then_some((value, scalar))
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
        BinaryOperator::Compare(comparison) => Some(i64::from(comparison.compare(a, b))),
        BinaryOperator::BitAnd if a >= 0 && b >= 0 => Some(a & b),
        BinaryOperator::ShiftLeft => shifted_left(a, b),
        BinaryOperator::ShiftRight if a >= 0 && (0..63).contains(&b) => Some(a >> b),
        BinaryOperator::BitAnd | BinaryOperator::ShiftRight | BinaryOperator::Bits => None,
    }
}

/// `a << b`, as far as an `int` can hold it.
pub fn shifted_left(a: i64, b: i64) -> Option<i64> {
    let factor = (0..31).contains(&b).then(|| 1i64 << b)?;
    a.checked_mul(factor).filter(|value| a >= 0 && *value <= i64::from(i32::MAX))
}

//! Between 64-bit integers, which the rest of the tool speaks, and exact ones of any size.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};
use polyfold_isl::{Error, ErrorKind, Result};

/// A caller's mistake, in words.
pub(crate) fn refusal(message: impl Into<String>) -> Error {
    Error { kind: ErrorKind::Refused, message: message.into() }
}

/// Something larger than what is supported, in words.
pub(crate) fn limit(message: impl Into<String>) -> Error {
    Error { kind: ErrorKind::Limit, message: message.into() }
}

/// A number as 64 bits; `what` names it when it does not fit.
pub(crate) fn narrow(value: &BigInt, what: &str) -> Result<i64> {
    value.to_i64().ok_or_else(|| limit(format!("{what} is past 64 bits: {value}")))
}

/// Numbers as 64 bits.
pub(crate) fn narrow_all(values: &[BigInt], what: &str) -> Result<Vec<i64>> {
    values.iter().map(|v| narrow(v, what)).collect()
}

/// Numbers as big ones.
pub(crate) fn widen(values: &[i64]) -> Vec<BigInt> {
    values.iter().map(|v| BigInt::from(*v)).collect()
}

/// The integer nearest to the quotient: the remainder is at most half the divisor in absolute value.
pub(crate) fn nearest_quotient(dividend: &BigInt, divisor: &BigInt) -> BigInt {
    let (quotient, remainder) = dividend.div_mod_floor(divisor);
    if remainder.abs() * 2 > divisor.abs() { quotient + 1 } else { quotient }
}

/// The representative of a residue that is smallest in absolute value; of two, the positive one.
pub(crate) fn centred(value: i64, modulus: i64) -> i64 {
    let residue = value.rem_euclid(modulus);
    if residue > modulus - residue { residue - modulus } else { residue }
}

/// The product of two vectors; exact if the entries of one are within 32 bits, as those of differences are.
pub(crate) fn dot(a: &[i64], b: &[i64]) -> i128 {
    a.iter().zip(b).map(|(x, y)| i128::from(*x) * i128::from(*y)).sum()
}

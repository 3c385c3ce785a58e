//! Parentheses and casts that a text needs where it is put.
//!
//! Example: `n + 2` is `(n + 2)` beside `%` and stays bare beside `+`; `c ? x : 0` needs parentheses in both places.

use crate::linear::Linear;

/// A name or a number.
pub(super) fn is_simple(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Fit to stand beside `*` or `%`.
pub(crate) fn parenthesized(text: &str) -> String {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    if is_simple(text) || inner.is_some_and(is_simple) { text.to_string() } else { format!("({text})") }
}

/// Fit to stand on the left of `+` or `-`.
pub(super) fn additive(text: &str) -> String {
    let loose = text.contains(['?', '<', '>', '=', '&', '|', '^', ',', '!', '~']);
    if loose { format!("({text})") } else { text.to_string() }
}

/// A modulus of which multiples may be negative: as `long`, if it is neither a number nor a name for one.
pub(super) fn signed_operand(modulus: &str) -> String {
    let is_long = Linear::parse(&modulus.replace("(long)", "")).is_some() && modulus.contains("(long)");
    match modulus.parse::<i64>() {
        Ok(_) => modulus.to_string(),
        Err(_) if is_long => parenthesized(modulus),
        Err(_) => format!("(long){}", parenthesized(modulus)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_long_already_is_not_cast_again() {
        assert_eq!(signed_operand("(long)W + 2"), "((long)W + 2)");
        assert_eq!(signed_operand("2 * (long)W - n"), "(2 * (long)W - n)");
        assert_eq!(signed_operand("(long)n <= 2 ? 3 : 5"), "(long)((long)n <= 2 ? 3 : 5)");
        assert_eq!(signed_operand("n + 2"), "(long)(n + 2)");
        assert_eq!(signed_operand("7"), "7");
    }
}

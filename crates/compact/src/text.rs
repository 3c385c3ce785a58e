//! isl text for relations between tuples of numbered coordinates.
//!
//! Example: `tuple("x", 2)` is `x0, x1`.

/// `x0, x1, …`.
pub(crate) fn tuple(letter: &str, count: usize) -> String {
    names(letter, count).join(", ")
}

/// `x0`, `x1`, ….
pub(crate) fn names(letter: &str, count: usize) -> Vec<String> {
    (0..count).map(|k| format!("{letter}{k}")).collect()
}

/// `2*x0 + -1*x1 + 0`.
pub(crate) fn combination(coefficients: &[i64], letter: &str) -> String {
    let mut sum = String::new();
    for (k, coefficient) in coefficients.iter().enumerate().filter(|(_, c)| **c != 0) {
        sum.push_str(&format!("{coefficient}*{letter}{k} + "));
    }
    sum + "0"
}

//! Rows of a mapping at a cell, `Σ mₖ · xₖ`, as text.
//!
//! A row that reads one coordinate keeps the user's text. Others collect like terms where every coordinate is linear, and
//! else keep the user's parts, each as `long`.
//!
//! Example: `(2, 1)` at `[i][k-1]` is `2 * i + k - 1`; `(1, -1)` at `[i/2][j]` is `(long)(i/2) - (long)j`.

use super::operand::parenthesized;
use super::term::Term;
use crate::linear::{Linear, Variables, as_long};
use polyfold_isl::Result;

/// A subscript: the user's text, and what it is worth where that is linear.
pub(super) struct Coordinate {
    pub(super) term: Term,
    pub(super) linear: Option<Linear>,
}

/// `Σ coefficient · coordinate`.
pub(super) fn combine(coefficients: &[i64], cell: &[Coordinate], variables: Option<&Variables>) -> Result<Term> {
    let parts = parts(coefficients, cell);
    if let [(1, coordinate)] = parts[..] {
        return Ok(coordinate.term.clone());
    }
    match sum(&parts) {
        Some(sum) => Ok(Term::new(sum.print_terms(variables), sum.constant)),
        None => in_words(&parts),
    }
}

/// `Σ coefficient · coordinate`, computed with signed numbers: it may be below 0 on the way.
pub(super) fn signed(coefficients: &[i64], cell: &[Coordinate], variables: &Variables) -> Result<Term> {
    let parts = parts(coefficients, cell);
    match parts[..] {
        [(1, coordinate)] if !variables.are_signed(&coordinate.term.text) => match sum(&parts) {
            Some(sum) => Term::new(sum.print_terms(Some(variables)), 0).plus(1, sum.constant),
            None => in_words(&parts),
        },
        _ => combine(coefficients, cell, Some(variables)),
    }
}

/// `Σ coefficient · coordinate + shift`, like terms collected; `None`: not all of it is linear, or the shift is a number.
pub(super) fn moved(
    coefficients: &[i64],
    cell: &[Coordinate],
    shift: &str,
    variables: Option<&Variables>,
) -> Option<Term> {
    Linear::parse(shift).filter(|shift| shift.as_constant().is_none())?;
    let sum = plus_shift(coefficients, cell, shift)?;
    Some(Term::new(sum.print_terms(variables), sum.constant))
}

/// The same, also where the shift is a number.
pub(super) fn plus_shift(coefficients: &[i64], cell: &[Coordinate], shift: &str) -> Option<Linear> {
    let mut sum = sum(&parts(coefficients, cell))?;
    sum.add(1, &Linear::parse(shift)?)?;
    Some(sum)
}

fn parts<'a>(coefficients: &[i64], cell: &'a [Coordinate]) -> Vec<(i64, &'a Coordinate)> {
    coefficients.iter().copied().zip(cell).filter(|(coefficient, _)| *coefficient != 0).collect()
}

fn sum(parts: &[(i64, &Coordinate)]) -> Option<Linear> {
    let mut sum = Linear::default();
    for (coefficient, coordinate) in parts {
        sum.add(*coefficient, coordinate.linear.as_ref()?)?;
    }
    Some(sum)
}

/// The combination with the user's own text, all of it as `long`.
fn in_words(parts: &[(i64, &Coordinate)]) -> Result<Term> {
    let mut sum = Term::new(String::new(), 0);
    for (coefficient, coordinate) in parts {
        sum = sum.plus(*coefficient, coordinate.term.offset)?;
        if coordinate.term.text.is_empty() {
            continue;
        }
        let sign = match (*coefficient < 0, sum.text.is_empty()) {
            (true, true) => "-",
            (true, false) => " - ",
            (false, true) => "",
            (false, false) => " + ",
        };
        let factor = match coefficient.unsigned_abs() {
            1 => String::new(),
            factor => format!("{factor} * "),
        };
        sum.text.push_str(&format!("{sign}{factor}(long){}", parenthesized(&coordinate.term.text)));
    }
    Ok(sum)
}

/// The combination minus `lowest`.
pub(super) fn shifted(
    coefficients: &[i64],
    cell: &[Coordinate],
    lowest: &str,
    variables: Option<&Variables>,
) -> Result<String> {
    let parts = parts(coefficients, cell);
    if lowest.parse::<i64>().is_err()
        && let (Some(mut sum), Some(lowest)) = (sum(&parts), Linear::parse(lowest))
        && sum.add(-1, &lowest).is_some()
    {
        return Ok(Term::new(sum.print_terms(variables), sum.constant).print());
    }
    let is_wide = variables.is_some_and(|variables| variables.wide);
    combine(coefficients, cell, variables)?.minus(&if is_wide { as_long(lowest) } else { lowest.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_collect_or_keep_the_users_parts() {
        let term = |t: &str| Term::new(t.to_string(), 0);
        let linear = |t: &str| Coordinate { term: term(t), linear: Linear::parse(t) };
        let words = |t: &str| Coordinate { term: term(t), linear: None };
        assert_eq!(combine(&[2, 1], &[linear("i"), linear("k - 1")], None).unwrap().print(), "2 * i + k - 1");
        assert_eq!(combine(&[1, -1], &[linear("i"), linear("j")], None).unwrap().print(), "i - j");
        assert_eq!(combine(&[1, -1], &[words("i/2"), words("j")], None).unwrap().print(), "(long)(i/2) - (long)j");
        assert_eq!(shifted(&[1, -1], &[linear("i"), linear("j")], "-m", None).unwrap(), "i - j + m");
        let moved = |cell: &str, shift: &str| moved(&[-1], &[linear(cell)], shift, None).map(|term| term.print());
        assert_eq!(moved("j + 2", "n - 1").as_deref(), Some("n - j - 3"));
        assert_eq!(moved("n - 2", "n - 1").as_deref(), Some("1"));
        assert_eq!((moved("j", "7"), moved("j", "max(n, m)")), (None, None));
    }
}

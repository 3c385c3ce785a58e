//! Polynomials in m, where a size is n = step · m + residue, as C text in n.
//!
//! `3m² + 3m + 1` for n = 2m + 1 is `(3 * (long)n * n + 1) / 4`: with m = (n − residue) / step everything is brought over one
//! denominator, which divides exactly. All of it is computed as `long`.
//!
//! Invariant: rows that were proved have small numbers ([`LinearRow`]), so that nothing here is past 128 bits.

use crate::CNames;
use crate::names::LONG;
use polyfold_lattice::Polynomial;
use polyfold_program::{Int, IntOp};
use polyfold_prove::LinearRow;
use polyfold_transform::{Coordinate, Remainder};

/// The text of a polynomial that belongs to a row, computed as `long`.
pub fn in_c(polynomial: &Polynomial, row: &LinearRow, names: &CNames) -> String {
    let (numerator, denominator) = in_size(polynomial, row.step.into(), row.residue.into());
    let sum = sum(&numerator, names.parameter(&row.parameter));
    match (denominator, numerator.degree()) {
        (1, _) => sum,
        (d, 1) if numerator.coefficient(0) == 0 && numerator.coefficient(1) == 1 => format!("{sum} / {d}"),
        (d, _) => format!("({sum}) / {d}"),
    }
}

/// The row as a subscript in a program, where the size is `n`.
pub fn growing_coordinate(row: &LinearRow, n: &Int) -> Option<Coordinate> {
    let coefficients = row.coefficients.iter().map(|own| in_tree(&(*own).into(), row, n));
    Some(Coordinate {
        coefficients: coefficients.collect::<Option<_>>()?,
        shift: in_tree(&row.shift, row, n)?,
        modulus: in_tree(&row.modulus, row, n)?,
        least: 1,
        remainder: row.lift.map_or(Remainder::Floor, Remainder::Lifted),
    })
}

/// A polynomial in m as an integer of a program.
fn in_tree(polynomial: &Polynomial, row: &LinearRow, n: &Int) -> Option<Int> {
    let number = |value: i128| i64::try_from(value).ok().map(Int::Constant);
    let moved = Int::binary(IntOp::Subtract, n.clone(), Int::Constant(row.residue));
    let moved = if row.residue == 0 { n.clone() } else { moved };
    let m = if row.step == 1 { moved } else { Int::binary(IntOp::Divide, moved, Int::Constant(row.step)) };
    let mut sum = None;
    for coefficient in polynomial.coefficients().iter().rev() {
        sum = Some(match sum {
            None => number(*coefficient)?,
            Some(sum) => {
                let product =
                    if sum == Int::Constant(1) { m.clone() } else { Int::binary(IntOp::Multiply, sum, m.clone()) };
                if *coefficient == 0 { product } else { Int::binary(IntOp::Add, product, number(*coefficient)?) }
            }
        });
    }
    Some(sum.unwrap_or(Int::Constant(0)))
}

/// Numerator and denominator of the polynomial in n, without common factors.
fn in_size(polynomial: &Polynomial, step: i128, residue: i128) -> (Polynomial, i128) {
    let degree = polynomial.degree() as u32;
    let moved = Polynomial::new(vec![-residue, 1]);
    let mut power = Polynomial::new(vec![1]);
    let mut numerator = Polynomial::default();
    for (k, coefficient) in (0..).zip(polynomial.coefficients()) {
        let more = power.scaled(coefficient * step.pow(degree - k)).and_then(|part| numerator.plus(&part));
        (numerator, power) = more.zip(power.times(&moved)).expect("rows have small numbers");
    }
    let denominator = step.pow(degree);
    let common = numerator.coefficients().iter().fold(denominator, |all, c| gcd(all, *c));
    let reduced = numerator.coefficients().iter().map(|c| c / common).collect();
    (Polynomial::new(reduced), denominator / common)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// The highest power first, or what is positive if that is negative.
fn sum(polynomial: &Polynomial, size: &str) -> String {
    let mut powers: Vec<usize> =
        (0..polynomial.coefficients().len()).rev().filter(|power| polynomial.coefficient(*power) != 0).collect();
    if polynomial.coefficients().last().is_some_and(|leading| *leading < 0) {
        powers.sort_by_key(|power| polynomial.coefficient(*power) < 0);
    }
    let mut text = String::new();
    for power in powers {
        let coefficient = polynomial.coefficient(power);
        text.push_str(match (text.is_empty(), coefficient < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        });
        text.push_str(&term(coefficient.unsigned_abs(), power, size));
    }
    if text.is_empty() { "0".to_string() } else { text }
}

fn term(coefficient: u128, power: usize, size: &str) -> String {
    let first = if size.starts_with(LONG) { size.to_string() } else { format!("{LONG}{size}") };
    let factors = (0..power).map(|k| if k == 0 { first.clone() } else { size.to_string() });
    let number = (coefficient != 1 || power == 0).then(|| coefficient.to_string());
    number.into_iter().chain(factors).collect::<Vec<_>>().join(" * ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(coefficients: &[i128], step: i128, residue: i128, size: &str) -> String {
        let (numerator, denominator) = in_size(&Polynomial::new(coefficients.to_vec()), step, residue);
        format!("{} / {denominator}", sum(&numerator, size))
    }

    #[test]
    fn half_sizes_are_divided_once() {
        assert_eq!(text(&[1, 3, 3], 2, 1, "n"), "3 * (long)n * n + 1 / 4");
        assert_eq!(text(&[1, 3], 2, 1, "n"), "3 * (long)n - 1 / 2");
        assert_eq!(text(&[0, 0, 3], 2, 0, "n"), "3 * (long)n * n / 4");
    }

    #[test]
    fn whole_sizes_are_not_divided() {
        assert_eq!(text(&[1, 1, 1], 1, 0, "N"), "(long)N * N + (long)N + 1 / 1");
        assert_eq!(text(&[2, -1], 1, 0, "(long)N"), "2 - (long)N / 1");
        assert_eq!(text(&[3, -3, 1], 1, 0, "N"), "(long)N * N - 3 * (long)N + 3 / 1");
        assert_eq!(text(&[], 1, 0, "N"), "0 / 1");
    }
}

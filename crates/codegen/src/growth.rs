//! Polynomials in m, where a size is n = step · m + residue, as integers of n.
//!
//! `3m² + 3m + 1` for n = 2m + 1 is `(3 * n * n + 1) / 4`: with m = (n − residue) / step everything is brought over one
//! denominator, which divides exactly.
//!
//! Invariant: rows that were proved have small numbers ([`LinearRow`]), so that nothing here is past 64 bits.

use polyfold_lattice::Polynomial;
use polyfold_program::{Int, IntOp};
use polyfold_prove::LinearRow;
use polyfold_transform::{Coordinate, Remainder};

/// A polynomial that belongs to a row, where the size is `n`.
pub(crate) fn in_closed_form(polynomial: &Polynomial, row: &LinearRow, n: &Int) -> Int {
    let (numerator, denominator) = in_size(polynomial, row.step.into(), row.residue.into());
    let sum = sum(&numerator, n);
    if denominator == 1 { sum } else { Int::binary(IntOp::Divide, sum, number(denominator)) }
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
fn sum(polynomial: &Polynomial, n: &Int) -> Int {
    let mut powers: Vec<usize> =
        (0..polynomial.coefficients().len()).rev().filter(|power| polynomial.coefficient(*power) != 0).collect();
    if polynomial.coefficients().last().is_some_and(|leading| *leading < 0) {
        powers.sort_by_key(|power| polynomial.coefficient(*power) < 0);
    }
    let with = |sum: Option<Int>, power: usize| {
        let coefficient = polynomial.coefficient(power);
        let term = term(coefficient.abs(), power, n);
        let op = if coefficient < 0 { IntOp::Subtract } else { IntOp::Add };
        Some(match sum {
            None if coefficient > 0 => term,
            sum => Int::binary(op, sum.unwrap_or(Int::Constant(0)), term),
        })
    };
    powers.into_iter().fold(None, with).unwrap_or(Int::Constant(0))
}

fn term(coefficient: i128, power: usize, n: &Int) -> Int {
    let first = (coefficient != 1 || power == 0).then(|| number(coefficient));
    let all = first.into_iter().chain(std::iter::repeat_n(n.clone(), power));
    all.reduce(|product, factor| Int::binary(IntOp::Multiply, product, factor)).expect("it has a factor")
}

fn number(value: i128) -> Int {
    Int::Constant(i64::try_from(value).expect("rows have small numbers"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_program::{Parameter, ParameterId, Program};

    fn text(coefficients: &[i128], step: i128, residue: i128) -> String {
        let (numerator, denominator) = in_size(&Polynomial::new(coefficients.to_vec()), step, residue);
        let n = Parameter { name: "n".to_string(), held: None, most: None };
        let program = Program { parameters: vec![n], ..Program::default() };
        format!("{} / {denominator}", program.text_of(&sum(&numerator, &Int::Parameter(ParameterId(0)))))
    }

    #[test]
    fn half_sizes_are_divided_once() {
        assert_eq!(text(&[1, 3, 3], 2, 1), "3 * n * n + 1 / 4");
        assert_eq!(text(&[1, 3], 2, 1), "3 * n - 1 / 2");
        assert_eq!(text(&[0, 0, 3], 2, 0), "3 * n * n / 4");
    }

    #[test]
    fn whole_sizes_are_not_divided() {
        assert_eq!(text(&[1, 1, 1], 1, 0), "n * n + n + 1 / 1");
        assert_eq!(text(&[2, -1], 1, 0), "2 - n / 1");
        assert_eq!(text(&[3, -3, 1], 1, 0), "n * n - 3 * n + 3 / 1");
        assert_eq!(text(&[], 1, 0), "0 / 1");
    }
}

//! The polynomial with integer coefficients through values at some sizes.
//!
//! ```text
//! f(P) = Σ_e  Δ^e f(p) / Π e_q!  ·  Π_q (P_q − p_q)(P_q − p_q − 1) … (P_q − p_q − e_q + 1)        e_q <= degree in parameter q
//! ```
//!
//! Newton's forward differences Δ, of the values on a grid from p on. A polynomial has integer coefficients iff all these quotients
//! are whole. Example: 21, 31, 43 at N = 4, 5, 6 are N² + N + 1.

use crate::{Form, Polynomial};

/// Sizes at which values are needed: a grid, and one further point at which they have to fit.
pub(crate) struct Grid {
    first: Vec<i64>,
    /// By parameter.
    degrees: Vec<usize>,
}

impl Grid {
    pub(crate) fn new(first: Vec<i64>, degrees: Vec<usize>) -> Grid {
        Grid { first, degrees }
    }

    /// The points; the last one is for the check.
    pub(crate) fn points(&self) -> Vec<Vec<i64>> {
        let mut points: Vec<Vec<i64>> = self.exponents().iter().map(|e| self.moved(|k| e[k])).collect();
        points.push(self.moved(|k| if self.degrees[k] > 0 { self.degrees[k] + 1 } else { 0 }));
        points
    }

    /// The polynomial through values at all points, if there is one.
    pub(crate) fn through(&self, values: &[i64]) -> Option<Polynomial> {
        let (check, values) = values.split_last()?;
        let mut differences = values.to_vec();
        let mut stride = 1;
        for degree in self.degrees.iter().rev() {
            for order in 1..=*degree {
                for k in (0..differences.len()).rev().filter(|k| k / stride % (degree + 1) >= order) {
                    differences[k] = differences[k].checked_sub(differences[k - stride])?;
                }
            }
            stride *= degree + 1;
        }
        let mut sum = Polynomial::constant(self.first.len(), 0);
        for (exponents, difference) in self.exponents().iter().zip(differences) {
            let divisor: i64 = exponents.iter().flat_map(|e| 1..=*e as i64).product();
            if difference % divisor != 0 {
                return None;
            }
            let quotient = Polynomial::constant(self.first.len(), difference / divisor);
            sum = sum.plus(&self.falling(exponents)?.times(&quotient)?)?;
        }
        let last = self.points().pop()?;
        (sum.at(&last) == Some(i128::from(*check))).then_some(sum)
    }

    /// All combinations of exponents, those of the last parameter changing first.
    fn exponents(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for degree in &self.degrees {
            let longer = |e: &Vec<usize>| (0..=*degree).map(|k| [e.as_slice(), &[k]].concat()).collect::<Vec<_>>();
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    fn moved(&self, by: impl Fn(usize) -> usize) -> Vec<i64> {
        self.first.iter().enumerate().map(|(k, first)| first + by(k) as i64).collect()
    }

    /// `Π_q (P_q − p_q) … (P_q − p_q − e_q + 1)`.
    fn falling(&self, exponents: &[usize]) -> Option<Polynomial> {
        let count = self.first.len();
        let factors = exponents.iter().enumerate().flat_map(|(q, e)| (0..*e as i64).map(move |k| (q, k)));
        factors.into_iter().try_fold(Polynomial::constant(count, 1), |product, (q, k)| {
            let slopes = (0..count).map(|other| i64::from(other == q)).collect();
            product.times(&Polynomial::from(&Form { slopes, constant: -self.first[q] - k }))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quadratic_polynomial_in_one_parameter_and_a_product_of_two() {
        let names = ["N".to_string(), "M".to_string()];
        let values =
            |grid: &Grid, f: fn(i64, i64) -> i64| grid.points().iter().map(|p| f(p[0], p[1])).collect::<Vec<_>>();
        let text = |grid: &Grid, f| grid.through(&values(grid, f)).map(|polynomial| polynomial.text(&names));
        let grid = Grid::new(vec![4, 7], vec![2, 0]);
        assert_eq!(text(&grid, |n, _| n * n + n + 1).as_deref(), Some("N*N + N + 1"));
        assert_eq!(text(&grid, |n, _| n * (n + 1) / 2), None, "coefficients are whole");
        assert_eq!(text(&grid, |n, _| n * n * n), None, "of degree 2");
        let grid = Grid::new(vec![3, 5], vec![1, 1]);
        assert_eq!(text(&grid, |n, m| n * m + m + 1).as_deref(), Some("N*M + M + 1"));
        assert_eq!(text(&Grid::new(vec![3, 5], vec![0, 0]), |_, _| 5).as_deref(), Some("5"));
    }
}

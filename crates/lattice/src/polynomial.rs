//! Polynomials with integer coefficients, in one number m that is not negative.
//!
//! Determinants of bases that are affine in m are such polynomials: `3m² + 3m + 1` for a triangle of side 2m + 1. Whether one is
//! positive for all m ≥ s is decided by its values at a few m from s on, and by the coefficients of its expansion about the next
//! one: that none is negative is enough.

use crate::Affine;

/// So many values are looked at one by one.
const VALUES: i64 = 8;

/// `c₀ + c₁ m + c₂ m² + …`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Polynomial(Vec<i128>);

impl Polynomial {
    /// With the coefficients of 1, m, m² and so on.
    pub fn new(mut coefficients: Vec<i128>) -> Polynomial {
        while coefficients.last() == Some(&0) {
            coefficients.pop();
        }
        Polynomial(coefficients)
    }

    /// The coefficients of 1, m, m² and so on; the last one is not 0.
    pub fn coefficients(&self) -> &[i128] {
        &self.0
    }

    /// The coefficient of a power of m.
    pub fn coefficient(&self, power: usize) -> i128 {
        self.0.get(power).copied().unwrap_or(0)
    }

    /// The highest power of m; 0 for constants.
    pub fn degree(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    /// The value at m; `None` past 128 bits.
    pub fn at(&self, m: i128) -> Option<i128> {
        self.0.iter().rev().try_fold(0i128, |sum, c| sum.checked_mul(m)?.checked_add(*c))
    }

    /// The sum.
    pub fn plus(&self, other: &Polynomial) -> Polynomial {
        let powers = 0..self.0.len().max(other.0.len());
        Polynomial::new(powers.map(|power| self.coefficient(power) + other.coefficient(power)).collect())
    }

    /// The difference.
    pub fn minus(&self, other: &Polynomial) -> Polynomial {
        self.plus(&other.scaled(-1))
    }

    /// The product.
    pub fn times(&self, other: &Polynomial) -> Polynomial {
        let mut coefficients = vec![0; self.0.len() + other.0.len()];
        for (power, c) in self.0.iter().enumerate() {
            for (other_power, d) in other.0.iter().enumerate() {
                coefficients[power + other_power] += c * d;
            }
        }
        Polynomial::new(coefficients)
    }

    /// The multiple by a number.
    pub fn scaled(&self, factor: i128) -> Polynomial {
        Polynomial::new(self.0.iter().map(|c| c * factor).collect())
    }

    /// The whole number that it is this many times of `other`, if there is one for all m.
    pub fn quotient(&self, other: &Polynomial) -> Option<i128> {
        let leading = *other.0.last()?;
        let factor = self.coefficient(other.degree()) / leading;
        (*self == other.scaled(factor)).then_some(factor)
    }

    /// 1 or −1 if it surely has that sign, or is 0, for all m >= start.
    pub fn sign_from(&self, start: i64) -> Option<i128> {
        let expanded = self.expanded_about(start.checked_add(VALUES)?);
        let has = |sign: &i128| {
            let first = (start..start + VALUES).all(|m| self.at(m.into()).is_some_and(|value| value * sign >= 0));
            first && expanded.0.iter().all(|c| c * sign >= 0)
        };
        [1, -1].into_iter().find(has)
    }

    /// Whether it surely is positive for all m >= start.
    pub fn is_positive_from(&self, start: i64) -> bool {
        self.minus(&Polynomial::new(vec![1])).sign_from(start) == Some(1)
    }

    /// The polynomial in m − start.
    fn expanded_about(&self, start: i64) -> Polynomial {
        let moved = Polynomial::new(vec![start.into(), 1]);
        self.0
            .iter()
            .rev()
            .fold(Polynomial::new(Vec::new()), |sum, c| sum.times(&moved).plus(&Polynomial::new(vec![*c])))
    }
}

impl From<Affine> for Polynomial {
    fn from(line: Affine) -> Polynomial {
        Polynomial::new(vec![line.constant.into(), line.slope.into()])
    }
}

/// The determinant of a square matrix, by its first row.
pub(crate) fn determinant(rows: &[Vec<Polynomial>]) -> Polynomial {
    let Some((first, rest)) = rows.split_first() else { return Polynomial::new(vec![1]) };
    let mut sum = Polynomial::new(Vec::new());
    for (column, entry) in first.iter().enumerate() {
        let part = entry.times(&determinant(&without_column(rest, column)));
        sum = if column % 2 == 0 { sum.plus(&part) } else { sum.minus(&part) };
    }
    sum
}

fn without_column(rows: &[Vec<Polynomial>], column: usize) -> Vec<Vec<Polynomial>> {
    let kept = |row: &Vec<Polynomial>| {
        row.iter().enumerate().filter(|(k, _)| *k != column).map(|(_, entry)| entry.clone()).collect()
    };
    rows.iter().map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomial(coefficients: &[i128]) -> Polynomial {
        Polynomial::new(coefficients.to_vec())
    }

    #[test]
    fn signs_are_those_from_the_start_on() {
        let p = polynomial(&[-6, 1, 1]);
        assert_eq!((p.sign_from(2), p.sign_from(1)), (Some(1), None));
        assert!(p.is_positive_from(3) && !p.is_positive_from(2));
        assert!(polynomial(&[3, -3, 1]).is_positive_from(0) && !polynomial(&[2, -3, 1]).is_positive_from(0));
        assert_eq!(polynomial(&[0, -2]).sign_from(0), Some(-1));
        assert!(polynomial(&[1]).is_positive_from(0) && !polynomial(&[]).is_positive_from(0));
    }

    #[test]
    fn quotients_are_whole_and_the_same_for_all_m() {
        let d = polynomial(&[1, 3, 3]);
        assert_eq!(d.scaled(-2).quotient(&d), Some(-2));
        assert_eq!(polynomial(&[]).quotient(&d), Some(0));
        assert_eq!(polynomial(&[2, 6, 7]).quotient(&d), None);
        assert_eq!(d.quotient(&d.scaled(2)), None);
        assert_eq!(d.quotient(&polynomial(&[])), None);
    }

    /// Bee §5: (m, 2m + 1) and (2m + 1, m + 1).
    #[test]
    fn determinants_of_affine_bases() {
        let [m, next, twice] = [[0, 1], [1, 1], [1, 2]].map(|c| polynomial(&c));
        let d = determinant(&[vec![twice.clone(), next], vec![m, twice]]);
        assert_eq!(d, polynomial(&[1, 3, 3]));
        assert_eq!(d.at(50), Some(7651));
        assert_eq!(d.at(i128::MAX), None);
    }
}

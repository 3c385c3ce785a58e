//! Polynomials with integer coefficients, in one number m that is not negative.
//!
//! Determinants of bases that are affine in m are such polynomials: `3m² + 3m + 1` for a triangle of side 2m + 1. Whether one is
//! positive for all m ≥ s is decided by its values at a few m from s on, and by the coefficients of its expansion about the next
//! one: that none is negative is enough.
//!
//! Invariant: coefficients are exact. What is past 128 bits has no value.

use crate::Affine;

/// So many values are looked at one by one.
const VALUES: i64 = 8;

/// `c₀ + c₁ m + c₂ m² + …`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
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

    /// The sum; `None` past 128 bits.
    pub fn plus(&self, other: &Polynomial) -> Option<Polynomial> {
        let powers = 0..self.0.len().max(other.0.len());
        let sum = |power| self.coefficient(power).checked_add(other.coefficient(power));
        Some(Polynomial::new(powers.map(sum).collect::<Option<_>>()?))
    }

    /// The difference; `None` past 128 bits.
    pub fn minus(&self, other: &Polynomial) -> Option<Polynomial> {
        self.plus(&other.scaled(-1)?)
    }

    /// The product; `None` past 128 bits.
    pub fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut coefficients = vec![0i128; self.0.len() + other.0.len()];
        for (power, c) in self.0.iter().enumerate() {
            for (other_power, d) in other.0.iter().enumerate() {
                let sum = &mut coefficients[power + other_power];
                *sum = sum.checked_add(c.checked_mul(*d)?)?;
            }
        }
        Some(Polynomial::new(coefficients))
    }

    /// The multiple by a number; `None` past 128 bits.
    pub fn scaled(&self, factor: i128) -> Option<Polynomial> {
        Some(Polynomial::new(self.0.iter().map(|c| c.checked_mul(factor)).collect::<Option<_>>()?))
    }

    /// Whether it is another one, or its negative.
    pub fn is_plus_or_minus(&self, other: &Polynomial) -> bool {
        self == other || self.scaled(-1).is_some_and(|negative| negative == *other)
    }

    /// The whole number that it is this many times of `other`, if there is one for all m.
    pub fn quotient(&self, other: &Polynomial) -> Option<i128> {
        let leading = *other.0.last()?;
        let factor = self.coefficient(other.degree()).checked_div(leading)?;
        (*self == other.scaled(factor)?).then_some(factor)
    }

    /// 1 or −1 if it surely has that sign, or is 0, for all m >= start.
    pub fn sign_from(&self, start: i64) -> Option<i128> {
        let expanded = self.expanded_about(start.checked_add(VALUES)?)?;
        let first = (start..start + VALUES).map(|m| self.at(m.into())).collect::<Option<Vec<i128>>>()?;
        let has = |sign: &i128| first.iter().chain(&expanded.0).all(|value| value.signum() * sign >= 0);
        [1, -1].into_iter().find(has)
    }

    /// Whether it surely is positive for all m >= start.
    pub fn is_positive_from(&self, start: i64) -> bool {
        self.minus(&Polynomial::new(vec![1])).is_some_and(|less| less.sign_from(start) == Some(1))
    }

    /// The polynomial in m − start.
    fn expanded_about(&self, start: i64) -> Option<Polynomial> {
        let moved = Polynomial::new(vec![start.into(), 1]);
        let mut coefficients = self.0.iter().rev();
        coefficients.try_fold(Polynomial::default(), |sum, c| sum.times(&moved)?.plus(&Polynomial::new(vec![*c])))
    }
}

impl From<Affine> for Polynomial {
    fn from(line: Affine) -> Polynomial {
        Polynomial::new(vec![line.constant.into(), line.slope.into()])
    }
}

/// The determinant of a square matrix, by its first row; `None` past 128 bits.
pub(crate) fn determinant(rows: &[Vec<Polynomial>]) -> Option<Polynomial> {
    let Some((first, rest)) = rows.split_first() else { return Some(Polynomial::new(vec![1])) };
    let mut sum = Polynomial::default();
    for (column, entry) in first.iter().enumerate() {
        let part = entry.times(&determinant(&without_column(rest, column))?)?;
        sum = if column % 2 == 0 { sum.plus(&part)? } else { sum.minus(&part)? };
    }
    Some(sum)
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
        assert_eq!(d.scaled(-2).and_then(|twice| twice.quotient(&d)), Some(-2));
        assert_eq!(polynomial(&[]).quotient(&d), Some(0));
        assert_eq!(polynomial(&[2, 6, 7]).quotient(&d), None);
        assert_eq!(d.quotient(&d.scaled(2).unwrap()), None);
        assert_eq!(d.quotient(&polynomial(&[])), None);
    }

    /// Bee §5: (m, 2m + 1) and (2m + 1, m + 1).
    #[test]
    fn determinants_of_affine_bases() {
        let [m, next, twice] = [[0, 1], [1, 1], [1, 2]].map(|c| polynomial(&c));
        let d = determinant(&[vec![twice.clone(), next], vec![m, twice]]).unwrap();
        assert_eq!(d, polynomial(&[1, 3, 3]));
        assert_eq!(d.at(50), Some(7651));
        assert_eq!(d.at(i128::MAX), None);
    }

    #[test]
    fn past_128_bits_there_is_no_answer() {
        let huge = polynomial(&[1 << 126, 1 << 126]);
        assert_eq!((huge.plus(&huge), huge.times(&huge), huge.scaled(4)), (None, None, None));
        assert_eq!(huge.sign_from(0), None);
        assert_eq!(determinant(&[vec![huge.clone(), huge.clone()], vec![huge.clone(), huge]]), None);
        assert_eq!(polynomial(&[i128::MIN]).quotient(&polynomial(&[-1])), None);
    }
}

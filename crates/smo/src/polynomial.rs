//! Polynomials in the parameters, with integer coefficients.
//!
//! Strides of a line are products of extents, `N·M` or `N² + N`, and its modulus may be no product at all, `N² + N + 1`. Numbers
//! past 64 bits are no coefficients: what would need them has no value.

use crate::Form;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A sum of terms `c · P₀^e₀ · P₁^e₁ · …`, for parameters P in the order of the conflict set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polynomial {
    /// c by e; none is 0.
    terms: BTreeMap<Vec<usize>, i64>,
    parameters: usize,
}

impl Polynomial {
    /// The same for all of some parameters.
    pub fn constant(parameters: usize, constant: i64) -> Polynomial {
        Polynomial { terms: BTreeMap::new(), parameters }.with(vec![0; parameters], constant)
    }

    /// The terms: exponents, one per parameter, and the coefficient, which is not 0.
    pub fn terms(&self) -> impl Iterator<Item = (&[usize], i64)> {
        self.terms.iter().map(|(exponents, coefficient)| (exponents.as_slice(), *coefficient))
    }

    /// The largest sum of exponents.
    pub fn degree(&self) -> usize {
        self.terms.keys().map(|exponents| exponents.iter().sum()).max().unwrap_or(0)
    }

    /// Whether it depends on a parameter.
    pub fn mentions(&self, parameter: usize) -> bool {
        self.terms.keys().any(|exponents| exponents[parameter] > 0)
    }

    /// How many parameters there are.
    pub(crate) fn parameters(&self) -> usize {
        self.parameters
    }

    /// The sign of the term with the largest exponents, the first parameter's first; 0 of nothing.
    pub(crate) fn leading_sign(&self) -> i64 {
        self.terms.last_key_value().map_or(0, |(_, coefficient)| coefficient.signum())
    }

    /// The sum; `None` past 64 bits.
    pub fn plus(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut sum = self.clone();
        for (exponents, coefficient) in &other.terms {
            let total = sum.coefficient(exponents).checked_add(*coefficient)?;
            sum = sum.with(exponents.clone(), total);
        }
        Some(sum)
    }

    /// The product; `None` past 64 bits.
    pub fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::constant(self.parameters, 0);
        for (one, a) in &self.terms {
            for (two, b) in &other.terms {
                let exponents: Vec<usize> = one.iter().zip(two).map(|(x, y)| x + y).collect();
                let total = product.coefficient(&exponents).checked_add(a.checked_mul(*b)?)?;
                product = product.with(exponents, total);
            }
        }
        Some(product)
    }

    /// The value at given parameters; `None` past 128 bits.
    pub fn at(&self, parameters: &[i64]) -> Option<i128> {
        self.terms.iter().try_fold(0i128, |sum, (exponents, coefficient)| {
            let mut factors = exponents.iter().zip(parameters).flat_map(|(e, p)| std::iter::repeat_n(*p, *e));
            let term = factors.try_fold(i128::from(*coefficient), |term, p| term.checked_mul(p.into()))?;
            sum.checked_add(term)
        })
    }

    /// In the names of the parameters, highest powers first, such as `N*N + N + 1`.
    ///
    /// ```
    /// use polyfold_smo::{Form, Polynomial};
    /// let side = Polynomial::from(&Form { slopes: vec![1], constant: -1 });
    /// assert_eq!(side.times(&side).unwrap().text(&["N".to_string()]), "N*N - 2*N + 1");
    /// ```
    pub fn text(&self, parameters: &[String]) -> String {
        let mut terms: Vec<(&Vec<usize>, i64)> = self.terms.iter().map(|(e, c)| (e, *c)).collect();
        terms.sort_by_key(|(e, _)| std::cmp::Reverse((e.iter().sum::<usize>(), (*e).clone())));
        let mut text = String::new();
        for (exponents, coefficient) in terms {
            let names = exponents.iter().zip(parameters).flat_map(|(e, name)| std::iter::repeat_n(name.clone(), *e));
            let size = coefficient.unsigned_abs();
            let is_alone = size == 1 && exponents.iter().any(|e| *e > 0);
            let number = if is_alone { None } else { Some(size.to_string()) };
            let factors: Vec<String> = number.into_iter().chain(names).collect();
            let _ = write!(text, "{}{}", crate::form::sign(text.is_empty(), coefficient), factors.join("*"));
        }
        if text.is_empty() { "0".to_string() } else { text }
    }

    fn coefficient(&self, exponents: &[usize]) -> i64 {
        self.terms.get(exponents).copied().unwrap_or(0)
    }

    fn with(mut self, exponents: Vec<usize>, coefficient: i64) -> Polynomial {
        match coefficient {
            0 => self.terms.remove(&exponents),
            _ => self.terms.insert(exponents, coefficient),
        };
        self
    }
}

impl From<&Form> for Polynomial {
    fn from(form: &Form) -> Polynomial {
        let count = form.slopes.len();
        let power = |parameter| (0..count).map(|k| usize::from(k == parameter)).collect::<Vec<usize>>();
        let constant = Polynomial::constant(count, form.constant);
        form.slopes.iter().enumerate().fold(constant, |sum, (k, slope)| sum.with(power(k), *slope))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(slopes: &[i64], constant: i64) -> Polynomial {
        Polynomial::from(&Form { slopes: slopes.to_vec(), constant })
    }

    #[test]
    fn products_of_extents() {
        let names = ["N".to_string(), "M".to_string()];
        let area = form(&[1, 0], 2).times(&form(&[0, 3], -1)).unwrap();
        assert_eq!(area.text(&names), "3*N*M - N + 6*M - 2");
        assert_eq!((area.degree(), area.at(&[10, 20])), (2, Some(12 * 59)));
        assert_eq!(form(&[1, 0], 0).plus(&form(&[-1, 0], 0)).unwrap().text(&names), "0");
        assert!(area.mentions(1) && !form(&[1, 0], 1).mentions(1));
    }

    #[test]
    fn past_64_bits_there_is_no_product() {
        let huge = form(&[i64::MAX, 0], 0);
        assert_eq!((huge.times(&huge), huge.plus(&huge)), (None, None));
        assert_eq!(form(&[1, 0], 0).times(&huge).unwrap().at(&[i64::MAX, 0]), None);
    }
}

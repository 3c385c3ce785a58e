//! Affine functions of the parameters.

use std::fmt::Write;

/// `slopes · P + constant`, for parameters P in the order of the conflict set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// One coefficient per parameter.
    pub slopes: Vec<i64>,
    /// What is added.
    pub constant: i64,
}

impl Form {
    /// A function that is the same for all of some parameters.
    pub fn constant(parameters: usize, constant: i64) -> Form {
        Form { slopes: vec![0; parameters], constant }
    }

    /// Whether it is the same for all parameters.
    pub fn is_constant(&self) -> bool {
        self.slopes.iter().all(|slope| *slope == 0)
    }

    /// The value at given parameters.
    pub fn at(&self, parameters: &[i64]) -> i64 {
        self.constant + dot(&self.slopes, parameters)
    }

    /// The same, for parameters that are as large as a user likes.
    pub(crate) fn cells(&self, parameters: &[i64]) -> i128 {
        let products = self.slopes.iter().zip(parameters).map(|(a, b)| i128::from(*a) * i128::from(*b));
        products.fold(self.constant.into(), i128::saturating_add)
    }

    /// The function plus a number.
    pub fn plus(&self, constant: i64) -> Form {
        Form { slopes: self.slopes.clone(), constant: self.constant + constant }
    }

    /// `self − other`.
    pub fn minus(&self, other: &Form) -> Form {
        let slopes = self.slopes.iter().zip(&other.slopes).map(|(a, b)| a - b).collect();
        Form { slopes, constant: self.constant - other.constant }
    }

    /// The larger coefficient of both, one by one: for parameters that are not negative, at least both functions.
    pub fn join(&self, other: &Form) -> Form {
        let slopes = self.slopes.iter().zip(&other.slopes).map(|(a, b)| *a.max(b)).collect();
        Form { slopes, constant: self.constant.max(other.constant) }
    }

    /// The function in the names of the parameters, such as `3*B - 2`.
    ///
    /// ```
    /// use polyfold_smo::Form;
    /// let size = Form { slopes: vec![0, 3], constant: -2 };
    /// assert_eq!(size.text(&["T".to_string(), "B".to_string()]), "3*B - 2");
    /// ```
    pub fn text(&self, parameters: &[String]) -> String {
        sum(&self.slopes, parameters, self.constant)
    }
}

pub(crate) fn dot(a: &[i64], b: &[i64]) -> i64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `2*i - j + 1`, which C and isl read.
pub(crate) fn sum(coefficients: &[i64], names: &[String], constant: i64) -> String {
    let mut text = String::new();
    for (coefficient, name) in coefficients.iter().zip(names).filter(|(coefficient, _)| **coefficient != 0) {
        let factor = if coefficient.abs() == 1 { String::new() } else { format!("{}*", coefficient.abs()) };
        let _ = write!(text, "{}{factor}{name}", sign(text.is_empty(), *coefficient));
    }
    if constant != 0 || text.is_empty() {
        let _ = write!(text, "{}{}", sign(text.is_empty(), constant), constant.abs());
    }
    text
}

pub(crate) fn sign(is_first: bool, value: i64) -> &'static str {
    match (is_first, value < 0) {
        (true, false) => "",
        (true, true) => "-",
        (false, false) => " + ",
        (false, true) => " - ",
    }
}

//! Buffers of one dimension whose strides grow with the parameters.
//!
//! ```text
//! value S(s) is kept in cell  (c·(M s + δ)) mod D        c, D polynomials in the parameters
//! ```
//!
//! Each statement has its levels as in a [`Buffer`](crate::Buffer); instead of a modulus for each there are strides c, and one modulus
//! for the sum. Where no box fits values that are alive together, a ring of them may: of a nine-point stencil those of a grid, a row
//! and one cell, `(N (i − t) + (j − t)) mod (N² + N + 1)`.

use crate::form::sum;
use crate::{Member, Polynomial};

/// A ring of cells and who lives in it: value s of a statement is kept in cell `(c·(M s + δ)) mod D`.
///
/// Invariant: every member has one row per stride.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// c: how far apart neighbours of a level are.
    pub strides: Vec<Polynomial>,
    /// D: the number of cells.
    pub modulus: Polynomial,
    /// Its statements.
    pub members: Vec<Member>,
}

impl Line {
    /// Its size in cells at given parameters.
    pub fn cells(&self, parameters: &[i64]) -> i128 {
        self.modulus.at(parameters).unwrap_or(i128::MAX)
    }

    /// The cell of a member's value at given parameters; `None` past 64 bits, or where the modulus is not positive.
    pub(crate) fn cell(&self, member: &Member, iterators: &[i64], parameters: &[i64]) -> Option<i64> {
        let place = self.strides.iter().zip(&member.rows).try_fold(0i128, |place, (stride, row)| {
            place.checked_add(stride.at(parameters)?.checked_mul(row.at(iterators).into())?)
        })?;
        place.checked_rem_euclid(self.modulus.at(parameters).filter(|modulus| *modulus > 0)?)?.try_into().ok()
    }

    /// The subscript of a member in the names of iterators and parameters: `(N*(i - t) + (j - t)) mod (N*N + N + 1)`.
    pub(crate) fn subscript(&self, member: &Member, iterators: &[String], parameters: &[String]) -> String {
        let term = |(stride, row): (&Polynomial, &crate::Row)| {
            let place = sum(&row.coefficients, iterators, row.offset);
            match stride.text(parameters).as_str() {
                "1" => format!("({place})"),
                product if stride.terms().count() == 1 => format!("{product}*({place})"),
                other => format!("({other})*({place})"),
            }
        };
        let terms: Vec<String> = self.strides.iter().zip(&member.rows).map(term).collect();
        format!("({}) mod ({})", terms.join(" + "), self.modulus.text(parameters))
    }
}

//! Modular mappings with numbers for moduli.
//!
//! ```text
//! x -> (M x) mod b
//! ```
//!
//! What the searches over a finite set of differences work with; [`ModularMapping`](crate::ModularMapping) has
//! functions of the parameters instead.
//!
//! Paper: "(M, b)" in Bee §2, for fixed parameters.
//!
//! ```
//! use polyfold_lattice::Folding;
//! let folding = Folding { dimensions: 2, rows: vec![vec![1, 0], vec![1, 1]], moduli: vec![3, 9] };
//! assert_eq!(folding.cells(), Some(27));
//! assert_eq!(folding.to_string(), "(x0 mod 3, x0 + x1 mod 9)");
//! ```

use crate::Differences;
use crate::integers::{centred, dot};
use std::fmt;

/// `x -> (M x) mod b` for points of a given number of coordinates. No rows: all points share one cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folding {
    /// Number of coordinates of a point.
    pub dimensions: usize,
    /// The rows of M, one per modulus, each with one coefficient per coordinate.
    pub rows: Vec<Vec<i64>>,
    /// Positive ("b").
    pub moduli: Vec<i64>,
}

impl Folding {
    /// Number of cells, the product of the moduli; `None` past 64 bits.
    pub fn cells(&self) -> Option<i64> {
        self.moduli.iter().try_fold(1i64, |product, modulus| product.checked_mul(*modulus))
    }

    /// Whether a point is in the kernel: sent to the cell of 0.
    pub fn is_zero_at(&self, point: &[i64]) -> bool {
        self.rows.iter().zip(&self.moduli).all(|(row, modulus)| {
            let value = dot(row, point);
            // A division of 64 bits is much quicker.
            i64::try_from(value).map_or_else(|_| value % i128::from(*modulus) == 0, |value| value % modulus == 0)
        })
    }

    /// A difference in the kernel: two elements of the array at this distance are in use at the same time, and would
    /// share a cell.
    pub fn conflict<'a>(&self, differences: &'a Differences) -> Option<&'a [i64]> {
        differences.half().find(|d| self.is_zero_at(d))
    }

    /// The same mapping with coefficients as small as the moduli allow and without rows of modulus 1.
    pub fn reduced(&self) -> Folding {
        let kept = self.rows.iter().zip(&self.moduli).filter(|(_, modulus)| **modulus != 1);
        let small = |row: &[i64], modulus: i64| -> Vec<i64> { row.iter().map(|c| centred(*c, modulus)).collect() };
        let (rows, moduli) = kept.map(|(row, modulus)| (upright(small(row, *modulus), *modulus), *modulus)).unzip();
        Folding { dimensions: self.dimensions, rows, moduli }
    }
}

/// The row or its negative, which has the same kernel: the first coefficient that is not zero is positive.
/// Coefficients are reduced, and stay so.
pub(crate) fn upright(mut row: Vec<i64>, modulus: i64) -> Vec<i64> {
    if row.iter().find(|c| **c != 0).is_some_and(|c| *c < 0) {
        row.iter_mut().for_each(|c| *c = centred(-*c, modulus));
    }
    row
}

impl fmt::Display for Folding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (k, (row, modulus)) in self.rows.iter().zip(&self.moduli).enumerate() {
            f.write_str(if k == 0 { "" } else { ", " })?;
            write_row(f, row)?;
            write!(f, " mod {modulus}")?;
        }
        f.write_str(")")
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, row: &[i64]) -> fmt::Result {
    let terms: Vec<(usize, i64)> = row.iter().copied().enumerate().filter(|(_, c)| *c != 0).collect();
    if terms.is_empty() {
        return f.write_str("0");
    }
    for (k, (axis, coefficient)) in terms.iter().enumerate() {
        f.write_str(match (k, *coefficient < 0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        })?;
        match coefficient.unsigned_abs() {
            1 => write!(f, "x{axis}")?,
            size => write!(f, "{size} x{axis}")?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_are_reduced_and_rows_of_modulus_one_dropped() {
        let rows = vec![vec![7, 5], vec![-13, 1], vec![40, 99]];
        let folding = Folding { dimensions: 2, rows, moduli: vec![1, 61, 50] };
        assert_eq!(folding.reduced().to_string(), "(13 x0 - x1 mod 61, 10 x0 + x1 mod 50)");
        assert_eq!(folding.reduced().cells(), folding.cells());
        let half = Folding { dimensions: 1, rows: vec![vec![-2]], moduli: vec![4] };
        assert_eq!(half.reduced().rows, [[2]]);
    }
}

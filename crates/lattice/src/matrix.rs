//! Integer matrices of any size of entries.
//!
//! Rows are vectors. Determinants are by Bareiss' fraction-free elimination: every intermediate number is a minor, so
//! all divisions are exact. The inverse of a unimodular matrix is an integer matrix again:
//!
//! ```text
//! det A = ±1   =>   A⁻¹ = ± adj A
//! ```
//!
//! Invariant: all rows have the same length; a matrix without rows still has a number of columns.
//!
//! ```
//! use polyfold_lattice::Matrix;
//! let a = Matrix::of(2, &[vec![2, 1], vec![1, 1]]);
//! let inverse = a.unimodular_inverse().unwrap();
//! assert_eq!(inverse, Matrix::of(2, &[vec![1, -1], vec![-1, 2]]));
//! assert_eq!(a.product(&inverse), Matrix::identity(2));
//! ```

use crate::hermite::hermite_form;
use crate::integers::{narrow_all, widen};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use polyfold_isl::Result;

/// A matrix of integers, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    columns: usize,
    rows: Vec<Vec<BigInt>>,
}

impl Matrix {
    /// From rows of `columns` entries each.
    ///
    /// # Panics
    /// When a row has another length.
    pub fn new(columns: usize, rows: Vec<Vec<BigInt>>) -> Matrix {
        assert!(rows.iter().all(|row| row.len() == columns), "rows of a matrix differ in length");
        Matrix { columns, rows }
    }

    /// From rows of 64-bit numbers, `columns` each.
    ///
    /// # Panics
    /// When a row has another length.
    pub fn of(columns: usize, rows: &[Vec<i64>]) -> Matrix {
        Matrix::new(columns, rows.iter().map(|row| widen(row)).collect())
    }

    /// Ones on the diagonal.
    pub fn identity(size: usize) -> Matrix {
        let unit = |k| (0..size).map(|j| BigInt::from(u8::from(j == k))).collect();
        Matrix { columns: size, rows: (0..size).map(unit).collect() }
    }

    /// Length of a row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The rows.
    pub fn rows(&self) -> &[Vec<BigInt>] {
        &self.rows
    }

    /// The rows, to change in place.
    pub(crate) fn rows_mut(&mut self) -> &mut Vec<Vec<BigInt>> {
        &mut self.rows
    }

    /// The rows as 64-bit numbers.
    ///
    /// # Errors
    /// When an entry is past 64 bits.
    pub fn narrow_rows(&self) -> Result<Vec<Vec<i64>>> {
        self.rows.iter().map(|row| narrow_all(row, "an entry of a matrix")).collect()
    }

    /// Rows become columns.
    pub fn transpose(&self) -> Matrix {
        let column = |j: usize| self.rows.iter().map(|row| row[j].clone()).collect();
        Matrix { columns: self.rows.len(), rows: (0..self.columns).map(column).collect() }
    }

    /// `self · other`.
    ///
    /// # Panics
    /// Unless `other` has one row per column of `self`.
    pub fn product(&self, other: &Matrix) -> Matrix {
        assert_eq!(self.columns, other.rows.len(), "shapes of a product");
        let entry = |row: &[BigInt], j: usize| row.iter().zip(&other.rows).map(|(a, b)| a * &b[j]).sum();
        let rows = self.rows.iter().map(|row| (0..other.columns).map(|j| entry(row, j)).collect()).collect();
        Matrix { columns: other.columns, rows }
    }

    /// The determinant; 1 for a matrix without rows.
    ///
    /// # Panics
    /// When the matrix is not square.
    pub fn determinant(&self) -> BigInt {
        let size = self.columns;
        assert_eq!(self.rows.len(), size, "determinant of a matrix that is not square");
        let mut rows = self.rows.clone();
        let (mut negative, mut previous) = (false, BigInt::one());
        for k in 0..size {
            let Some(pivot) = (k..size).find(|i| !rows[*i][k].is_zero()) else { return BigInt::zero() };
            if pivot != k {
                rows.swap(pivot, k);
                negative = !negative;
            }
            for i in k + 1..size {
                for j in k + 1..size {
                    rows[i][j] = (&rows[i][j] * &rows[k][k] - &rows[i][k] * &rows[k][j]) / &previous;
                }
            }
            previous = rows[k][k].clone();
        }
        if negative { -previous } else { previous }
    }

    /// Number of linearly independent rows.
    pub fn rank(&self) -> usize {
        hermite_form(self).pivots.len()
    }

    /// The inverse of a square matrix of determinant 1 or -1; `None` for any other matrix. The Hermite form of such a
    /// matrix is the identity, hence the transform is the inverse.
    pub fn unimodular_inverse(&self) -> Option<Matrix> {
        if self.rows.len() != self.columns || !self.determinant().abs().is_one() {
            return None;
        }
        Some(hermite_form(self).transform)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn determinants() {
        for (rows, expected) in [
            (vec![vec![0, 1, 2], vec![3, 4, 5], vec![6, 7, 9]], -3),
            (vec![vec![1, 2, 3], vec![2, 4, 6], vec![1, 0, 1]], 0),
            (vec![vec![0, 0, 2], vec![0, 3, 0], vec![5, 0, 0]], -30),
        ] {
            assert_eq!(Matrix::of(3, &rows).determinant(), BigInt::from(expected), "{rows:?}");
        }
        assert_eq!(Matrix::of(0, &[]).determinant(), BigInt::one());
        let large = Matrix::of(2, &[vec![i64::MAX, i64::MIN], vec![i64::MIN, i64::MAX]]);
        assert_eq!(large.determinant(), BigInt::from(1) - (BigInt::from(1) << 64));
    }

    #[test]
    fn only_unimodular_matrices_have_an_integer_inverse() {
        assert_eq!(Matrix::of(2, &[vec![2, 0], vec![0, 1]]).unimodular_inverse(), None);
        assert_eq!(Matrix::of(2, &[vec![1, 0]]).unimodular_inverse(), None);
        assert_eq!(Matrix::of(3, &[vec![1, 2, 3], vec![2, 4, 6], vec![0, 0, 1]]).rank(), 2);
    }
}

//! Smith normal form.
//!
//! ```text
//! S = U A V,   |det U| = |det V| = 1,   S diagonal,   s₁ | s₂ | …,   sᵢ >= 0
//! ```
//!
//! If the rows of a square A are a basis of a lattice Λ, then `x ∈ Λ  <=>  (x V)ᵢ ≡ 0 mod sᵢ` for all i: the columns of
//! V and the diagonal are a modular mapping with kernel Λ.
//!
//! Hermite forms of rows and of columns in turn until the matrix is diagonal (Kannan and Bachem 1979): the first entry
//! is replaced by a divisor of itself until it divides its row and column, then the next one. Where an entry of the
//! diagonal does not divide the next one, the next column is added to its column, and all begins again with a smaller
//! divisor. (Not the row: reducing above the next pivot would undo it.)
//!
//! ```
//! use polyfold_lattice::{Matrix, smith_form};
//! let a = Matrix::of(2, &[vec![4, 0], vec![0, 6]]);
//! let smith = smith_form(&a);
//! assert_eq!(smith.form, Matrix::of(2, &[vec![2, 0], vec![0, 12]]));
//! assert_eq!(smith.left.product(&a).product(&smith.right), smith.form);
//! ```

use crate::{Matrix, hermite_form};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;

/// `S = U A V`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Smith {
    /// S, of the shape of A.
    pub form: Matrix,
    /// U, square, of determinant 1 or -1.
    pub left: Matrix,
    /// V, square, of determinant 1 or -1.
    pub right: Matrix,
}

impl Smith {
    /// The diagonal of S, as many entries as A has rows or columns, whichever is less.
    pub fn diagonal(&self) -> Vec<BigInt> {
        self.form.rows().iter().take(self.form.columns()).enumerate().map(|(k, row)| row[k].clone()).collect()
    }
}

/// The form of a matrix of any shape and rank.
pub fn smith_form(matrix: &Matrix) -> Smith {
    let identity = |size| Matrix::identity(size);
    let (left, right) = (identity(matrix.rows().len()), identity(matrix.columns()));
    let mut smith = Smith { form: matrix.clone(), left, right };
    loop {
        smith.make_diagonal();
        let Some((column, other)) = smith.indivisible() else { return smith };
        add_column(&mut smith.form, column, other);
        add_column(&mut smith.right, column, other);
    }
}

impl Smith {
    fn make_diagonal(&mut self) {
        loop {
            let rows = hermite_form(&self.form);
            self.left = rows.transform.product(&self.left);
            let columns = hermite_form(&rows.form.transpose());
            self.right = self.right.product(&columns.transform.transpose());
            self.form = columns.form.transpose();
            if self.is_diagonal() {
                return;
            }
        }
    }

    fn is_diagonal(&self) -> bool {
        let rows = self.form.rows().iter().enumerate();
        rows.into_iter().all(|(i, row)| row.iter().enumerate().all(|(j, entry)| i == j || entry.is_zero()))
    }

    /// Two columns of which the diagonal entry of the first does not divide that of the second; zeros come last.
    fn indivisible(&self) -> Option<(usize, usize)> {
        let diagonal = self.diagonal();
        let next = |k: &usize| !diagonal[*k].is_zero() && !diagonal[*k + 1].is_multiple_of(&diagonal[*k]);
        (0..diagonal.len().saturating_sub(1)).find(next).map(|k| (k, k + 1))
    }
}

fn add_column(matrix: &mut Matrix, column: usize, other: usize) {
    for row in matrix.rows_mut() {
        let added = row[other].clone();
        row[column] += added;
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use num_traits::{One, Signed};
    use proptest::prelude::*;

    /// Products of two factors of any inner size, so of any rank; entries up to about 140 bits.
    pub(crate) fn matrices() -> impl Strategy<Value = Matrix> {
        let entry = || prop_oneof![6 => -9i64..=9, 2 => -1_000_000i64..=1_000_000, 1 => any::<i64>()];
        let rows = move |count, columns| prop::collection::vec(prop::collection::vec(entry(), columns), count);
        (1usize..=5, 1usize..=5, 1usize..=5).prop_flat_map(move |(count, inner, columns)| {
            (rows(count, inner), rows(inner, columns))
                .prop_map(move |(a, b)| Matrix::of(inner, &a).product(&Matrix::of(columns, &b)))
        })
    }

    proptest! {
        #[test]
        fn the_form_is_diagonal_and_each_entry_divides_the_next(matrix in matrices()) {
            let smith = smith_form(&matrix);
            prop_assert_eq!(&smith.left.product(&matrix).product(&smith.right), &smith.form);
            prop_assert!(smith.left.determinant().abs().is_one() && smith.right.determinant().abs().is_one());
            prop_assert!(smith.is_diagonal());
            let diagonal = smith.diagonal();
            prop_assert!(diagonal.iter().all(|entry| !entry.is_negative()));
            prop_assert!(diagonal.windows(2).all(|pair| pair[1].is_zero()
                || (!pair[0].is_zero() && pair[1].is_multiple_of(&pair[0]))));
        }
    }

    #[test]
    fn a_known_form() {
        let a = Matrix::of(3, &[vec![2, 4, 4], vec![-6, 6, 12], vec![10, 4, 16]]);
        assert_eq!(smith_form(&a).diagonal(), [2, 2, 156].map(BigInt::from));
    }
}

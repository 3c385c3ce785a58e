//! Hermite normal form, by rows.
//!
//! Every integer matrix A has exactly one form
//!
//! ```text
//! H = U A,   |det U| = 1
//! ```
//!
//! in which the rows that are not zero come first; the first nonzero entry of each, its pivot, is positive and further
//! to the right than the one above; and the entries above a pivot p are in `0..p`. So two matrices have the same form
//! iff their rows generate the same lattice. The rows of U next to the zero rows of H are a basis of
//! `{ u : u A = 0 }`.
//!
//! Rows are put in one after the other and the form is reduced after each, which bounds its entries by minors of A
//! (Kannan and Bachem 1979); Euclid's steps take the nearest quotient.
//!
//! Paper: Bee §4.1.1 and §4.1.3, where it completes vectors to a basis; the definition is Schrijver's.
//!
//! ```
//! use polyfold_lattice::{Matrix, hermite_form};
//! let a = Matrix::of(2, &[vec![4, 6], vec![6, 6], vec![2, 0]]);
//! let form = hermite_form(&a);
//! assert_eq!(form.form, Matrix::of(2, &[vec![2, 0], vec![0, 6], vec![0, 0]]));
//! assert_eq!(form.transform.product(&a), form.form);
//! ```

use crate::Matrix;
use crate::integers::nearest_quotient;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

/// `H = U A` (H and U in Schrijver).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hermite {
    /// H, of the shape of A.
    pub form: Matrix,
    /// U, square, of determinant 1 or -1.
    pub transform: Matrix,
    /// The columns of the pivots, row by row; as many as the rank.
    pub pivots: Vec<usize>,
}

impl Hermite {
    /// Whether a vector is a combination of the rows with integer factors.
    pub fn generates(&self, mut vector: Vec<BigInt>) -> bool {
        for (row, pivot) in self.form.rows().iter().zip(&self.pivots) {
            let (quotient, rest) = vector[*pivot].div_rem(&row[*pivot]);
            if !rest.is_zero() {
                return false;
            }
            subtract_multiple(&mut vector, &quotient, row);
        }
        vector.iter().all(Zero::is_zero)
    }
}

/// The form of a matrix of any shape and rank.
pub fn hermite_form(matrix: &Matrix) -> Hermite {
    let (columns, count) = (matrix.columns(), matrix.rows().len());
    let mut state = Rows { columns, pivots: Vec::new(), zero: Vec::new() };
    for (row, unit) in matrix.rows().iter().zip(Matrix::identity(count).rows()) {
        state.insert([row.as_slice(), unit].concat());
        state.reduce();
    }
    let pivots = state.pivots.iter().map(|(column, _)| *column).collect();
    let all = state.pivots.into_iter().map(|(_, row)| row).chain(state.zero);
    let (form, transform) = all.map(|row| (row[..columns].to_vec(), row[columns..].to_vec())).unzip();
    Hermite { form: Matrix::new(columns, form), transform: Matrix::new(count, transform), pivots }
}

/// Rows of `[H | U]`.
struct Rows {
    columns: usize,
    /// By column of the pivot.
    pivots: Vec<(usize, Vec<BigInt>)>,
    zero: Vec<Vec<BigInt>>,
}

impl Rows {
    fn insert(&mut self, mut row: Vec<BigInt>) {
        for column in 0..self.columns {
            if row[column].is_zero() {
                continue;
            }
            match self.pivots.binary_search_by_key(&column, |(c, _)| *c) {
                Ok(k) => eliminate(&mut self.pivots[k].1, &mut row, column),
                Err(k) => return self.pivots.insert(k, (column, row)),
            }
        }
        self.zero.push(row);
    }

    /// Positive pivots, and small entries above them.
    fn reduce(&mut self) {
        for k in 0..self.pivots.len() {
            let (above, rest) = self.pivots.split_at_mut(k);
            let (column, pivot) = &mut rest[0];
            if pivot[*column].is_negative() {
                pivot.iter_mut().for_each(|entry| *entry = -&*entry);
            }
            for (_, row) in above {
                let quotient = row[*column].div_floor(&pivot[*column]);
                subtract_multiple(row, &quotient, pivot);
            }
        }
    }
}

/// Euclid's algorithm on two rows until the second is zero in `column`; the first stays if its entry divides.
fn eliminate(pivot: &mut Vec<BigInt>, row: &mut Vec<BigInt>, column: usize) {
    loop {
        let quotient = nearest_quotient(&row[column], &pivot[column]);
        subtract_multiple(row, &quotient, pivot);
        if row[column].is_zero() {
            return;
        }
        std::mem::swap(pivot, row);
    }
}

fn subtract_multiple(row: &mut [BigInt], factor: &BigInt, other: &[BigInt]) {
    if !factor.is_zero() {
        row.iter_mut().zip(other).for_each(|(entry, o)| *entry -= factor * o);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smith::tests::matrices;
    use num_traits::One;
    use proptest::prelude::*;

    fn is_in_form(hermite: &Hermite) -> bool {
        let rows = hermite.form.rows();
        let steps = hermite.pivots.windows(2).all(|pair| pair[0] < pair[1]);
        let entries = hermite.pivots.iter().enumerate().all(|(k, column)| {
            let pivot = &rows[k][*column];
            pivot.is_positive()
                && rows[k][..*column].iter().all(Zero::is_zero)
                && rows[..k].iter().all(|row| !row[*column].is_negative() && row[*column] < *pivot)
        });
        steps && entries && rows[hermite.pivots.len()..].iter().flatten().all(Zero::is_zero)
    }

    proptest! {
        #[test]
        fn the_form_is_the_transform_times_the_matrix(matrix in matrices()) {
            let hermite = hermite_form(&matrix);
            prop_assert_eq!(&hermite.transform.product(&matrix), &hermite.form);
            prop_assert!(hermite.transform.determinant().abs().is_one());
            prop_assert!(is_in_form(&hermite), "{:?}", hermite);
        }

        #[test]
        fn the_form_depends_on_the_lattice_only(matrix in matrices(), factor in -9i64..9) {
            let mut other = matrix.clone();
            let last = matrix.rows().len() - 1;
            if last > 0 {
                let first = matrix.rows()[0].clone();
                subtract_multiple(&mut other.rows_mut()[last], &BigInt::from(factor), &first);
            }
            other.rows_mut().reverse();
            prop_assert_eq!(hermite_form(&matrix).form, hermite_form(&other).form);
        }

        #[test]
        fn what_rows_generate_leaves_their_form_as_it_is(matrix in matrices(), factor in -9i64..9) {
            let (last, others) = matrix.rows().split_last().expect("a row");
            let own = hermite_form(&Matrix::new(matrix.columns(), others.to_vec()));
            let with = hermite_form(&matrix);
            let form = |hermite: &Hermite| hermite.form.rows()[..hermite.pivots.len()].to_vec();
            prop_assert_eq!(own.generates(last.clone()), form(&own) == form(&with));
            let mut sum = last.iter().map(|entry| entry * factor).collect::<Vec<BigInt>>();
            others.iter().for_each(|row| subtract_multiple(&mut sum, &BigInt::from(3), row));
            prop_assert!(with.generates(sum));
        }
    }
}

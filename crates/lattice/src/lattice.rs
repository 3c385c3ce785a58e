//! Lattices of integer points.
//!
//! The kernel of a modular mapping, `Λ = { x ∈ Zⁿ : M x ≡ 0 mod b }`, is a lattice of full rank, and every such
//! lattice is the kernel of a mapping with as many cells as its determinant:
//!
//! ```text
//! Zⁿ/Λ ≅ Z/s₁ × … × Z/sₙ,   det Λ = s₁ … sₙ
//! ```
//!
//! so the search for a mapping is a search for a lattice. Λ is *strictly admissible* for a set of differences if it
//! meets it in 0 only, and (weakly) *admissible* for a body K if it meets the interior of K in 0 only.
//!
//! Paper: Bee §2 and §4; Darte, Schreiber, Villard (2005) for the equivalence.
//!
//! Invariants: the basis is in Hermite form, hence unique: equal lattices compare equal. The determinant is below 2^63,
//! hence so are all entries.
//!
//! ```
//! use polyfold_lattice::Lattice;
//! // Bee §5: (i, j) -> (i mod 3, i + j mod 9)
//! let lattice = Lattice::kernel_of(2, &[vec![1, 0], vec![1, 1]], &[3, 9])?;
//! assert_eq!(lattice.basis(), [[3, 6], [0, 9]]);
//! assert_eq!(lattice.determinant(), 27);
//! assert!(lattice.contains(&[6, 3]) && !lattice.contains(&[3, 3]));
//! # Ok::<(), polyfold_isl::Error>(())
//! ```

use crate::folding::upright;
use crate::integers::{centred, narrow, narrow_all, refusal};
use crate::{Differences, Folding, Matrix, hermite_form, smith_form};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};
use polyfold_isl::Result;

/// A sublattice of Zⁿ of rank n (Λ in Bee).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lattice {
    /// Upper triangular, in Hermite form.
    basis: Vec<Vec<i64>>,
    determinant: i64,
}

impl Lattice {
    /// All integer combinations of the given vectors, which may be more than the dimensions.
    ///
    /// # Errors
    /// When the vectors have different lengths or do not span the space, or the determinant is past 64 bits.
    pub fn new(generators: &[Vec<i64>]) -> Result<Lattice> {
        let dimensions = generators.first().map_or(0, Vec::len);
        check_lengths(generators, dimensions)?;
        Lattice::generated(&Matrix::of(dimensions, generators))
    }

    /// All integer points.
    pub fn integers(dimensions: usize) -> Lattice {
        let unit = |k| (0..dimensions).map(|j| i64::from(j == k)).collect();
        Lattice { basis: (0..dimensions).map(unit).collect(), determinant: 1 }
    }

    /// The points x with `M x ≡ 0 mod b`, row by row.
    ///
    /// # Errors
    /// When there is not one positive modulus per row and one coefficient per dimension, or the determinant is past 64
    /// bits.
    pub fn kernel_of(dimensions: usize, rows: &[Vec<i64>], moduli: &[i64]) -> Result<Lattice> {
        check_lengths(rows, dimensions)?;
        if rows.len() != moduli.len() {
            return Err(refusal(format!("{} rows with {} moduli", rows.len(), moduli.len())));
        }
        if let Some(modulus) = moduli.iter().find(|modulus| **modulus <= 0) {
            return Err(refusal(format!("a modulus is not positive: {modulus}")));
        }
        let mut columns = Matrix::of(dimensions, rows).transpose();
        for (k, modulus) in moduli.iter().enumerate() {
            let row = (0..moduli.len()).map(|j| BigInt::from(if j == k { *modulus } else { 0 })).collect();
            columns.rows_mut().push(row);
        }
        Lattice::generated(&left_kernel(&columns, dimensions))
    }

    fn generated(generators: &Matrix) -> Result<Lattice> {
        let hermite = hermite_form(generators);
        let dimensions = generators.columns();
        if hermite.pivots.len() < dimensions {
            return Err(refusal(format!("the vectors span {} of {dimensions} dimensions", hermite.pivots.len())));
        }
        let rows = &hermite.form.rows()[..dimensions];
        let product: BigInt = rows.iter().enumerate().map(|(k, row)| &row[k]).product();
        let determinant = narrow(&product, "the determinant of a lattice")?;
        let basis = rows.iter().map(|row| narrow_all(row, "a lattice")).collect::<Result<_>>()?;
        Ok(Lattice { basis, determinant })
    }

    /// Number of coordinates of a point.
    pub fn dimensions(&self) -> usize {
        self.basis.len()
    }

    /// The basis in Hermite form: upper triangular, the entries above each diagonal entry smaller than it.
    pub fn basis(&self) -> &[Vec<i64>] {
        &self.basis
    }

    /// The index in Zⁿ: the number of cells of a mapping with this kernel.
    pub fn determinant(&self) -> i64 {
        self.determinant
    }

    /// Whether a point, of one coordinate per dimension, is in the lattice.
    pub fn contains(&self, point: &[i64]) -> bool {
        let modulus = i128::from(self.determinant);
        // det · Zⁿ is part of every lattice, hence remainders suffice.
        let mut rest: Vec<i128> = point.iter().map(|c| i128::from(*c) % modulus).collect();
        for (k, row) in self.basis.iter().enumerate() {
            let pivot = i128::from(row[k]);
            if rest[k] % pivot != 0 {
                return false;
            }
            let quotient = rest[k] / pivot;
            for j in k + 1..rest.len() {
                rest[j] = (rest[j] - quotient * i128::from(row[j])) % modulus;
            }
        }
        true
    }

    /// A difference in the lattice, the witness that it is not strictly admissible.
    pub fn conflict<'a>(&self, differences: &'a Differences) -> Option<&'a [i64]> {
        differences.half().find(|d| self.contains(d))
    }

    /// Whether no difference is in the lattice.
    pub fn is_strictly_admissible(&self, differences: &Differences) -> bool {
        self.conflict(differences).is_none()
    }

    /// The mapping that the Smith form of the basis gives: its kernel is the lattice, each modulus divides the next,
    /// rows of modulus 1 are left out and coefficients reduced. See [`simplest_mapping`](crate::simplest_mapping) for
    /// a simpler one.
    pub fn mapping(&self) -> Folding {
        let dimensions = self.dimensions();
        let smith = smith_form(&Matrix::of(dimensions, &self.basis));
        let mut folding = Folding { dimensions, rows: Vec::new(), moduli: Vec::new() };
        for (column, modulus) in smith.right.transpose().rows().iter().zip(smith.diagonal()) {
            if modulus.is_one() {
                continue;
            }
            let modulus = modulus.to_i64().expect("a divisor of the determinant");
            let row = column.iter().map(|c| remainder(c, modulus)).collect();
            folding.rows.push(upright(row, modulus));
            folding.moduli.push(modulus);
        }
        folding
    }
}

fn remainder(value: &BigInt, modulus: i64) -> i64 {
    let residue = value.mod_floor(&BigInt::from(modulus)).to_i64().expect("less than the modulus");
    centred(residue, modulus)
}

fn check_lengths(rows: &[Vec<i64>], dimensions: usize) -> Result<()> {
    match rows.iter().find(|row| row.len() != dimensions) {
        Some(row) => Err(refusal(format!("a vector of {} numbers in {dimensions} dimensions", row.len()))),
        None => Ok(()),
    }
}

/// The first `columns` coordinates of a basis of `{ u : u A = 0 }`.
fn left_kernel(matrix: &Matrix, columns: usize) -> Matrix {
    let hermite = hermite_form(matrix);
    let kernel = &hermite.transform.rows()[hermite.pivots.len()..];
    Matrix::new(columns, kernel.iter().map(|row| row[..columns].to_vec()).collect())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Any kernel of up to four rows in up to four dimensions.
    pub(crate) fn mappings() -> impl Strategy<Value = Folding> {
        (1usize..=4, 0usize..=4).prop_flat_map(|(dimensions, count)| {
            let row = prop::collection::vec(-20i64..=20, dimensions);
            (prop::collection::vec(row, count), prop::collection::vec(1i64..=30, count))
                .prop_map(move |(rows, moduli)| Folding { dimensions, rows, moduli })
        })
    }

    pub(crate) fn kernel(folding: &Folding) -> Lattice {
        Lattice::kernel_of(folding.dimensions, &folding.rows, &folding.moduli).unwrap()
    }

    proptest! {
        #[test]
        fn a_kernel_is_what_the_mapping_sends_to_zero(
            folding in mappings(),
            seed in prop::collection::vec(-60i64..=60, 4),
        ) {
            let lattice = kernel(&folding);
            let point = &seed[..folding.dimensions];
            prop_assert_eq!(lattice.contains(point), folding.is_zero_at(point));
            prop_assert!(lattice.basis().iter().all(|v| folding.is_zero_at(v) && lattice.contains(v)));
            prop_assert_eq!(&Lattice::new(lattice.basis()).unwrap(), &lattice);
        }

        #[test]
        fn the_smith_mapping_has_the_lattice_as_its_kernel(folding in mappings()) {
            let lattice = kernel(&folding);
            let mapping = lattice.mapping();
            prop_assert_eq!(&kernel(&mapping), &lattice);
            prop_assert_eq!(mapping.cells(), Some(lattice.determinant()));
            prop_assert!(mapping.moduli.windows(2).all(|pair| pair[1] % pair[0] == 0));
            prop_assert_eq!(&mapping.reduced(), &mapping);
        }
    }

    #[test]
    fn large_numbers_are_exact_or_refused() {
        let most = i64::MAX;
        let lattice = Lattice::new(&[vec![1, most - 1, 5], vec![0, most, 7], vec![0, 0, 1]]).unwrap();
        assert_eq!(lattice.determinant(), most);
        assert!(lattice.contains(&[i64::MIN, 1, i64::MIN]) && !lattice.contains(&[1, 1, 0]));
        assert_eq!(kernel(&lattice.mapping()), lattice);
        let error = Lattice::new(&[vec![most, 0], vec![0, 2]]).unwrap_err();
        assert_eq!(error.message, "the determinant of a lattice is past 64 bits: 18446744073709551614");
    }

    #[test]
    fn what_is_no_lattice_of_full_rank_is_refused() {
        for (generators, why) in [
            (vec![vec![2, 4], vec![1, 2]], "the vectors span 1 of 2 dimensions"),
            (vec![vec![2, 4], vec![1]], "a vector of 1 numbers in 2 dimensions"),
        ] {
            assert_eq!(Lattice::new(&generators).unwrap_err().message, why);
        }
        assert_eq!(Lattice::kernel_of(1, &[vec![1]], &[0]).unwrap_err().message, "a modulus is not positive: 0");
        assert_eq!(Lattice::kernel_of(1, &[vec![1]], &[]).unwrap_err().message, "1 rows with 0 moduli");
    }

    /// Bee §2: 2i + j mod 2N - 3 is valid for Durbin's y, and one cell less is not.
    #[test]
    fn durbin_y() {
        let points = |i: i64, k: i64| (i + 2 * k).abs() < 100 && (i - k).abs() < 100 && k.abs() <= 1;
        let all = (-99..100).flat_map(|i| (-1..=1).map(move |k| (i, k))).filter(|(i, k)| points(*i, *k));
        let differences = Differences::new(2, all.map(|(i, k)| vec![i, k]).collect());
        let lattice = |modulus| Lattice::kernel_of(2, &[vec![2, 1]], &[modulus]).unwrap();
        assert!(lattice(197).is_strictly_admissible(&differences));
        assert!(lattice(196).conflict(&differences).is_some());
        assert!(Lattice::integers(2).conflict(&differences).is_some());
    }
}

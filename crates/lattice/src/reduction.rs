//! Generalized basis reduction.
//!
//! A basis b₁ … bₚ of the integer points in the span of K is reduced if, with `Fᵢ` the gauge after projection along
//! b₁ … bᵢ₋₁,
//!
//! ```text
//! Fᵢ(bᵢ₊₁ + μ bᵢ) >= Fᵢ(bᵢ₊₁) for all integers μ,      Fᵢ(bᵢ₊₁) >= ¾ Fᵢ(bᵢ)
//! ```
//!
//! Then b₁ is short, and a search over the last coordinates first has few values to try. A step subtracts the best
//! multiple (Fᵢ is convex in μ, so the best integer is next to the best number, which the linear program for Fᵢ₊₁
//! gives) and exchanges two vectors if that makes the first one shorter by a quarter.
//!
//! Paper: Lovász and Scarf, "The generalized basis reduction algorithm", with ε = ¼; Bee §4.1.3 uses it for bases.
//!
//! ```
//! use polyfold_lattice::{Body, reduced_basis};
//! let skewed = Body::new(2, &[(vec![1, -100], 1), (vec![0, 1], 5)], &[])?;
//! assert_eq!(reduced_basis(&skewed)?, [vec![100, 1], vec![1, 0]]);
//! # Ok::<(), polyfold_isl::Error>(())
//! ```

use crate::integers::{narrow, refusal};
use crate::{Body, Rational};
use num_bigint::BigInt;
use polyfold_isl::Result;

/// A reduced basis of the integer points in the span of a body: as many vectors as the body has dimensions of its own.
///
/// # Errors
/// When a number is past 64 bits.
pub fn reduced_basis(body: &Body) -> Result<Vec<Vec<i64>>> {
    reduce_after(body, body.integer_span()?, 0)
}

/// The same span, flag by flag, of the first `kept` vectors; the others are reduced among themselves after projection
/// along these.
pub(crate) fn reduce_after(body: &Body, mut basis: Vec<Vec<i64>>, kept: usize) -> Result<Vec<Vec<i64>>> {
    let mut k = kept;
    while k + 1 < basis.len() {
        let next = shortened(body, &basis, k)?;
        let length = gauge(body, &next, &basis[..k])?;
        basis[k + 1] = next;
        if length * BigInt::from(4) < gauge(body, &basis[k], &basis[..k])? * BigInt::from(3) {
            basis.swap(k, k + 1);
            k = k.saturating_sub(1).max(kept);
        } else {
            k += 1;
        }
    }
    Ok(basis)
}

/// Vector k+1 plus the multiple of vector k that makes it shortest; left alone if nothing is better.
fn shortened(body: &Body, basis: &[Vec<i64>], k: usize) -> Result<Vec<i64>> {
    let (_, factors) = body.nearest(&basis[k + 1], &basis[..=k]).ok_or_else(outside)?;
    let best = &factors[k];
    let mut shortest = basis[k + 1].clone();
    let mut least = gauge(body, &shortest, &basis[..k])?;
    for factor in [best.floor().to_integer(), best.ceil().to_integer()] {
        let candidate = add_multiple(&basis[k + 1], &factor, &basis[k])?;
        let length = gauge(body, &candidate, &basis[..k])?;
        if length < least {
            (shortest, least) = (candidate, length);
        }
    }
    Ok(shortest)
}

fn gauge(body: &Body, vector: &[i64], earlier: &[Vec<i64>]) -> Result<Rational> {
    body.gauge_along(vector, earlier).ok_or_else(outside)
}

fn outside() -> polyfold_isl::Error {
    refusal("a basis vector is not in the span of the body")
}

/// `vector + factor · other`.
pub(crate) fn add_multiple(vector: &[i64], factor: &BigInt, other: &[i64]) -> Result<Vec<i64>> {
    let sum = |(v, o): (&i64, &i64)| narrow(&(factor * o + v), "a vector of a basis");
    vector.iter().zip(other).map(sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;
    use num_traits::{One, Signed};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_basis_is_unimodular_and_reduced(
            normals in prop::collection::vec(prop::collection::vec(-9i64..=9, 3), 3..6),
            bounds in prop::collection::vec(1i64..=30, 6),
        ) {
            let facets: Vec<_> = normals.into_iter().zip(bounds).collect();
            let Ok(body) = Body::new(3, &facets, &[]) else { return Ok(()) };
            let basis = reduced_basis(&body).unwrap();
            prop_assert!(Matrix::of(3, &basis).determinant().abs().is_one());
            for k in 0..2 {
                let length = gauge(&body, &basis[k + 1], &basis[..k]).unwrap();
                let first = gauge(&body, &basis[k], &basis[..k]).unwrap();
                prop_assert!(&length * BigInt::from(4) >= first * BigInt::from(3));
                for factor in -3..=3 {
                    let other = add_multiple(&basis[k + 1], &BigInt::from(factor), &basis[k]).unwrap();
                    prop_assert!(gauge(&body, &other, &basis[..k]).unwrap() >= length);
                }
            }
        }
    }
}

//! Strict admissibility of a lattice whose basis is affine in one parameter.
//!
//! The coefficients of a difference d = Σ xₖ vₖ are `xₖ = det (v₁, …, d, …, v_p) / det V`, by Cramer's rule a sum of the
//! coordinates of d with cofactors γ of V. With `|d_j| <= β_j` on DS, β affine,
//!
//! ```text
//! |xₖ| < Xₖ + 1   if   Σ_j β_j |γ_kj| < (Xₖ + 1) |det V|   for all m >= m₀,
//! ```
//!
//! a comparison of polynomials in m: written in m − m₀, all coefficients of the difference must be nonnegative and the
//! constant one positive. What remains are finitely many (x₁, …, x_p), and for each an exact emptiness test of
//! `{ d ∈ DS : d = Σ xₖ vₖ }`, which is affine in m.
//!
//! Example: the hexagon `|i|, |j|, |i − j| < 2m + 1` and (m, 2m + 1), (2m + 1, m + 1), determinant 3m² + 3m + 1.
//!
//! Paper: Bee §5 has such lattices "proved by hand".

use crate::growth::{Growth, affine_bound};
use polyfold_isl::{Result, Set};
use polyfold_lattice::{Affine, AffineBasis, Polynomial};

/// Largest coefficient of a basis vector that is enumerated.
const MOST: i64 = 6;

/// The proof is tried from these m on.
const STARTS: std::ops::RangeInclusive<i64> = 0..=6;

/// The smallest m from which on the lattice is proved to meet DS in 0 only; `None` if there is no proof.
///
/// # Errors
/// When the work bound is reached.
pub fn admissible_from(basis: &AffineBasis, ds: &Set) -> Result<Option<i64>> {
    for start in STARTS {
        if is_admissible(basis, ds, start)? {
            return Ok(Some(start));
        }
    }
    Ok(None)
}

/// Whether the lattice is proved to meet DS in 0 only, for all m >= start; other sizes are not looked at.
pub(crate) fn is_admissible(basis: &AffineBasis, ds: &Set, start: i64) -> Result<bool> {
    let ds = &ds.subtract(&ds.fix_all(0)?)?;
    let Some(start) = Growth::of(basis, start).first(ds)? else { return ds.is_empty() };
    let growth = Growth::of(basis, start);
    let mut bounds = Vec::new();
    for axis in 0..basis.vectors.len() {
        let Some(bound) = affine_bound(ds, &growth, axis)? else { return Ok(false) };
        bounds.push(Polynomial::from(bound));
    }
    let most: Option<Vec<i64>> =
        (0..basis.vectors.len()).map(|k| coefficient_bound(basis, k, &bounds, start)).collect();
    match most {
        Some(most) => avoids(basis, ds, &growth, &most),
        None => Ok(false),
    }
}

/// The smallest X with |xₖ| < X + 1.
fn coefficient_bound(basis: &AffineBasis, k: usize, bounds: &[Polynomial], start: i64) -> Option<i64> {
    let all = basis.determinant()?;
    let all = all.scaled(all.sign_from(start)?)?;
    let mut most = Polynomial::default();
    for (axis, bound) in bounds.iter().enumerate() {
        let cofactor = cofactor(basis, k, axis)?;
        most = most.plus(&bound.times(&cofactor.scaled(cofactor.sign_from(start)?)?)?)?;
    }
    let is_enough = |bound: &i64| {
        let room = all.scaled(i128::from(bound + 1)).and_then(|all| all.minus(&most));
        room.is_some_and(|room| room.is_positive_from(start))
    };
    (0..=MOST).find(is_enough)
}

/// The determinant with the unit vector of an axis in place of a basis vector; `None` past 128 bits.
fn cofactor(basis: &AffineBasis, k: usize, axis: usize) -> Option<Polynomial> {
    let unit = (0..basis.vectors.len()).map(|other| Affine { constant: i64::from(other == axis), slope: 0 });
    let mut replaced = basis.clone();
    replaced.vectors[k] = unit.collect();
    replaced.determinant()
}

/// Whether no combination of the vectors with coefficients up to the bounds, but 0, is a difference.
fn avoids(basis: &AffineBasis, ds: &Set, growth: &Growth, most: &[i64]) -> Result<bool> {
    for coefficients in boxed(most) {
        if coefficients.iter().all(|x| *x == 0) {
            continue;
        }
        let coordinate = |axis: usize| {
            let sum = |part: fn(Affine) -> i64| {
                coefficients.iter().zip(&basis.vectors).map(|(x, vector)| x * part(vector[axis])).sum::<i64>()
            };
            let value = Affine { constant: sum(|e| e.constant), slope: sum(|e| e.slope) };
            format!("{} = {}", growth.coordinate(axis), growth.text(value))
        };
        let condition: Vec<String> = (0..basis.vectors.len()).map(coordinate).collect();
        if !growth.select(ds, &condition.join(" and "))?.is_empty()? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// All vectors with entries up to the bounds in absolute value.
fn boxed(most: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for bound in most {
        let longer = |v: &Vec<i64>| (-bound..=*bound).map(|x| [v.as_slice(), &[x]].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::Context;
    use polyfold_lattice::affine_bases;

    const MEAN: &str = "[n] -> { [i, j] : -n < i < n and -n < j < n and -n < i - j < n }";

    /// The smallest conjecture that is proved, with the m from which it holds.
    fn proved(text: &str, step: i64, residue: i64) -> (Vec<i128>, i64) {
        proved_in(text, "n", step, residue)
    }

    fn proved_in(text: &str, parameter: &str, step: i64, residue: i64) -> (Vec<i128>, i64) {
        let ctx = Context::new();
        let ds = Set::read(&ctx, text).unwrap();
        let found = affine_bases(&ds, parameter, step, residue).unwrap();
        let proved = found
            .iter()
            .find_map(|b| Some((b.determinant().unwrap().coefficients().to_vec(), admissible_from(b, &ds).unwrap()?)));
        proved.unwrap_or_else(|| panic!("{} conjectures, none proved", found.len()))
    }

    /// Bee §5: triangles of side 2m + 1 and of side 2m.
    #[test]
    fn triangles() {
        assert_eq!(proved(MEAN, 2, 1).0, [1, 3, 3]);
        assert_eq!(proved(MEAN, 2, 0).0, [0, 0, 3]);
    }

    /// The proof has names of its own, whatever the parameter is called.
    #[test]
    fn parameters_may_have_any_name() {
        let renamed = |name: &str| MEAN.replace("and", "&&").replace('n', name);
        let wrong = |name: &str| {
            let ctx = Context::new();
            let ds = Set::read(&ctx, &renamed(name)).unwrap();
            let mut basis = affine_bases(&ds, name, 2, 1).unwrap().remove(0);
            basis.vectors[0][0].constant -= 1;
            admissible_from(&basis, &ds).unwrap()
        };
        for name in ["m", "d0", "d1", "x", "m_", "d0_m", "v", "s", "b"] {
            assert_eq!(proved_in(&renamed(name), name, 2, 1), proved(MEAN, 2, 1), "{name}");
            assert_eq!(wrong(name), None, "{name}");
        }
    }

    /// Bee §2: Durbin's y in 2n − 3 cells.
    #[test]
    fn durbin_y() {
        let (determinant, start) =
            proved("[n] -> { [i, k] : n >= 3 and -n < i + 2k < n and -n < i - k < n and -1 <= k <= 1 }", 1, 3);
        assert_eq!(determinant, [3, 2]);
        assert!(start <= 1);
    }

    #[test]
    fn wrong_bases_are_refused() {
        let ctx = Context::new();
        let ds = Set::read(&ctx, MEAN).unwrap();
        let mut basis = affine_bases(&ds, "n", 2, 1).unwrap().remove(0);
        basis.vectors[0][0].constant -= 1;
        assert_eq!(admissible_from(&basis, &ds).unwrap(), None);
    }
}

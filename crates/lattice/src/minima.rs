//! Successive minima and vectors that attain them.
//!
//! ```text
//! λᵢ(K) = min { λ > 0 : λK contains i linearly independent integer vectors }
//! ```
//!
//! The i-th vector is the shortest one outside the span of the earlier ones. In a basis whose first i−1 vectors span
//! the same space, that is the shortest y with some yⱼ ≠ 0, j >= i; as K is symmetric, with a positive last one. Where
//! the paper solves one mixed integer program for each j, the coordinates are chosen here one after the other from the
//! last, nearest first to where the remaining ones, if they were rational, would be best; since that bound is convex in
//! the coordinate, the first value that is no better than the best vector found ends a direction. The basis is reduced,
//! so there are few values.
//!
//! Of vectors of the same gauge the paper recommends small components (Bee §4.1.3); a second search finds the least sum
//! of absolute values. A flat K has as many minima as it has dimensions of its own.
//!
//! Paper: Bee §4.1.1; §4.1.3 for [`completed_basis`].
//!
//! ```
//! use polyfold_lattice::{Body, successive_minima};
//! // Bee §4.1.1: Durbin's y at N = 100
//! let body = Body::new(2, &[(vec![1, 2], 99), (vec![1, -1], 99), (vec![0, 1], 1)], &[])?;
//! let minima = successive_minima(&body)?;
//! assert_eq!(minima.iter().map(|m| m.gauge.to_string()).collect::<Vec<_>>(), ["1/99", "1"]);
//! assert_eq!(minima.iter().map(|m| &m.vector[..]).collect::<Vec<_>>(), [[1, 0], [0, 1]]);
//! # Ok::<(), polyfold_isl::Error>(())
//! ```

use crate::body::{between, dot, last};
use crate::integers::{narrow, narrow_all, refusal};
use crate::reduction::reduce_after;
use crate::{Body, Lattice, LinearProgram, Matrix, Outcome, Rational, hermite_form, reduced_basis};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use polyfold_isl::{Error, ErrorKind, Result};

/// Bound on the linear programs in the search for one minimum.
const MOST_PROGRAMS: usize = 2_000;

/// A successive minimum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimum {
    /// λᵢ, positive.
    pub gauge: Rational,
    /// xᵢ, an integer vector of this gauge.
    pub vector: Vec<i64>,
}

/// The minima in increasing order, as many as the body has dimensions of its own.
///
/// # Errors
/// When a number is past 64 bits, or one minimum takes more than 2000 linear programs.
pub fn successive_minima(body: &Body) -> Result<Vec<Minimum>> {
    let mut basis = reduced_basis(body)?;
    let mut minima = Vec::new();
    for found in 0..basis.len() {
        let coordinates = shortest(body, &basis, found)?;
        let vector = combination(&coordinates, &basis)?;
        let gauge = body.gauge(&vector).ok_or_else(|| refusal("a vector is not in the span of the body"))?;
        basis = reduce_after(body, basis_through(&coordinates, basis, found)?, found + 1)?;
        minima.push(Minimum { gauge, vector });
    }
    Ok(minima)
}

/// Whether no lattice point but 0 is inside the body: its gauge is at least 1. For a flat body the inside is meant
/// within its span, which is stricter than an empty inside.
///
/// # Errors
/// As [`successive_minima`].
pub fn is_weakly_admissible(lattice: &Lattice, body: &Body) -> Result<bool> {
    let minima = successive_minima(&body.in_basis(lattice.basis()))?;
    Ok(minima.first().is_none_or(|first| first.gauge >= Rational::one()))
}

/// Vectors a₁ … aₙ that are a basis of Zⁿ, the first i of which span the same space as the first i given vectors, for
/// all i; these themselves wherever that is possible.
///
/// By the Hermite form `X = Q H` of the matrix with the given vectors as columns, Bee §4.1.1.
///
/// # Errors
/// When the vectors are dependent or not of `dimensions` numbers, or a number is past 64 bits.
pub fn completed_basis(vectors: &[Vec<i64>], dimensions: usize) -> Result<Vec<Vec<i64>>> {
    if vectors.iter().any(|v| v.len() != dimensions) {
        return Err(refusal(format!("a vector is not of {dimensions} dimensions")));
    }
    let hermite = hermite_form(&Matrix::of(dimensions, vectors).transpose());
    if hermite.pivots.len() < vectors.len() {
        return Err(refusal("the vectors are dependent"));
    }
    let columns = hermite.transform.unimodular_inverse().expect("a unimodular transform").transpose();
    let mut basis = columns.narrow_rows()?;
    for (k, vector) in vectors.iter().enumerate() {
        if hermite.form.rows()[k][k].is_one() {
            basis[k].clone_from(vector);
        }
    }
    Ok(basis)
}

/// `Σ yⱼ vⱼ`.
fn combination(coordinates: &[i64], basis: &[Vec<i64>]) -> Result<Vec<i64>> {
    let entry = |k: usize| coordinates.iter().zip(basis).map(|(y, v)| BigInt::from(*y) * v[k]).sum();
    let sums: Vec<BigInt> = (0..basis.first().map_or(0, Vec::len)).map(entry).collect();
    narrow_all(&sums, "a vector of a minimum")
}

/// The same lattice in a basis whose first `found` vectors are kept and, with the next one, span the vector with the
/// given coordinates; the vector itself if it is primitive modulo the earlier ones.
fn basis_through(coordinates: &[i64], basis: Vec<Vec<i64>>, found: usize) -> Result<Vec<Vec<i64>>> {
    let outer = completed_basis(&[coordinates[found..].to_vec()], basis.len() - found)?;
    let mut through: Vec<Vec<i64>> = basis[..found].to_vec();
    for row in &outer {
        through.push(combination(row, &basis[found..])?);
    }
    if coordinates[found..].iter().fold(0, |g, c| g.gcd(c)) == 1 {
        through[found] = combination(coordinates, &basis)?;
    }
    Ok(through)
}

/// The coordinates of a shortest vector among those with some nonzero coordinate from `found` on; of least sum of
/// absolute values.
fn shortest(body: &Body, basis: &[Vec<i64>], found: usize) -> Result<Vec<i64>> {
    let local = body.in_basis(basis);
    let mut search = VectorSearch { body: &local, basis, found, goal: Goal::Gauge, best: None, programs: 0 };
    search.extend(&mut Vec::new())?;
    let (gauge, coordinates) = search.best.take().ok_or_else(|| refusal("the body has no integer vector"))?;
    search.best = Some((length(&combination(&coordinates, basis)?), coordinates));
    (search.goal, search.programs) = (Goal::Length { gauge }, 0);
    match search.extend(&mut Vec::new()) {
        // Then a short vector has to do where the shortest was not found in time.
        Err(error) if error.kind == ErrorKind::Quota => {}
        searched => drop(searched?),
    }
    Ok(search.best.take().expect("the first vector found").1)
}

fn length(vector: &[i64]) -> Rational {
    Rational::from_integer(vector.iter().map(|c| BigInt::from(*c).abs()).sum())
}

enum Goal {
    Gauge,
    /// Among the vectors of a gauge.
    Length {
        gauge: Rational,
    },
}

struct VectorSearch<'a> {
    /// In coordinates with respect to the basis.
    body: &'a Body,
    basis: &'a [Vec<i64>],
    found: usize,
    goal: Goal,
    best: Option<(Rational, Vec<i64>)>,
    /// Number of linear programs so far.
    programs: usize,
}

impl VectorSearch<'_> {
    /// All vectors whose last coordinates are `fixed`. False if none can be better than the best one.
    fn extend(&mut self, fixed: &mut Vec<i64>) -> Result<bool> {
        let free = self.basis.len() - fixed.len();
        if free == 0 {
            return self.propose(fixed);
        }
        if free > self.found && fixed.iter().all(|c| *c == 0) {
            self.extend_upwards(fixed, i64::from(free == self.found + 1), 1)?;
            return Ok(true);
        }
        self.programs += 1;
        if self.programs > MOST_PROGRAMS {
            return Err(Error { kind: ErrorKind::Quota, message: "the search for successive minima".to_string() });
        }
        let Some((bound, nearest)) = self.relaxed(fixed) else { return Ok(false) };
        if !self.is_better(&bound) {
            return Ok(false);
        }
        let below = narrow(&nearest.floor().to_integer(), "a coordinate of a minimum")?;
        let upwards_first = &nearest - nearest.floor() > Rational::new(1.into(), 2.into());
        for up in [upwards_first, !upwards_first] {
            self.extend_upwards(fixed, if up { below + 1 } else { below }, if up { 1 } else { -1 })?;
        }
        Ok(true)
    }

    /// The next coordinate from a start in one direction until it cannot be better.
    fn extend_upwards(&mut self, fixed: &mut Vec<i64>, start: i64, step: i64) -> Result<()> {
        for value in (0..).map(|k| start + k * step) {
            fixed.insert(0, value);
            let promising = self.extend(fixed);
            fixed.remove(0);
            if !promising? {
                break;
            }
        }
        Ok(())
    }

    fn is_better(&self, value: &Rational) -> bool {
        self.best.as_ref().is_none_or(|(best, _)| value < best)
    }

    fn propose(&mut self, coordinates: &[i64]) -> Result<bool> {
        let gauge = self.body.gauge(coordinates).unwrap_or_default();
        let value = match &self.goal {
            Goal::Gauge => gauge,
            Goal::Length { gauge: least } if gauge <= *least => length(&combination(coordinates, self.basis)?),
            Goal::Length { .. } => return Ok(false),
        };
        let better = self.is_better(&value);
        if better {
            self.best = Some((value, coordinates.to_vec()));
        }
        Ok(better)
    }

    /// The least value with rational free coordinates, and the last of these where it is attained.
    fn relaxed(&self, fixed: &[i64]) -> Option<(Rational, Rational)> {
        let free = self.basis.len() - fixed.len();
        let (program, objective) = match &self.goal {
            Goal::Gauge => (self.gauge_program(free, fixed), last(free, -1)),
            Goal::Length { gauge } => self.length_program(free, fixed, gauge),
        };
        match program.maximise(&objective) {
            Outcome::Optimal { value, point } => Some((-value, point[free - 1].clone())),
            _ => None,
        }
    }

    /// Over (y, λ): `|a y| <= c λ`.
    fn gauge_program(&self, free: usize, fixed: &[i64]) -> LinearProgram {
        let mut program = LinearProgram::new(free + 1);
        for facet in self.body.facets() {
            let known = dot(&facet.normal[free..], fixed);
            between(&mut program, &facet.normal[..free], &known, &facet.bound);
        }
        program
    }

    /// Over (y, u): `|a y| <= c λ` for the given λ, `|xₖ| <= uₖ` for the coordinates of the vector itself; the
    /// objective is the negative sum of u.
    fn length_program(&self, free: usize, fixed: &[i64], gauge: &Rational) -> (LinearProgram, Vec<Rational>) {
        let dimensions = self.basis[0].len();
        let mut program = LinearProgram::new(free + dimensions);
        for facet in self.body.facets() {
            let known = dot(&facet.normal[free..], fixed);
            let bound = gauge * &facet.bound;
            bounded(&mut program, &facet.normal[..free], &known, None, &bound);
        }
        for k in 0..dimensions {
            let column: Vec<BigInt> = self.basis.iter().map(|v| BigInt::from(v[k])).collect();
            let known = dot(&column[free..], fixed);
            bounded(&mut program, &column[..free], &known, Some(free + k), &Rational::zero());
        }
        let objective = (0..free + dimensions).map(|k| if k < free { Rational::zero() } else { -Rational::one() });
        (program, objective.collect())
    }
}

/// Adds `|terms · y + known| <= bound + u`, where u is the variable of that number, if any.
fn bounded(program: &mut LinearProgram, terms: &[BigInt], known: &BigInt, u: Option<usize>, bound: &Rational) {
    for sign in [1, -1] {
        let mut row: Vec<Rational> = terms.iter().map(|t| Rational::from_integer(t * sign)).collect();
        row.resize(program.dimensions(), Rational::zero());
        if let Some(u) = u {
            row[u] = -Rational::one();
        }
        program.at_most(row, bound - Rational::from_integer(known * sign));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(numerator: i64, denominator: i64) -> Rational {
        Rational::new(numerator.into(), denominator.into())
    }

    fn minima(facets: &[(Vec<i64>, i64)], equations: &[Vec<i64>]) -> Vec<(Rational, Vec<i64>)> {
        let dimensions = facets.iter().map(|(a, _)| a).chain(equations).next().unwrap().len();
        let body = Body::new(dimensions, facets, equations).unwrap();
        successive_minima(&body).unwrap().into_iter().map(|m| (m.gauge, m.vector)).collect()
    }

    #[test]
    fn minima_above_one_have_vectors_outside_of_the_body() {
        let thin = [(vec![1, 0], 10), (vec![0, 3], 2)];
        assert_eq!(minima(&thin, &[]), [(number(1, 10), vec![1, 0]), (number(3, 2), vec![0, 1])]);
    }

    #[test]
    fn a_skewed_body_of_ten_thousand_points() {
        let skewed = [(vec![1, -1000], 1), (vec![0, 1], 5000)];
        assert_eq!(minima(&skewed, &[]), [(number(1, 5000), vec![1000, 1]), (number(1, 1), vec![1, 0])]);
    }

    #[test]
    fn flat_bodies_have_fewer_minima() {
        let found = minima(&[(vec![1, 0, 0], 6), (vec![0, 0, 1], 4)], &[vec![2, -1, 0]]);
        assert_eq!(found, [(number(1, 6), vec![1, 2, 0]), (number(1, 4), vec![0, 0, 1])]);
        assert_eq!(minima(&[], &[vec![1, 0], vec![0, 1]]), []);
    }

    /// The octahedron of dimension 5 and the lattice of Z⁵ and (½, ½, ½, ½, ½), in coordinates of a basis.
    #[test]
    fn minimal_vectors_need_not_be_a_basis() {
        let signs = (0..16).map(|m| [1, 2, 4, 8, 16].map(|bit| if m & bit == 0 { 1 } else { -1 }));
        let normal = |s: [i64; 5]| vec![2 * s[0], 2 * s[1], 2 * s[2], 2 * s[3], s.iter().sum()];
        let facets: Vec<_> = signs.map(|s| (normal(s), 2)).collect();
        let (gauges, vectors): (Vec<_>, Vec<_>) = minima(&facets, &[]).into_iter().unzip();
        assert_eq!(gauges, vec![number(1, 1); 5]);
        assert_eq!(Matrix::of(5, &vectors).determinant().abs(), BigInt::from(2));
        let basis = completed_basis(&vectors, 5).unwrap();
        assert!(Matrix::of(5, &basis).determinant().abs().is_one());
    }

    #[test]
    fn weak_admissibility_allows_points_on_the_boundary() {
        let square = Body::new(2, &[(vec![1, 0], 3), (vec![0, 1], 3)], &[]).unwrap();
        let lattice = |m| Lattice::new(&[vec![m, 0], vec![0, 3]]).unwrap();
        assert!(is_weakly_admissible(&lattice(3), &square).unwrap());
        assert!(!is_weakly_admissible(&lattice(2), &square).unwrap());
    }

    /// By gauge, then length, over all vectors of a box that is large enough for the bodies below.
    fn by_enumeration(body: &Body, reach: i64) -> Vec<(Rational, Rational)> {
        let dimensions = body.dimensions();
        let mut vectors = vec![Vec::new()];
        for _ in 0..dimensions {
            vectors = vectors.iter().flat_map(|v| (-reach..=reach).map(move |c| [&v[..], &[c]].concat())).collect();
        }
        let keyed = vectors.into_iter().filter_map(|v| Some((body.gauge(&v)?, length(&v), v)));
        let mut keyed: Vec<_> = keyed.filter(|(_, length, _)| !length.is_zero()).collect();
        keyed.sort();
        let (mut chosen, mut found) = (Vec::new(), Vec::new());
        for (gauge, length, vector) in keyed {
            chosen.push(vector);
            if Matrix::of(dimensions, &chosen).rank() == chosen.len() {
                found.push((gauge, length));
            } else {
                chosen.pop();
            }
        }
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn minima_are_those_of_an_enumeration(
            normals in prop::collection::vec(prop::collection::vec(-2i64..=2, 3), 1..4),
            bounds in prop::collection::vec(1i64..=12, 3),
            equation in prop::option::of(prop::collection::vec(-1i64..=1, 3)),
        ) {
            let mut facets: Vec<_> = normals.into_iter().zip(bounds).collect();
            facets.extend((0..3).map(|k| ((0..3).map(|j| i64::from(j == k)).collect(), 2)));
            let equations: Vec<_> = equation.into_iter().filter(|e| e.iter().any(|c| *c != 0)).collect();
            let body = Body::new(3, &facets, &equations).unwrap();
            let found = successive_minima(&body).unwrap();
            // Every |xₖ| is at most 2λ, and λ at most 4: that bounds the gauge of (1, ±1, 0) and the like.
            let expected = by_enumeration(&body, 8);
            prop_assert_eq!(found.len(), expected.len());
            for (minimum, (gauge, _)) in found.iter().zip(&expected) {
                prop_assert_eq!(&minimum.gauge, gauge);
                prop_assert_eq!(body.gauge(&minimum.vector), Some(minimum.gauge.clone()));
            }
            prop_assert_eq!(length(&found[0].vector), expected[0].1.clone());
            let vectors: Vec<_> = found.into_iter().map(|m| m.vector).collect();
            let basis = completed_basis(&vectors, 3).unwrap();
            prop_assert!(Matrix::of(3, &basis).determinant().abs().is_one());
            for k in 1..=vectors.len() {
                prop_assert_eq!(Matrix::of(3, &[&basis[..k], &vectors[..k]].concat()).rank(), k);
            }
        }
    }
}

//! The heuristics of Cl@k.
//!
//! All give a mapping `x -> (M x) mod b` whose kernel has the basis `bᵢ aᵢ`, where the columns aᵢ of M⁻¹ are a basis
//! of Zⁿ (and the rows cᵢ of M the dual one):
//!
//! ```text
//! 1    bᵢ the least power of 2 with bᵢ λᵢ(K) > 1       aᵢ from the successive minima (Rogers)
//! 1.a  bᵢ = ⌊1/λᵢ(K)⌋ + 1, then one more for each in turn until no difference is in the kernel
//! 2    bᵢ > max { cᵢ d : d ∈ DS, cⱼ d = 0 for j > i }   for given a₁ … aₙ
//! 3    bᵢ > max { cᵢ d : d ∈ DS, cⱼ d = 0 for j < i }   for given c₁ … cₙ
//! ```
//!
//! Given bases: the canonical one in every order, the one through the successive minima, and a reduced one. On the
//! canonical one 2 is the same as 3 in the opposite order and left out.
//!
//! Why 2 and 3 are valid: let d ∈ DS be in the kernel, and i the first row in the order of the conditions with
//! `cᵢ d ≠ 0`. It is a multiple of bᵢ, and smaller by definition; so M d = 0 and d = 0.
//!
//! Deviation: heuristics 2 and 3 of the paper use `1/Fᵢ(aᵢ)` and `Fᵢ*(cᵢ)`, maxima over the convex hull; here the
//! maximum is over the differences themselves, which is never larger. For `|i| <= 5, |j| <= 5` without the points
//! `i = 0, |j| > 1`, heuristic 3 in the order (i, j) takes i mod 6, j mod 2 where the hull asks for j mod 6; on the sets
//! of Figure 3 both agree. Heuristics 1 and 1.a use the hull's minima, as in the paper; outside of the span of a flat
//! hull their moduli are 1. Every mapping is checked against the differences before it is returned.
//!
//! Paper: Bee §4.1 and §4.2.
//!
//! ```
//! use polyfold_isl::{Context, Set};
//! use polyfold_lattice::{Body, Differences, best_heuristic};
//! let ctx = Context::new();
//! let set = Set::read(&ctx, "{ [i, k] : -100 < i + 2k < 100 and -100 < i - k < 100 and -1 <= k <= 1 }")?;
//! let best = best_heuristic(&Differences::of(&set)?, Some(&Body::of(&set)?))?;
//! assert_eq!(best.folding.to_string(), "(x0 mod 100, x1 mod 2)");
//! # Ok::<(), polyfold_isl::Error>(())
//! ```

use crate::integers::{dot, limit, narrow, refusal};
use crate::{
    Body, Differences, Folding, Lattice, Matrix, Minimum, Rational, completed_basis, complexity, reduced_basis,
    simplest_mapping, successive_minima,
};
use num_bigint::BigInt;
use num_traits::One;
use polyfold_isl::{ErrorKind, Result};
use std::fmt;

/// At most this many orders of the axes are tried: all of them up to four dimensions.
const MOST_ORDERS: usize = 24;

/// Bound on the increments of heuristic 1.a, per dimension.
const MOST_INCREMENTS: usize = 64;

/// Which heuristic of Bee §4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// Rogers' heuristic with powers of 2.
    One,
    /// The smallest scaling factors that may do, increased until they do.
    OneA,
    /// From vectors of the lattice.
    Two,
    /// From rows of the mapping.
    Three,
}

/// Where the vectors of a heuristic come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The axes in an order.
    Canonical(Vec<usize>),
    /// A basis through the successive minima of the hull.
    SuccessiveMinima,
    /// A reduced basis with respect to the hull.
    Reduced,
}

/// A strictly admissible mapping and its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The mapping; its kernel contains no difference.
    pub folding: Folding,
    /// Number of cells.
    pub cells: i64,
    /// How the moduli were chosen.
    pub heuristic: Heuristic,
    /// How the vectors were chosen.
    pub basis: Basis,
}

/// What all heuristics find on all bases, in a fixed order. Without a body, the hull of the differences, only heuristic
/// 3 on the canonical bases. The successive minima are left out where their search would take too long, and mappings of
/// more than 2^63 cells always.
///
/// # Errors
/// When the body is of another dimension, or a number is past 64 bits.
pub fn heuristic_mappings(differences: &Differences, body: Option<&Body>) -> Result<Vec<Candidate>> {
    let dimensions = differences.dimensions();
    let mut found = Collector { differences, candidates: Vec::new(), known: Vec::new() };
    for order in orders(dimensions) {
        let rows: Vec<Vec<i64>> = order.iter().map(|axis| unit(*axis, dimensions)).collect();
        found.three(&rows, &Basis::Canonical(order));
    }
    let Some(body) = body else { return Ok(found.candidates) };
    if body.dimensions() != dimensions {
        return Err(refusal(format!("differences of {dimensions} dimensions in a body of {}", body.dimensions())));
    }
    match successive_minima(body) {
        Ok(minima) => found.on_minima(minima)?,
        Err(error) if error.kind == ErrorKind::Quota => {}
        Err(error) => return Err(error),
    }
    let reduced = completed_basis(&reduced_basis(body)?, dimensions)?;
    found.two(&reduced, &Basis::Reduced)?;
    found.three(&reduced, &Basis::Reduced);
    Ok(found.candidates)
}

/// The smallest of [`heuristic_mappings`], written as simply as possible; among equally small ones the one with the
/// simplest subscripts, the first of these.
///
/// # Errors
/// As [`heuristic_mappings`], and when no mapping has fewer than 2^63 cells.
pub fn best_heuristic(differences: &Differences, body: Option<&Body>) -> Result<Candidate> {
    best_of(heuristic_mappings(differences, body)?)
}

/// The best of given candidates, as [`best_heuristic`].
///
/// # Errors
/// When there are none.
pub fn best_of(candidates: Vec<Candidate>) -> Result<Candidate> {
    let least = candidates.iter().map(|c| c.cells).min();
    let mut best: Option<(u32, Candidate)> = None;
    let mut seen: Vec<Lattice> = Vec::new();
    for candidate in candidates.into_iter().filter(|c| Some(c.cells) == least) {
        let Folding { dimensions, rows, moduli } = &candidate.folding;
        let lattice = Lattice::kernel_of(*dimensions, rows, moduli)?;
        let mut foldings = vec![candidate.folding.clone()];
        if !seen.contains(&lattice) {
            // The bounded search for the simplest may miss what the heuristic itself found.
            foldings.insert(0, simplest_mapping(&lattice)?);
            seen.push(lattice);
        }
        for folding in foldings {
            let cost = complexity(&folding);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, Candidate { folding, ..candidate.clone() }));
            }
        }
    }
    best.map(|(_, candidate)| candidate).ok_or_else(|| limit("no mapping has fewer than 2^63 cells"))
}

/// Rows, and moduli for them if these fit into 64 bits.
type Settled = (Vec<Vec<i64>>, Option<Vec<i64>>);

struct Collector<'a> {
    differences: &'a Differences,
    candidates: Vec<Candidate>,
    /// Rows with their moduli; the bases are often the same.
    known: Vec<Settled>,
}

impl Collector<'_> {
    fn on_minima(&mut self, minima: Vec<Minimum>) -> Result<()> {
        let (gauges, vectors): (Vec<_>, Vec<_>) = minima.into_iter().map(|m| (m.gauge, m.vector)).unzip();
        let vectors = completed_basis(&vectors, self.differences.dimensions())?;
        self.one(&vectors, &gauges)?;
        self.one_a(&vectors, &gauges)?;
        self.two(&vectors, &Basis::SuccessiveMinima)?;
        self.three(&vectors, &Basis::SuccessiveMinima);
        Ok(())
    }

    fn one(&mut self, vectors: &[Vec<i64>], gauges: &[Rational]) -> Result<()> {
        let power = |gauge: &Rational| {
            let mut power = BigInt::one();
            while gauge * &power <= Rational::one() {
                power *= 2;
            }
            narrow(&power, "a modulus")
        };
        let moduli = padded(gauges.iter().map(power), vectors.len())?;
        self.add(&dual(vectors)?, &moduli, Heuristic::One, &Basis::SuccessiveMinima);
        Ok(())
    }

    fn one_a(&mut self, vectors: &[Vec<i64>], gauges: &[Rational]) -> Result<()> {
        let above = |gauge: &Rational| narrow(&(gauge.recip().floor().to_integer() + 1), "a modulus");
        let mut moduli = padded(gauges.iter().map(above), vectors.len())?;
        let rows = dual(vectors)?;
        for step in 0..=MOST_INCREMENTS * vectors.len() {
            if self.add(&rows, &moduli, Heuristic::OneA, &Basis::SuccessiveMinima) {
                break;
            }
            moduli[step % vectors.len()] += 1;
        }
        Ok(())
    }

    fn two(&mut self, vectors: &[Vec<i64>], basis: &Basis) -> Result<()> {
        let rows = dual(vectors)?;
        let backwards: Vec<Vec<i64>> = rows.iter().rev().cloned().collect();
        if let Some(mut moduli) = self.successive(&backwards) {
            moduli.reverse();
            self.add(&rows, &moduli, Heuristic::Two, basis);
        }
        Ok(())
    }

    fn three(&mut self, rows: &[Vec<i64>], basis: &Basis) {
        if let Some(moduli) = self.successive(rows) {
            self.add(rows, &moduli, Heuristic::Three, basis);
        }
    }

    fn successive(&mut self, rows: &[Vec<i64>]) -> Option<Vec<i64>> {
        if let Some((_, moduli)) = self.known.iter().find(|(known, _)| known == rows) {
            return moduli.clone();
        }
        let moduli = successive(self.differences, rows);
        self.known.push((rows.to_vec(), moduli.clone()));
        moduli
    }

    /// Keeps a mapping if it is strictly admissible.
    fn add(&mut self, rows: &[Vec<i64>], moduli: &[i64], heuristic: Heuristic, basis: &Basis) -> bool {
        let dimensions = self.differences.dimensions();
        let folding = Folding { dimensions, rows: rows.to_vec(), moduli: moduli.to_vec() }.reduced();
        let is_known = self.candidates.iter().any(|known| known.folding == folding);
        if !is_known && folding.conflict(self.differences).is_some() {
            return false;
        }
        if let Some(cells) = folding.cells() {
            self.candidates.push(Candidate { folding, cells, heuristic, basis: basis.clone() });
        }
        true
    }
}

/// `bᵢ = 1 + max { cᵢ d : d ∈ DS, cⱼ d = 0 for j < i }`; `None` if one is past 64 bits.
fn successive(differences: &Differences, rows: &[Vec<i64>]) -> Option<Vec<i64>> {
    let mut rest: Vec<&[i64]> = differences.half().collect();
    let mut moduli = Vec::new();
    for row in rows {
        let most = rest.iter().map(|d| dot(row, d).abs()).max().unwrap_or(0);
        moduli.push(i64::try_from(most + 1).ok()?);
        rest.retain(|d| dot(row, d) == 0);
    }
    Some(moduli)
}

/// The rows cᵢ with `cᵢ aⱼ = [i = j]`.
fn dual(vectors: &[Vec<i64>]) -> Result<Vec<Vec<i64>>> {
    let inverse = Matrix::of(vectors.len(), vectors).unimodular_inverse();
    inverse.ok_or_else(|| refusal("the vectors are no basis of the integer points"))?.transpose().narrow_rows()
}

/// With moduli of 1 for the dimensions in which the hull has no integer points.
fn padded(moduli: impl Iterator<Item = Result<i64>>, dimensions: usize) -> Result<Vec<i64>> {
    let mut moduli: Vec<i64> = moduli.collect::<Result<_>>()?;
    moduli.resize(dimensions, 1);
    Ok(moduli)
}

fn unit(axis: usize, dimensions: usize) -> Vec<i64> {
    (0..dimensions).map(|k| i64::from(k == axis)).collect()
}

/// The first orders of the axes in lexicographic order.
fn orders(dimensions: usize) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    extend_orders(dimensions, &mut Vec::new(), &mut found);
    found
}

fn extend_orders(dimensions: usize, prefix: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    if prefix.len() == dimensions {
        found.push(prefix.clone());
        return;
    }
    for axis in 0..dimensions {
        if found.len() < MOST_ORDERS && !prefix.contains(&axis) {
            prefix.push(axis);
            extend_orders(dimensions, prefix, found);
            prefix.pop();
        }
    }
}

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Heuristic::One => "heuristic 1",
            Heuristic::OneA => "heuristic 1.a",
            Heuristic::Two => "heuristic 2",
            Heuristic::Three => "heuristic 3",
        })
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Basis::Canonical(order) => write!(f, "the axes in the order {order:?}"),
            Basis::SuccessiveMinima => f.write_str("the successive minima"),
            Basis::Reduced => f.write_str("a reduced basis"),
        }
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} cells, {} on {}", self.folding, self.cells, self.heuristic, self.basis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::{Context, Set};
    use proptest::prelude::*;

    #[test]
    fn orders_of_the_axes() {
        assert_eq!(orders(2), [[0, 1], [1, 0]]);
        assert_eq!(orders(0), [Vec::<usize>::new()]);
        assert_eq!((orders(4).len(), orders(6).len()), (24, 24));
    }

    /// The example of the module.
    #[test]
    fn exact_points_are_never_worse_than_the_hull() {
        let ctx = Context::new();
        let text = "{ [i, j] : -5 <= i <= 5 and -5 <= j <= 5 and (i >= 1 or i <= -1) or (i = 0 and -1 <= j <= 1) }";
        let set = Set::read(&ctx, text).unwrap();
        let (differences, body) = (Differences::of(&set).unwrap(), Body::of(&set).unwrap());
        assert!(!body.is_exactly(&differences));
        let rows = [vec![1, 0], vec![0, 1]];
        assert_eq!(successive(&differences, &rows), Some(vec![6, 2]));
        assert_eq!(body.polar_gauge(&rows[1], &rows[..1]), Rational::from_integer(5.into()));
    }

    /// Dimensions, points, and whether their whole hull is meant.
    fn sets() -> impl Strategy<Value = (usize, Vec<Vec<i64>>, bool)> {
        (1usize..=3).prop_flat_map(|dimensions| {
            let reach = [12i64, 6, 3][dimensions - 1];
            let point = prop::collection::vec(-reach..=reach, dimensions);
            (Just(dimensions), prop::collection::vec(point, 0..5), any::<bool>())
        })
    }

    fn text(dimensions: usize, points: &[Vec<i64>]) -> String {
        let tuple = |sign: i64, p: &[i64]| p.iter().map(|c| (sign * c).to_string()).collect::<Vec<_>>().join(", ");
        let origin = vec![0; dimensions];
        let all = points.iter().chain([&origin]).flat_map(|p| [tuple(1, p), tuple(-1, p)]);
        format!("{{ {} }}", all.map(|t| format!("[{t}]")).collect::<Vec<_>>().join("; "))
    }

    /// Written once more, so as not to rely on the check that the heuristics use.
    fn meets_kernel(differences: &Differences, folding: &Folding) -> bool {
        let residue = |row: &[i64], d: &[i64]| row.iter().zip(d).map(|(c, x)| c * x).sum::<i64>();
        let zero = |d: &[i64]| folding.rows.iter().zip(&folding.moduli).all(|(r, b)| residue(r, d).rem_euclid(*b) == 0);
        differences.iter().any(zero)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn every_mapping_is_strictly_admissible((dimensions, points, convex) in sets()) {
            let ctx = Context::new();
            let set = Set::read(&ctx, &text(dimensions, &points)).unwrap();
            let body = Body::of(&set).unwrap();
            let differences = Differences::of(&if convex { set.convex_hull().unwrap() } else { set }).unwrap();
            let candidates = heuristic_mappings(&differences, Some(&body)).unwrap();
            for candidate in &candidates {
                prop_assert!(!meets_kernel(&differences, &candidate.folding), "{candidate} on {points:?}");
            }
            for wanted in [Heuristic::One, Heuristic::Two, Heuristic::Three] {
                prop_assert!(candidates.iter().any(|c| c.heuristic == wanted));
            }
            let best = best_heuristic(&differences, Some(&body)).unwrap();
            prop_assert!(!meets_kernel(&differences, &best.folding), "{best} on {points:?}");
            prop_assert_eq!(best.folding.cells(), candidates.iter().map(|c| c.cells).min());
        }
    }
}

//! One row for all dimensions, with coefficients and a modulus that grow with a size: `x -> (c·x) mod D`.
//!
//! No array of affine extents has 3m² + 3m + 1 cells, but a row of so many has:
//!
//! ```text
//! (c₁(m) x₁ + … + c_{d−1}(m) x_{d−1} + x_d) mod D(m),      c affine and D quadratic in m,  n = step · m + residue
//! ```
//!
//! It is the linear address of a cell, as C computes it for `a[i][j]`, taken modulo D. All rows with small coefficients are tried
//! at a few sizes; a quadratic polynomial is laid through their smallest moduli; and a basis of the kernel is found that is
//! affine in m, too, which the proof needs. The result is a conjecture.
//!
//! Examples: `(3m + 1) i + j mod 3m² + 3m + 1` for a triangle of side 2m + 1; `(N + 1) v + N i + j mod N² + N + 1` for the values
//! of a nine-point stencil.
//!
//! Paper: Bee §5 leaves such lattices open.
//!
//! Invariants: the last coefficient is 1, so the kernel has index D; the basis is one of the kernel.

use crate::{Affine, AffineBasis, Differences, Polynomial};
use polyfold_isl::{Result, Set};
use std::collections::BTreeSet;

/// The values of m at which moduli are determined, above the first for which there are differences, and two further ones at which
/// the polynomials have to hold.
const SIZES: [i64; 3] = [4, 5, 6];
const CHECKS: [i64; 2] = [7, 9];

/// The first m for which there are differences is looked for up to here.
const MOST_START: i64 = 32;

/// Coefficients that are tried in the plane, and in space, where there are many more rows.
const SLOPES: std::ops::RangeInclusive<i64> = 0..=4;
const CONSTANTS: std::ops::RangeInclusive<i64> = -3..=3;
const SLOPES_IN_SPACE: std::ops::RangeInclusive<i64> = 0..=1;
const CONSTANTS_IN_SPACE: std::ops::RangeInclusive<i64> = -2..=2;

/// Entries of basis vectors that are tried.
const BASIS_SLOPES: std::ops::RangeInclusive<i64> = -1..=2;
const BASIS_CONSTANTS: std::ops::RangeInclusive<i64> = -2..=2;

/// So many of the smallest moduli of a row may lie on a polynomial, each at one size.
const MOST_MODULI: usize = 3;

/// Differences past this many at the smallest size are not looked at.
const MOST_DIFFERENCES: usize = 4_000;

/// At most so many polynomials for moduli are followed up, those with the fewest cells.
const MOST_TRIED: usize = 24;
const MOST_PROPOSED: usize = 3;

/// `x -> (c·x) mod D` for every size n = step · m + residue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearMapping {
    /// A basis of the kernel; says which sizes are meant.
    pub basis: AffineBasis,
    /// c, the last of them 1.
    pub row: Vec<Affine>,
    /// D.
    pub modulus: Polynomial,
}

impl LinearMapping {
    /// Number of cells at given sizes; `None` where they are not among those meant, or it does not fit.
    pub fn cells(&self, sizes: &[(&str, i64)]) -> Option<u64> {
        let (_, size) = sizes.iter().find(|(name, _)| *name == self.basis.parameter)?;
        self.modulus.at(self.basis.number(*size)?.into()).and_then(|cells| cells.try_into().ok())
    }

    /// Whether the vectors are a basis of the row's kernel, for all m.
    pub fn is_consistent(&self) -> bool {
        let dimensions = self.row.len();
        let is_square =
            self.basis.vectors.len() == dimensions && self.basis.vectors.iter().all(|v| v.len() == dimensions);
        let is_primitive = self.row.last() == Some(&Affine { constant: 1, slope: 0 });
        let is_kernel =
            |vector: &Vec<Affine>| dot(&self.row, vector).is_some_and(|p| p.quotient(&self.modulus).is_some());
        is_square
            && is_primitive
            && self.basis.determinant().is_some_and(|determinant| determinant.is_plus_or_minus(&self.modulus))
            && self.basis.vectors.iter().all(is_kernel)
    }
}

/// Rows that may be strictly admissible for every size n = step · m + residue, and need fewer cells than `below(n)`; those with the
/// fewest first. Other parameters of the set are taken at the given `sizes`.
///
/// # Errors
/// When the set is unbounded at some size, or the work bound is reached.
pub fn linear_mappings(
    ds: &Set,
    (parameter, step, residue): (&str, i64, i64),
    sizes: &[(&str, i64)],
    below: &dyn Fn(i64) -> Option<u64>,
) -> Result<Vec<LinearMapping>> {
    let dimensions = ds.dimensions()?;
    if !(2..=3).contains(&dimensions) {
        return Ok(Vec::new());
    }
    let others: Vec<(&str, i64)> = sizes.iter().filter(|(name, _)| *name != parameter).copied().collect();
    let instance = |m: i64| ds.at(&others)?.at(&[(parameter, step * m + residue)])?.without_parameters();
    let Some(start) = first(instance)? else { return Ok(Vec::new()) };
    let mut samples = Vec::new();
    for m in SIZES.into_iter().chain(CHECKS).map(|m| start + m) {
        let differences = Differences::of(&instance(m)?)?;
        if differences.len() > MOST_DIFFERENCES || differences.is_empty() {
            return Ok(Vec::new());
        }
        samples.push(Sample { m, differences, below: below(step * m + residue) });
    }
    let mut found = Vec::new();
    for row in rows(dimensions) {
        found.extend(moduli(&row, &samples).into_iter().map(|modulus| (modulus, row.clone())));
    }
    let far = samples[samples.len() - 1].m + MOST_START;
    found.sort_by_key(|(modulus, row)| (modulus.at(far.into()), weight(row)));
    found.truncate(MOST_TRIED);
    let with_basis = found.into_iter().filter_map(|(modulus, row)| {
        let vectors = kernel_basis(&row, &modulus)?;
        Some(LinearMapping {
            basis: AffineBasis { parameter: parameter.to_string(), step, residue, vectors },
            row,
            modulus,
        })
    });
    Ok(with_basis.take(MOST_PROPOSED).collect())
}

/// The differences at one size.
struct Sample {
    m: i64,
    differences: Differences,
    /// More cells than this are of no use.
    below: Option<u64>,
}

/// The first m for which there are differences.
fn first(instance: impl Fn(i64) -> Result<Set>) -> Result<Option<i64>> {
    for m in 0..=MOST_START {
        if !instance(m)?.is_empty()? {
            return Ok(Some(m));
        }
    }
    Ok(None)
}

fn weight(row: &[Affine]) -> i64 {
    row.iter().map(|c| c.slope.abs() + c.constant.abs()).sum()
}

/// Rows whose last coefficient is 1; one coefficient at least grows.
fn rows(dimensions: usize) -> Vec<Vec<Affine>> {
    let one = Affine { constant: 1, slope: 0 };
    let (slopes, constants) = if dimensions == 2 { (SLOPES, CONSTANTS) } else { (SLOPES_IN_SPACE, CONSTANTS_IN_SPACE) };
    let lines: Vec<Affine> = lines(slopes, constants).collect();
    let mut all = vec![Vec::new()];
    for _ in 1..dimensions {
        let longer =
            |row: &Vec<Affine>| lines.iter().map(|line| [row.as_slice(), &[*line]].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    all.retain(|row: &Vec<Affine>| row.iter().any(|c| c.slope != 0));
    all.iter_mut().for_each(|row| row.push(one));
    all
}

fn lines(
    slopes: std::ops::RangeInclusive<i64>,
    constants: std::ops::RangeInclusive<i64>,
) -> impl Iterator<Item = Affine> {
    slopes.flat_map(move |slope| constants.clone().map(move |constant| Affine { constant, slope }))
}

/// Quadratic polynomials through admissible moduli of a row at all samples.
fn moduli(row: &[Affine], samples: &[Sample]) -> Vec<Polynomial> {
    let (fitted, checks) = samples.split_at(SIZES.len());
    let mut options = Vec::new();
    for sample in fitted {
        let smallest = sample.smallest(row);
        if smallest.is_empty() {
            return Vec::new();
        }
        options.push(smallest);
    }
    let [first, second, third] = options.as_slice() else { return Vec::new() };
    let mut found = Vec::new();
    for a in first {
        for b in second {
            for c in third {
                let Some(polynomial) = through(fitted[0].m, [*a, *b, *c]) else { continue };
                if checks.iter().all(|sample| sample.admits(row, &polynomial)) {
                    found.push(polynomial);
                }
            }
        }
    }
    found
}

/// `c₀ + c₁ m + c₂ m²` through values at m, m + 1 and m + 2, with c₂ > 0.
fn through(m: i64, [a, b, c]: [i64; 3]) -> Option<Polynomial> {
    let bend = c - 2 * b + a;
    let slope = b - a;
    if bend <= 0 || bend % 2 != 0 {
        return None;
    }
    let square = bend / 2;
    let linear = slope - square * (2 * m + 1);
    let constant = a - linear * m - square * m * m;
    Some(Polynomial::new(vec![constant.into(), linear.into(), square.into()]))
}

impl Sample {
    /// The values of a row on half of the differences; `None` if one is 0.
    fn values(&self, row: &[Affine]) -> Option<BTreeSet<i64>> {
        let coefficients: Vec<i64> = row.iter().map(|c| c.at(self.m)).collect();
        let value = |d: &[i64]| coefficients.iter().zip(d).map(|(c, x)| c * x).sum::<i64>();
        self.differences.half().map(|d| Some(value(d).abs()).filter(|value| *value != 0)).collect()
    }

    /// Its smallest moduli that divide no value.
    fn smallest(&self, row: &[Affine]) -> Vec<i64> {
        let Some(values) = self.values(row) else { return Vec::new() };
        let largest = values.last().copied().unwrap_or(0);
        let below = self.below.and_then(|below| i64::try_from(below).ok()).unwrap_or(i64::MAX);
        (1..=largest + 1).take_while(|b| *b < below).filter(|b| !divides_one(*b, &values)).take(MOST_MODULI).collect()
    }

    fn admits(&self, row: &[Affine], modulus: &Polynomial) -> bool {
        let modulus = modulus.at(self.m.into()).and_then(|b| i64::try_from(b).ok()).filter(|b| *b >= 1);
        modulus.zip(self.values(row)).is_some_and(|(b, values)| !divides_one(b, &values))
    }
}

fn divides_one(b: i64, values: &BTreeSet<i64>) -> bool {
    let largest = values.last().copied().unwrap_or(0);
    (1..=largest / b).any(|q| values.contains(&(q * b)))
}

fn dot(row: &[Affine], vector: &[Affine]) -> Option<Polynomial> {
    let product = |(c, x): (&Affine, &Affine)| Polynomial::from(*c).times(&Polynomial::from(*x));
    row.iter().zip(vector).try_fold(Polynomial::default(), |sum, pair| sum.plus(&product(pair)?))
}

/// The basis of the kernel with the smallest entries.
fn kernel_basis(row: &[Affine], modulus: &Polynomial) -> Option<Vec<Vec<Affine>>> {
    let vectors = kernel_vectors(row, modulus);
    let mut best: Option<(i64, Vec<Vec<Affine>>)> = None;
    for chosen in choices(vectors.len(), row.len()) {
        let vectors: Vec<Vec<Affine>> = chosen.iter().map(|k| vectors[*k].clone()).collect();
        let basis = AffineBasis { parameter: String::new(), step: 1, residue: 0, vectors };
        let weight = basis.weight();
        let is_basis = basis.determinant().is_some_and(|determinant| determinant.is_plus_or_minus(modulus));
        if is_basis && best.as_ref().is_none_or(|(least, _)| weight < *least) {
            best = Some((weight, basis.vectors));
        }
    }
    best.map(|(_, vectors)| vectors)
}

/// At most so many vectors are combined to bases, those with the smallest entries.
const MOST_VECTORS: usize = 24;

/// Vectors of the kernel, one of each pair.
fn kernel_vectors(row: &[Affine], modulus: &Polynomial) -> Vec<Vec<Affine>> {
    let entries: Vec<Affine> = lines(BASIS_SLOPES, BASIS_CONSTANTS).collect();
    let mut partial = vec![Vec::new()];
    for _ in 0..row.len() {
        let longer = |v: &Vec<Affine>| entries.iter().map(|e| [v.as_slice(), &[*e]].concat()).collect::<Vec<_>>();
        partial = partial.iter().flat_map(longer).collect();
    }
    let is_first_of_pair = |vector: &Vec<Affine>| {
        let leading = vector.iter().find_map(|e| [e.slope, e.constant].into_iter().find(|c| *c != 0));
        leading.is_some_and(|c| c > 0)
    };
    partial.retain(|vector: &Vec<Affine>| {
        is_first_of_pair(vector) && dot(row, vector).is_some_and(|p| p.quotient(modulus).is_some())
    });
    partial.sort_by_key(|vector| weight(vector));
    partial.truncate(MOST_VECTORS);
    partial
}

/// All ways to choose some of a number of things.
fn choices(from: usize, count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |chosen: &Vec<usize>| {
            let next = chosen.last().map_or(0, |last| last + 1);
            (next..from).map(|k| [chosen.as_slice(), &[k]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::Context;

    fn found(text: &str, sizes: (&str, i64, i64)) -> Vec<LinearMapping> {
        let ds = Set::read(&Context::new(), text).unwrap();
        linear_mappings(&ds, sizes, &[("T", 9)], &|_| None).unwrap()
    }

    fn line(constant: i64, slope: i64) -> Affine {
        Affine { constant, slope }
    }

    /// Bee, Figure 3 (mean): triangles of side 2m + 1.
    #[test]
    fn triangles_of_odd_side() {
        let mean = "[n] -> { [i, j] : -n < i < n and -n < j < n and -n < i - j < n }";
        let best = &found(mean, ("n", 2, 1))[0];
        assert_eq!(best.modulus, Polynomial::new(vec![1, 3, 3]));
        assert!(best.is_consistent());
        assert_eq!(best.cells(&[("n", 101)]), Some(7651));
        assert_eq!(best.cells(&[("n", 100)]), None);
    }

    /// A stencil that reads all eight neighbours: a value may take the place of the last one that its turn was the last to read.
    #[test]
    fn nine_points() {
        let ds = "[T, N] -> { [v, i, j] : -1 <= v <= 1 and -N < i < N and -N < j < N and
            (v = 0 or (v = 1 and (i < -1 or (i = -1 and j < -1))) or (v = -1 and (i > 1 or (i = 1 and j > 1)))) }";
        let best = &found(ds, ("N", 1, 0))[0];
        assert_eq!(best.modulus.coefficient(2), 1);
        assert!(best.is_consistent());
    }

    #[test]
    fn another_basis_is_noticed() {
        let mean = "[n] -> { [i, j] : -n < i < n and -n < j < n and -n < i - j < n }";
        let mut mapping = found(mean, ("n", 2, 1)).remove(0);
        mapping.basis.vectors[0][0] = line(7, 1);
        assert!(!mapping.is_consistent());
    }
}

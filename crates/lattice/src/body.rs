//! The convex body around a set of differences.
//!
//! A 0-symmetric polytope, possibly flat,
//!
//! ```text
//! K = { x ∈ Qⁿ : |a x| <= c for all facets,  e x = 0 for all equations },   c > 0
//! ```
//!
//! with its gauge `F(x) = min { λ >= 0 : x ∈ λK }`, the same after projection along vectors, and the same for the
//! polar body:
//!
//! ```text
//! Fᵢ(x)  = min { F(y) : y ∈ x + Vect(a₁ … aᵢ₋₁) }
//! Fᵢ*(c) = max { c x : x ∈ K, c₁ x = … = cᵢ₋₁ x = 0 }
//! ```
//!
//! For dual bases, `cᵢ aⱼ = [i = j]`, and the orders reversed, each is the inverse of the other.
//!
//! Over-approximated: the convex hull contains more points than the differences, which is safe and costs memory;
//! [`Body::is_exactly`] tells whether it does.
//!
//! Paper: Bee §4 and §4.2.
//!
//! Invariants: K is bounded, for its normals and equations have rank n; bounds of facets are positive.
//!
//! ```
//! use polyfold_isl::{Context, Set};
//! use polyfold_lattice::{Body, Rational};
//! // Bee §4.1.1: Durbin's y at N = 100
//! let ctx = Context::new();
//! let set = Set::read(&ctx, "{ [i, k] : -100 < i + 2k < 100 and -100 < i - k < 100 and -1 <= k <= 1 }")?;
//! let body = Body::of(&set)?;
//! assert_eq!(body.gauge(&[1, 0]), Some(Rational::new(1.into(), 99.into())));
//! assert_eq!(body.gauge_along(&[0, 1], &[vec![1, 0]]), Some(Rational::from_integer(1.into())));
//! # Ok::<(), polyfold_isl::Error>(())
//! ```

use crate::integers::{limit, narrow_all, refusal, widen};
use crate::{LinearProgram, Matrix, Outcome, Rational, hermite_form};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use polyfold_isl::{Result, Set};

/// Sets of more dimensions are refused.
pub const MOST_DIMENSIONS: usize = 8;

/// A bounded 0-symmetric polytope (K in Bee).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    dimensions: usize,
    facets: Vec<Facet>,
    equations: Vec<Vec<BigInt>>,
}

/// `|normal · x| <= bound`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Facet {
    /// a.
    pub normal: Vec<BigInt>,
    /// c, positive.
    pub bound: BigInt,
}

impl Body {
    /// The convex hull of a set without parameters, as isl computes it from the rational points of its pieces, without
    /// conditions on remainders.
    ///
    /// In four dimensions isl's hull is now and then larger than the hull, and not symmetric; what a symmetric set has on
    /// both sides of 0 is the body then.
    ///
    /// # Errors
    /// When the set is empty, unbounded, not symmetric about 0, of more than [`MOST_DIMENSIONS`] dimensions, or has
    /// parameters; when a number is past 64 bits, or isl's work bound is reached.
    pub fn of(set: &Set) -> Result<Body> {
        let dimensions = set.dimensions()?;
        if dimensions > MOST_DIMENSIONS {
            return Err(limit(format!("the set has {dimensions} dimensions, more than {MOST_DIMENSIONS}")));
        }
        if !set.parameter_names()?.is_empty() {
            return Err(refusal("the set has parameters"));
        }
        if set.is_empty()? {
            return Err(refusal("the set is empty"));
        }
        if !set.is_bounded()? {
            return Err(refusal("the set is unbounded"));
        }
        let hull = set.convex_hull()?.remove_divs()?;
        let is_symmetric = |set: &Set| set.is_equal(&set.neg()?);
        if !is_symmetric(&hull)? && !is_symmetric(set)? {
            return Err(refusal("the set is not symmetric about 0"));
        }
        let pieces = hull.polyhedra()?;
        let rows = |equalities: bool| {
            let all = pieces.iter().flat_map(move |p| if equalities { &p.equalities } else { &p.inequalities });
            all.map(|row| (row[1..].to_vec(), row[0])).collect::<Vec<_>>()
        };
        let equations: Vec<Vec<i64>> = rows(true).into_iter().map(|(normal, _)| normal).collect();
        let facets = [rows(false), box_around(set)?].concat();
        Body::new(dimensions, &facets, &equations)
    }

    /// The points with `|a x| <= c` and `e x = 0`. A facet with c = 0 is an equation.
    ///
    /// # Errors
    /// When a c is negative, a vector does not have one number per dimension, or the points are unbounded.
    pub fn new(dimensions: usize, facets: &[(Vec<i64>, i64)], equations: &[Vec<i64>]) -> Result<Body> {
        if facets.iter().map(|(a, _)| a).chain(equations).any(|row| row.len() != dimensions) {
            return Err(refusal(format!("the body has a normal that is not of {dimensions} dimensions")));
        }
        if facets.iter().any(|(_, bound)| *bound < 0) {
            return Err(refusal("the body does not contain 0"));
        }
        let facet = |(normal, bound): &(Vec<i64>, i64)| Facet { normal: widen(normal), bound: BigInt::from(*bound) };
        let equations = equations.iter().map(|row| widen(row)).collect();
        let body = Body::tidy(dimensions, facets.iter().map(facet).collect(), equations);
        let normals = body.facets.iter().map(|facet| facet.normal.clone());
        let all = Matrix::new(dimensions, normals.chain(body.equations.iter().cloned()).collect());
        if all.rank() < dimensions { Err(refusal("the body is unbounded")) } else { Ok(body) }
    }

    /// One facet of each opposite pair, independent equations.
    fn tidy(dimensions: usize, mut facets: Vec<Facet>, mut equations: Vec<Vec<BigInt>>) -> Body {
        equations.extend(facets.iter().filter(|facet| facet.bound.is_zero()).map(|facet| facet.normal.clone()));
        let hermite = hermite_form(&Matrix::new(dimensions, equations));
        let equations = hermite.form.rows()[..hermite.pivots.len()].to_vec();
        facets.retain(|facet| !facet.bound.is_zero() && !facet.normal.iter().all(Zero::is_zero));
        for facet in &mut facets {
            if facet.normal.iter().find(|a| !a.is_zero()).is_some_and(Signed::is_negative) {
                facet.normal.iter_mut().for_each(|a| *a = -&*a);
            }
        }
        facets.sort_unstable();
        facets.dedup_by(|later, first| later.normal == first.normal);
        Body { dimensions, facets, equations }
    }

    /// Number of coordinates of a point.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// One of each opposite pair.
    pub fn facets(&self) -> &[Facet] {
        &self.facets
    }

    /// Linearly independent rows e with `e x = 0` on the body.
    pub fn equations(&self) -> &[Vec<BigInt>] {
        &self.equations
    }

    /// The gauge F(x), by which the body has to be scaled to reach x; `None` if x is not in the span of the body.
    pub fn gauge(&self, point: &[i64]) -> Option<Rational> {
        if self.equations.iter().any(|e| !dot(e, point).is_zero()) {
            return None;
        }
        let ratio = |facet: &Facet| Rational::new(dot(&facet.normal, point).abs(), facet.bound.clone());
        Some(self.facets.iter().map(ratio).max().unwrap_or_default())
    }

    /// Fᵢ(x), the gauge after projection along the `earlier` vectors; `None` if no point of `x + Vect(earlier)` is in
    /// the span of the body.
    pub fn gauge_along(&self, point: &[i64], earlier: &[Vec<i64>]) -> Option<Rational> {
        self.nearest(point, earlier).map(|(gauge, _)| gauge)
    }

    /// Fᵢ(x) with factors t for which `x + Σ tⱼ aⱼ` attains it.
    pub(crate) fn nearest(&self, point: &[i64], earlier: &[Vec<i64>]) -> Option<(Rational, Vec<Rational>)> {
        let count = earlier.len();
        let mut program = LinearProgram::new(count + 1);
        let terms = |normal: &[BigInt]| earlier.iter().map(|a| dot(normal, a)).collect::<Vec<_>>();
        for facet in &self.facets {
            between(&mut program, &terms(&facet.normal), &dot(&facet.normal, point), &facet.bound);
        }
        for equation in &self.equations {
            let row = terms(equation).into_iter().chain([BigInt::zero()]);
            program.equal(row.map(Rational::from_integer).collect(), Rational::from_integer(-dot(equation, point)));
        }
        // Without facets nothing else keeps λ from below 0.
        program.at_most(last(count, -1), Rational::zero());
        match program.maximise(&last(count, -1)) {
            Outcome::Optimal { value, mut point } => {
                point.truncate(count);
                Some((-value, point))
            }
            _ => None,
        }
    }

    /// Fᵢ*(c), the largest value of `c x` on the points of the body at which the `earlier` rows are 0.
    pub fn polar_gauge(&self, row: &[i64], earlier: &[Vec<i64>]) -> Rational {
        let mut program = LinearProgram::new(self.dimensions);
        let rational = |v: &[BigInt]| v.iter().cloned().map(Rational::from_integer).collect::<Vec<_>>();
        for facet in &self.facets {
            let (normal, bound) = (rational(&facet.normal), Rational::from_integer(facet.bound.clone()));
            program.at_most(normal.iter().map(|a| -a).collect(), bound.clone());
            program.at_most(normal, bound);
        }
        let zeros = self.equations.iter().cloned().chain(earlier.iter().map(|c| widen(c)));
        zeros.for_each(|zero| program.equal(rational(&zero), Rational::zero()));
        match program.maximise(&rational(&widen(row))) {
            Outcome::Optimal { value, .. } => value,
            _ => unreachable!("a bounded body contains 0"),
        }
    }

    /// A basis of the integer points in the span of the body: as many vectors as it has dimensions of its own.
    ///
    /// # Errors
    /// When a number is past 64 bits.
    pub fn integer_span(&self) -> Result<Vec<Vec<i64>>> {
        let columns = Matrix::new(self.dimensions, self.equations.clone()).transpose();
        let kernel = hermite_form(&columns).transform.rows()[self.equations.len()..].to_vec();
        let basis = hermite_form(&Matrix::new(self.dimensions, kernel)).form;
        basis.rows().iter().map(|row| narrow_all(row, "a vector in the span of the differences")).collect()
    }

    /// The coordinates, with respect to independent vectors, of the points of the body that they span.
    pub fn in_basis(&self, basis: &[Vec<i64>]) -> Body {
        let image = |normal: &[BigInt]| basis.iter().map(|v| dot(normal, v)).collect::<Vec<_>>();
        let facet = |facet: &Facet| Facet { normal: image(&facet.normal), bound: facet.bound.clone() };
        let facets = self.facets.iter().map(facet).collect();
        Body::tidy(basis.len(), facets, self.equations.iter().map(|e| image(e)).collect())
    }
}

/// Adds `|terms · t + known| <= bound λ` for variables (t, λ).
pub(crate) fn between(program: &mut LinearProgram, terms: &[BigInt], known: &BigInt, bound: &BigInt) {
    let row = |sign: i8| {
        let terms = terms.iter().map(|t| Rational::from_integer(t * sign));
        terms.chain([Rational::from_integer(-bound)]).collect()
    };
    program.at_most(row(1), Rational::from_integer(-known));
    program.at_most(row(-1), Rational::from_integer(known.clone()));
}

/// `value` after `count` zeros.
pub(crate) fn last(count: usize, value: i64) -> Vec<Rational> {
    let mut row = vec![Rational::zero(); count];
    row.push(Rational::from_integer(value.into()));
    row
}

/// The product of a row and a point.
pub(crate) fn dot(row: &[BigInt], point: &[i64]) -> BigInt {
    row.iter().zip(point).map(|(a, x)| a * x).sum()
}

/// How far the integer points of a symmetric set go along each axis: isl leaves out a constraint that only rational points need.
///
/// Example: `k <= 1` beside `3k <= i + 2` and `i <= 3`, which allow no integer above `5/3`.
fn box_around(set: &Set) -> Result<Vec<(Vec<i64>, i64)>> {
    let dimensions = set.dimensions()?;
    let mut facets = Vec::new();
    for k in 0..dimensions {
        if let Some(most) = set.dim_max(k)?.as_constant()? {
            facets.push(((0..dimensions).map(|other| i64::from(other == k)).collect(), most));
        }
    }
    Ok(facets)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use polyfold_isl::Context;

    pub(crate) fn body(text: &str) -> Result<Body> {
        let ctx = Context::new();
        Body::of(&Set::read(&ctx, text)?)
    }

    fn number(numerator: i64, denominator: i64) -> Rational {
        Rational::new(numerator.into(), denominator.into())
    }

    pub(crate) const DURBIN: &str = "{ [i, k] : -100 < i + 2k < 100 and -100 < i - k < 100 and -1 <= k <= 1 }";

    /// Bee §4.2, the running example at N = 100, in both orders of the axes.
    #[test]
    fn gauges_of_durbin_y() {
        let body = body(DURBIN).unwrap();
        let (i, k) = (vec![1, 0], vec![0, 1]);
        assert_eq!(body.gauge_along(&i, &[]), Some(number(1, 99)));
        assert_eq!(body.gauge_along(&k, std::slice::from_ref(&i)), Some(number(1, 1)));
        assert_eq!(body.gauge_along(&k, &[]), Some(number(1, 1)));
        assert_eq!(body.gauge_along(&i, std::slice::from_ref(&k)), Some(number(1, 99)));
        assert_eq!(body.polar_gauge(&i, &[]), number(99, 1));
        assert_eq!(body.polar_gauge(&k, &[i]), number(1, 1));
    }

    #[test]
    fn gauges_of_dual_bases_are_inverse_to_each_other() {
        let body = body("{ [i, j, k] : -7 <= i + 2j <= 7 and -9 <= j - k <= 9 and -5 <= 3k + i <= 5 }").unwrap();
        let columns = Matrix::of(3, &[vec![1, 2, 0], vec![0, 1, 3], vec![0, 1, 4]]);
        let rows = columns.transpose().unimodular_inverse().unwrap().narrow_rows().unwrap();
        let columns = columns.narrow_rows().unwrap();
        for i in 0..3 {
            let later: Vec<_> = rows[i + 1..].to_vec();
            let gauge = body.gauge_along(&columns[i], &columns[..i]).unwrap();
            assert_eq!(gauge * body.polar_gauge(&rows[i], &later), number(1, 1));
        }
    }

    #[test]
    fn flat_bodies() {
        let flat = body("{ [i, j, k] : j = 2i and k = 0 and -5 <= i <= 5 }").unwrap();
        assert_eq!(flat.integer_span().unwrap(), [[1, 2, 0]]);
        assert_eq!(flat.gauge(&[2, 4, 0]), Some(number(2, 5)));
        assert_eq!(flat.gauge(&[2, 4, 1]), None);
        assert_eq!(flat.gauge_along(&[2, 4, 1], &[vec![0, 0, 1]]), Some(number(2, 5)));
        let origin = body("{ [0, 0] }").unwrap();
        assert_eq!(origin.integer_span().unwrap(), Vec::<Vec<i64>>::new());
        assert_eq!((origin.gauge(&[0, 0]), origin.gauge(&[0, 1])), (Some(Rational::zero()), None));
    }

    #[test]
    fn a_symmetric_set_has_a_body_where_isl_finds_no_symmetric_hull() {
        let points = [[-1, 0, 1, 1], [-2, 0, 1, 1], [-2, -1, 0, 0], [-2, 1, 2, 2], [-1, 2, -1, 2]];
        let text = |p: &[i64; 4], sign: i64| format!("{:?}", p.map(|c| sign * c));
        let all: Vec<String> = points.iter().flat_map(|p| [text(p, 1), text(p, -1)]).collect();
        let body = body(&format!("{{ {}; [0, 0, 0, 0] }}", all.join("; "))).unwrap();
        assert!(points.iter().all(|point| body.gauge(point).unwrap() <= number(1, 1)), "{body:?}");
    }

    #[test]
    fn what_is_no_body_is_refused() {
        for (text, why) in [
            ("{ [i] : i >= 0 }", "the set is unbounded"),
            ("{ [i] : 0 <= i <= 5 }", "the set is not symmetric about 0"),
            ("{ [i] : i >= 1 and i <= 0 }", "the set is empty"),
            ("[n] -> { [i] : -n <= i <= n }", "the set has parameters"),
            ("{ [a, b, c, d, e, f, g, h, i] }", "the set has 9 dimensions, more than 8"),
        ] {
            assert_eq!(body(text).unwrap_err().message, why);
        }
        let strip = Body::new(2, &[(vec![1, 0], 3)], &[]);
        assert_eq!(strip.unwrap_err().message, "the body is unbounded");
        assert_eq!(Body::new(1, &[(vec![1], -3)], &[]).unwrap_err().message, "the body does not contain 0");
    }
}

//! Validity of a line, for all parameters of the context.
//!
//! ```text
//! k D < c·y < (k + 1) D      for every piece of the conflicts and some k,   y = M_S s + δ_S − M_T t − δ_T
//! ```
//!
//! Then `c·y` is no multiple of D. Strides and modulus are polynomials and y is affine, so that either side asks whether a polynomial
//! is positive on a polyhedron ([`positivity`](crate::positivity)). Where a piece is in no such window, it is split by the sign of y in
//! one level after the other, the levels with the largest strides first.
//!
//! Example: values of a nine-point stencil that conflict with one of the turn before have `y = (i − i' − 1, j − j' − 1)`; where
//! `i <= i'` that is −N − (N − 1) − 1 = −N² − N or more in `N y₀ + y₁`, and where `i = i' + 1` it is negative only if `j <= j'`.
//!
//! Over-approximation: a piece is proved for the convex set that its generators span, without integer divisions.

use crate::conflicts::{Corner, Generator, Polyhedron};
use crate::positivity::Homogeneous;
use crate::{ConflictSet, Line, Member, Polynomial};
use polyfold_isl::{Result, Set};

/// k is sought among these, the likeliest first.
const WINDOWS: [i128; 6] = [0, -1, 1, -2, 2, -3];

/// Whether the modulus is at least 1 in all of the context.
pub(crate) fn is_positive_everywhere(conflicts: &ConflictSet, modulus: &Polynomial) -> bool {
    let generators: Vec<Vec<i128>> = conflicts.corners().iter().map(wide).collect();
    let terms = terms(modulus, 1, None).chain([(-1, Vec::new())]);
    Homogeneous::new(modulus.degree().max(1), terms).is_not_negative(&generators)
}

/// Whether conflicting values of a line are shown to have different cells.
///
/// # Errors
/// When the work bound is reached.
pub(crate) fn keeps_apart(conflicts: &ConflictSet, line: &Line) -> Result<bool> {
    let class: Vec<usize> = line.members.iter().map(|member| member.statement).collect();
    for polyhedron in conflicts.between(&class) {
        let member = |statement| line.members.iter().find(|member| member.statement == statement);
        let (Some(from), Some(to)) = (member(polyhedron.from), member(polyhedron.to)) else { return Ok(false) };
        if !(Proof { conflicts, line, members: [from, to] }).holds(polyhedron, 0)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The two statements of some conflicts in a line.
struct Proof<'a> {
    conflicts: &'a ConflictSet,
    line: &'a Line,
    members: [&'a Member; 2],
}

impl Proof<'_> {
    /// Of a piece that is split by the signs of the levels before one.
    fn holds(&self, piece: &Polyhedron, level: usize) -> Result<bool> {
        if self.is_in_a_window(piece) {
            return Ok(true);
        }
        if level == self.line.strides.len() {
            return Ok(false);
        }
        for sign in [">= 1", "= 0", "<= -1"] {
            let part = piece.pairs.intersect(&self.where_level(piece, level, sign)?)?;
            for part in self.conflicts.polyhedra(piece.from, piece.to, &part)? {
                if !self.holds(&part, level + 1)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn is_in_a_window(&self, piece: &Polyhedron) -> bool {
        let generators = self.generators(piece);
        let is_above = |k: i128, sign: i128| self.past(k, sign).is_not_negative(&generators);
        WINDOWS.into_iter().any(|k| is_above(k, 1) && is_above(k + 1, -1))
    }

    /// `sign (c·y − k D) − 1`, in the coordinates height, parameters, y.
    fn past(&self, k: i128, sign: i128) -> Homogeneous {
        let Line { strides, modulus, .. } = self.line;
        let first = 1 + self.conflicts.parameters().len();
        let degree = strides.iter().map(|stride| stride.degree() + 1).chain([modulus.degree()]).max().unwrap_or(1);
        let place = strides.iter().enumerate().flat_map(|(level, c)| terms(c, sign, Some(first + level)));
        Homogeneous::new(degree, place.chain(terms(modulus, -sign * k, None)).chain([(-1, Vec::new())]))
    }

    /// A piece's generators as (height, parameters, y), each once.
    fn generators(&self, piece: &Polyhedron) -> Vec<Vec<i128>> {
        let place = |member: &Member, level: usize, iterators: &[i64], height: i64| {
            let row = &member.rows[level];
            let products = row.coefficients.iter().zip(iterators).map(|(a, x)| i128::from(*a) * i128::from(*x));
            products.sum::<i128>() + i128::from(row.offset) * i128::from(height)
        };
        let [from, to] = self.members;
        let entries = |g: &Generator| {
            let height = g.corner.height;
            let y = |level| place(from, level, &g.from, height) - place(to, level, &g.to, height);
            wide(&g.corner).into_iter().chain((0..self.line.strides.len()).map(y)).collect()
        };
        let mut all: Vec<Vec<i128>> = piece.generators.iter().map(entries).collect();
        all.sort();
        all.dedup();
        all
    }

    /// The pairs whose y in one level is as a condition says.
    fn where_level(&self, piece: &Polyhedron, level: usize, condition: &str) -> Result<Set> {
        let [from, to] = [0, 1].map(|k| &self.members[k].rows[level]);
        let names: Vec<String> = (0..piece.pairs.dimensions()?).map(|k| format!("coordinate_{k}")).collect();
        let y = from.less(to).text(&names);
        Set::read(self.conflicts.context().context(), &format!("{{ [{}] : {y} {condition} }}", names.join(", ")))
    }
}

/// A polynomial's terms times a number and, if there is one, a coordinate; the parameters are the coordinates from 1 on.
fn terms(polynomial: &Polynomial, factor: i128, coordinate: Option<usize>) -> impl Iterator<Item = (i128, Vec<usize>)> {
    polynomial.terms().map(move |(exponents, coefficient)| {
        let powers = exponents.iter().enumerate().flat_map(|(k, e)| std::iter::repeat_n(1 + k, *e));
        (factor * i128::from(coefficient), powers.chain(coordinate).collect())
    })
}

/// Height and parameters.
fn wide(corner: &Corner) -> Vec<i128> {
    [corner.height].iter().chain(&corner.parameters).map(|entry| i128::from(*entry)).collect()
}

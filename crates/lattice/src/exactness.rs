//! Whether a convex body has no other integer points than the given differences.
//!
//! ```text
//! K ∩ Zⁿ = DS
//! ```
//!
//! Then nothing is lost by convexity, and bounds for the body hold for the differences. Points are counted one coordinate
//! after the other: a linear program gives the range of each for fixed outer ones, and of the last one the facets alone.
//! Example: of the hull of { −4, 0, 4 } they are not all.

use crate::body::dot;
use crate::{Body, Differences, LinearProgram, Outcome, Rational, integers};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

impl Body {
    /// Whether the integer points of the body are the given differences and 0: whether nothing is lost by convexity. No
    /// for a body with numbers past 64 bits.
    pub fn is_exactly(&self, differences: &Differences) -> bool {
        let Some(rows) = self.narrow_rows() else { return false };
        let is_inside = |d: &[i64]| rows.iter().all(|(row, bound)| integers::dot(row, d).abs() <= i128::from(*bound));
        differences.dimensions() == self.dimensions()
            && differences.half().all(is_inside)
            && self.has_points(&rows, &mut Vec::new(), differences.len() + 1) == Some(differences.len() + 1)
    }

    /// Facets, and equations as facets of bound 0.
    fn narrow_rows(&self) -> Option<Vec<(Vec<i64>, i64)>> {
        let narrow = |row: &[BigInt]| row.iter().map(ToPrimitive::to_i64).collect::<Option<Vec<i64>>>();
        let facets = self.facets().iter().map(|facet| Some((narrow(&facet.normal)?, facet.bound.to_i64()?)));
        facets.chain(self.equations().iter().map(|e| Some((narrow(e)?, 0)))).collect()
    }

    /// The number of integer points that begin with `prefix`; `None` if there are more than `most`.
    fn has_points(&self, rows: &[(Vec<i64>, i64)], prefix: &mut Vec<i64>, most: usize) -> Option<usize> {
        if prefix.len() + 1 == self.dimensions() {
            let Some((low, high)) = last_range(rows, prefix) else { return Some(0) };
            return usize::try_from(high - low + 1).ok().filter(|count| *count <= most);
        }
        let Some((low, high)) = self.range(prefix) else { return Some(0) };
        let mut count = 0;
        for value in low..=high {
            prefix.push(value);
            let more = self.has_points(rows, prefix, most - count);
            prefix.pop();
            count += more?;
        }
        Some(count)
    }

    /// The integer values of the next coordinate for given outer ones; `None` if there are none.
    fn range(&self, prefix: &[i64]) -> Option<(i64, i64)> {
        let outer = prefix.len();
        let mut program = LinearProgram::new(self.dimensions() - outer);
        let inner = |row: &[BigInt]| row[outer..].iter().cloned().map(Rational::from_integer).collect::<Vec<_>>();
        for facet in self.facets() {
            let known = dot(&facet.normal[..outer], prefix);
            let row = inner(&facet.normal);
            program.at_most(row.iter().map(|a| -a).collect(), Rational::from_integer(&facet.bound + &known));
            program.at_most(row, Rational::from_integer(&facet.bound - &known));
        }
        for equation in self.equations() {
            program.equal(inner(equation), Rational::from_integer(-dot(&equation[..outer], prefix)));
        }
        let mut direction = vec![Rational::zero(); self.dimensions() - outer];
        direction[0] = Rational::one();
        let Outcome::Optimal { value: high, .. } = program.maximise(&direction) else { return None };
        direction[0] = -Rational::one();
        let Outcome::Optimal { value: low, .. } = program.maximise(&direction) else { return None };
        Some(((-low).ceil().to_integer().to_i64()?, high.floor().to_integer().to_i64()?))
    }
}

/// The integer values of the last coordinate for given outer ones; `None` if there are none. The body is bounded.
fn last_range(rows: &[(Vec<i64>, i64)], prefix: &[i64]) -> Option<(i128, i128)> {
    let (mut low, mut high) = (i128::from(i64::MIN), i128::from(i64::MAX));
    for (row, bound) in rows {
        let (known, bound) = (integers::dot(&row[..prefix.len()], prefix), i128::from(*bound));
        match i128::from(row[prefix.len()]) {
            0 if known.abs() > bound => return None,
            0 => {}
            last => {
                // |known + last x| <= bound
                let (known, last) = if last < 0 { (-known, -last) } else { (known, last) };
                low = low.max(-(bound + known).div_euclid(last));
                high = high.min((bound - known).div_euclid(last));
            }
        }
    }
    (low <= high).then_some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::tests::{DURBIN, body};
    use polyfold_isl::{Context, Set};

    #[test]
    fn a_hull_may_have_more_points() {
        let ctx = Context::new();
        for (text, exact) in [
            (DURBIN, true),
            ("{ [i] : i = -4 or i = 4 or i = 0 }", false),
            ("{ [i, j] : exists e : i = 2e and -4 <= i <= 4 and -1 <= j <= 1 }", false),
            ("{ [i, j, k] : -2 <= i <= 2 and i = j and -1 <= k - i <= 1 }", true),
        ] {
            let set = Set::read(&ctx, text).unwrap();
            let body = Body::of(&set).unwrap();
            assert_eq!(body.is_exactly(&Differences::of(&set).unwrap()), exact, "{text}");
        }
    }

    #[test]
    fn the_origin_alone_is_a_body() {
        assert!(body("{ [0, 0] }").unwrap().is_exactly(&Differences::new(2, Vec::new())));
    }
}

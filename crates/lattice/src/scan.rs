//! Listing the points of a set at any sizes.
//!
//! Points are listed by scanning: coordinate after coordinate between the bounds that the projections of each piece give,
//! and checked against the piece itself. The projections are made once, with the parameters in them, so that a set may be
//! listed at many sizes.
//!
//! Example: `[n] -> { [i, j] : 0 <= i < n and i <= j < n }` is scanned by `0 <= i < n`, then `max(i, 0) <= j < n`: at
//! n = 2 its points are (0, 0), (0, 1), (1, 1).

use crate::integers::{limit, refusal};
use polyfold_isl::{ErrorKind, Polyhedron, Result, Set};

/// Sets with more points are refused.
pub const MOST_POINTS: usize = 2_000_000;

/// Lists the points of a set: by depth, the pieces of the projection onto the outer coordinates.
pub struct Scanner {
    projections: Vec<Vec<Polyhedron>>,
}

impl Scanner {
    /// `None`: the set cannot be written without integer divisions, or projections have coefficients past 64 bits.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn of(set: &Set) -> Result<Option<Scanner>> {
        let has_divisions = set.polyhedra().map_or(true, |pieces| pieces.iter().any(|piece| piece.locals > 0));
        if has_divisions && !set.remove_divs()?.is_equal(set)? {
            return Ok(None);
        }
        let dimensions = set.dimensions()?;
        let project = |depth| {
            let outer = set.project_out(depth, dimensions - depth)?.remove_divs()?;
            // isl's coalescing may add points, even to the set that it is given: not to those that are listed.
            if depth < dimensions { outer.coalesce()?.polyhedra() } else { outer.polyhedra() }
        };
        match (1..=dimensions).map(project).collect::<Result<_>>() {
            Ok(projections) => Ok(Some(Scanner { projections })),
            Err(error) if error.kind == ErrorKind::Limit => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The coordinates of the points at given values of all parameters, point after point, some perhaps more than once.
    ///
    /// # Errors
    /// When the set is unbounded there, or has more than [`MOST_POINTS`] points.
    pub fn points(&self, sizes: &[i64]) -> Result<Vec<i64>> {
        let mut found = Vec::new();
        self.extend(sizes, &mut Vec::new(), &mut found)?;
        Ok(found)
    }

    fn extend(&self, sizes: &[i64], prefix: &mut Vec<i64>, found: &mut Vec<i64>) -> Result<()> {
        let depth = prefix.len();
        let Some(pieces) = self.projections.get(depth) else {
            found.extend_from_slice(prefix);
            return if found.len() > MOST_POINTS * depth { Err(limit("the set has too many points")) } else { Ok(()) };
        };
        let mut ranges: Vec<(i64, i64)> = pieces.iter().filter_map(|piece| range(piece, prefix, sizes)).collect();
        if ranges.iter().any(|(low, high)| *low == i64::MIN || *high == i64::MAX) {
            return Err(refusal("the set is unbounded"));
        }
        ranges.sort_unstable();
        let mut next = i64::MIN;
        for (low, high) in ranges {
            for value in low.max(next)..=high {
                prefix.push(value);
                self.extend(sizes, prefix, found)?;
                prefix.pop();
            }
            next = next.max(high + 1);
        }
        Ok(())
    }
}

/// The values of the last coordinate of a polyhedron without existential variables, for given outer ones and sizes.
fn range(polyhedron: &Polyhedron, prefix: &[i64], sizes: &[i64]) -> Option<(i64, i64)> {
    let (mut low, mut high) = (i128::from(i64::MIN), i128::from(i64::MAX));
    let last = prefix.len() + 1;
    let value = |row: &[i64]| {
        let known = row[1..last].iter().zip(prefix).chain(row[last + 1..].iter().zip(sizes));
        i128::from(row[0]) + known.map(|(a, x)| i128::from(*a) * i128::from(*x)).sum::<i128>()
    };
    let mut at_least_zero = |rest: i128, last: i128| match last {
        0 => rest >= 0,
        _ if last > 0 => {
            low = low.max(ceil(-rest, last));
            true
        }
        _ => {
            high = high.min(rest.div_euclid(-last));
            true
        }
    };
    for row in &polyhedron.equalities {
        let (rest, last) = (value(row), i128::from(row[last]));
        if !at_least_zero(rest, last) || !at_least_zero(-rest, -last) {
            return None;
        }
    }
    for row in &polyhedron.inequalities {
        if !at_least_zero(value(row), i128::from(row[last])) {
            return None;
        }
    }
    (low <= high).then_some((low as i64, high as i64))
}

/// The quotient rounded up; the divisor is positive.
fn ceil(dividend: i128, divisor: i128) -> i128 {
    -(-dividend).div_euclid(divisor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::Context;

    #[test]
    fn one_scanner_lists_a_set_at_every_size() {
        let ctx = Context::new();
        let text = "[n, m] -> { [i, j] : 0 <= i < n and i <= j < m; [i, m] : m = n and i = 5 }";
        let set = Set::read(&ctx, text).expect("a set");
        let scanner = Scanner::of(&set).expect("it is small").expect("it has no divisions");
        for sizes in [[2, 2], [3, 1], [0, 9], [4, 7]] {
            let there = set.at(&[("n", sizes[0]), ("m", sizes[1])]).and_then(|set| set.without_parameters());
            let mut expected = there.and_then(|set| set.points()).expect("it is bounded");
            expected.sort();
            let points = scanner.points(&sizes).expect("it is bounded");
            let mut listed: Vec<Vec<i64>> = points.chunks(2).map(<[i64]>::to_vec).collect();
            listed.sort();
            listed.dedup();
            assert_eq!(listed, expected, "{sizes:?}");
        }
    }

    #[test]
    fn a_set_with_a_number_past_64_bits_is_not_scanned() {
        let ctx = Context::new();
        let set = Set::read(&ctx, "[n] -> { [i] : 0 <= i < n and n < 18446744073709551615 }").expect("a set");
        assert!(Scanner::of(&set).expect("nothing is asked of it").is_none());
    }

    #[test]
    fn a_set_that_is_unbounded_at_some_sizes_only() {
        let ctx = Context::new();
        let set = Set::read(&ctx, "[n] -> { [i] : 0 <= i < n; [i] : i >= 0 and n >= 10 }").expect("a set");
        let scanner = Scanner::of(&set).expect("it is small").expect("it has no divisions");
        assert_eq!(scanner.points(&[9]).expect("it is bounded").len(), 9);
        assert_eq!(scanner.points(&[10]).expect_err("it has no end").message, "the set is unbounded");
    }
}

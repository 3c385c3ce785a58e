//! A finite set of differences, point by point.
//!
//! What a lattice has to avoid, for one choice of all parameters. Symmetric about 0; 0 itself, which every lattice
//! contains, is left out.
//!
//! Points are listed by scanning: coordinate after coordinate between the bounds that the projections of each piece
//! give, and checked against the piece itself.

use crate::integers::{limit, refusal};
use polyfold_isl::{Polyhedron, Result, Set};

/// Larger sets are refused.
pub const MOST_POINTS: usize = 2_000_000;

/// A finite symmetric set of integer points without 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differences {
    dimensions: usize,
    /// Sorted; one point after the other.
    coordinates: Vec<i64>,
}

impl Differences {
    /// The points of a bounded set without parameters, and their negatives.
    ///
    /// # Errors
    /// When the set is unbounded, has parameters, more than [`MOST_POINTS`] points, or coordinates past 32 bits.
    pub fn of(set: &Set) -> Result<Differences> {
        if !set.parameter_names()?.is_empty() {
            return Err(refusal("the set has parameters"));
        }
        if !set.is_bounded()? {
            return Err(refusal("the set is unbounded"));
        }
        let dimensions = set.dimensions()?;
        let points = scan(set, dimensions)?;
        if let Some(far) = points.iter().flatten().find(|c| i32::try_from(**c).is_err()) {
            return Err(limit(format!("the set has a coordinate past 32 bits: {far}")));
        }
        Ok(Differences::new(dimensions, points))
    }

    /// From points and their negatives.
    pub fn new(dimensions: usize, mut points: Vec<Vec<i64>>) -> Differences {
        points.retain_mut(|point| {
            let first = point.iter().find(|c| **c != 0).copied().unwrap_or(0);
            if first < 0 {
                point.iter_mut().for_each(|c| *c = -*c);
            }
            first != 0
        });
        // Quick where they were listed in order.
        points.sort();
        points.dedup();
        let mut coordinates = Vec::with_capacity(2 * points.len() * dimensions);
        coordinates.extend(points.iter().rev().flatten().map(|c| -c));
        coordinates.extend(points.iter().flatten());
        Differences { dimensions, coordinates }
    }

    /// Number of coordinates of a point.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.coordinates.len() / self.dimensions.max(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.coordinates.is_empty()
    }

    /// The points in lexicographic order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[i64]> {
        self.coordinates.chunks_exact(self.dimensions.max(1))
    }

    /// The points whose first nonzero coordinate is positive: one of each pair.
    pub fn half(&self) -> impl ExactSizeIterator<Item = &[i64]> {
        self.iter().skip(self.len() / 2)
    }

    /// Whether a point is among them.
    pub fn contains(&self, point: &[i64]) -> bool {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.coordinates[middle * self.dimensions..][..self.dimensions].cmp(point) {
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        false
    }

    /// The same points with their coordinates in another order.
    pub fn permuted(&self, order: &[usize]) -> Differences {
        let points = self.iter().map(|p| order.iter().map(|k| p[*k]).collect()).collect();
        Differences::new(self.dimensions, points)
    }

    /// The largest value of each coordinate.
    pub fn extents(&self) -> Vec<i64> {
        let mut extents = vec![0; self.dimensions];
        for point in self.half() {
            for (most, c) in extents.iter_mut().zip(point) {
                *most = c.abs().max(*most);
            }
        }
        extents
    }
}

fn scan(set: &Set, dimensions: usize) -> Result<Vec<Vec<i64>>> {
    let mut found = Vec::new();
    if set.remove_divs()?.is_equal(set)? {
        let scanner = Scanner::new(set, dimensions)?;
        scanner.extend(&mut Vec::new(), &mut found)?;
    } else {
        found = set.points()?;
    }
    Ok(found)
}

/// By depth, the pieces of the projection onto the outer coordinates.
struct Scanner {
    projections: Vec<Vec<Polyhedron>>,
}

impl Scanner {
    fn new(set: &Set, dimensions: usize) -> Result<Scanner> {
        let project = |depth| {
            let outer = set.project_out(depth, dimensions - depth)?.remove_divs()?;
            // isl's coalescing may add points, even to the set that it is given: not to those that are listed.
            if depth < dimensions { outer.coalesce()?.polyhedra() } else { outer.polyhedra() }
        };
        Ok(Scanner { projections: (1..=dimensions).map(project).collect::<Result<_>>()? })
    }

    fn extend(&self, prefix: &mut Vec<i64>, found: &mut Vec<Vec<i64>>) -> Result<()> {
        let depth = prefix.len();
        let Some(pieces) = self.projections.get(depth) else {
            found.push(prefix.clone());
            return if found.len() > MOST_POINTS { Err(limit("the set has too many points")) } else { Ok(()) };
        };
        let mut ranges: Vec<(i64, i64)> = pieces.iter().filter_map(|p| range(p, prefix)).collect();
        ranges.sort_unstable();
        let mut next = i64::MIN;
        for (low, high) in ranges {
            for value in low.max(next)..=high {
                prefix.push(value);
                self.extend(prefix, found)?;
                prefix.pop();
            }
            next = next.max(high.saturating_add(1));
        }
        Ok(())
    }
}

/// The values of the last coordinate of a polyhedron without existential variables, for given outer ones.
fn range(polyhedron: &Polyhedron, prefix: &[i64]) -> Option<(i64, i64)> {
    let (mut low, mut high) = (i128::from(i64::MIN), i128::from(i64::MAX));
    let value = |row: &[i64]| {
        let outer = row[1..].iter().zip(prefix).map(|(a, x)| i128::from(*a) * i128::from(*x));
        i128::from(row[0]) + outer.sum::<i128>()
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
        let (rest, last) = (value(row), i128::from(row[prefix.len() + 1]));
        if !at_least_zero(rest, last) || !at_least_zero(-rest, -last) {
            return None;
        }
    }
    for row in &polyhedron.inequalities {
        if !at_least_zero(value(row), i128::from(row[prefix.len() + 1])) {
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

    fn points(text: &str) -> Result<Differences> {
        let ctx = Context::new();
        Differences::of(&Set::read(&ctx, text)?)
    }

    /// Bee §3.2, the difference set of Durbin's y: 591 points at n = 100, with 0.
    #[test]
    fn durbin_has_591_points() {
        let ds = points("{ [i, k] : -100 < i + 2k < 100 and -100 < i - k < 100 and -1 <= k <= 1 }").unwrap();
        assert_eq!(ds.len(), 590);
        assert!(ds.contains(&[97, 1]) && !ds.contains(&[98, 1]) && !ds.contains(&[0, 0]));
        assert_eq!(ds.extents(), [99, 1]);
    }

    #[test]
    fn unions_overlap_and_lattices_are_listed() {
        let ds = points("{ [i] : 0 <= i <= 5; [i] : 3 <= i <= 8; [i] : exists e : i = 20e and 0 <= i <= 60 }").unwrap();
        assert_eq!(ds.half().map(|p| p[0]).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8, 20, 40, 60]);
    }

    #[test]
    fn what_cannot_be_listed_is_refused() {
        for (text, why) in [
            ("{ [i] : i >= 0 }", "the set is unbounded"),
            ("[n] -> { [i] : 0 <= i <= n }", "the set has parameters"),
            ("{ [i, j] : 0 <= i, j <= 100000 }", "the set has too many points"),
            ("{ [i] : i = 9000000000000000000 }", "the set has a coordinate past 32 bits: 9000000000000000000"),
        ] {
            assert_eq!(points(text).unwrap_err().message, why);
        }
    }
}

//! A finite set of differences, point by point.
//!
//! What a lattice has to avoid, for one choice of all parameters. Symmetric about 0; 0 itself, which every lattice
//! contains, is left out.

use crate::integers::{limit, refusal};
use crate::scan::Scanner;
use polyfold_isl::{Result, Set};

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
    /// When the set is unbounded, has parameters, more than [`MOST_POINTS`](crate::MOST_POINTS) points, or coordinates past 32 bits.
    pub fn of(set: &Set) -> Result<Differences> {
        if !set.parameter_names()?.is_empty() {
            return Err(refusal("the set has parameters"));
        }
        let coordinates = match Scanner::of(set)? {
            Some(scanner) => scanner.points(&[])?,
            None if set.is_bounded()? => set.points()?.concat(),
            None => return Err(refusal("the set is unbounded")),
        };
        Differences::listed(set.dimensions()?, coordinates)
    }

    /// From points, one after the other, and their negatives, if they are near enough to compute with.
    pub(crate) fn listed(dimensions: usize, coordinates: Vec<i64>) -> Result<Differences> {
        if let Some(far) = coordinates.iter().find(|c| i32::try_from(**c).is_err()) {
            return Err(limit(format!("the set has a coordinate past 32 bits: {far}")));
        }
        Ok(Differences::symmetric(dimensions, coordinates))
    }

    /// From points and their negatives.
    pub fn new(dimensions: usize, points: Vec<Vec<i64>>) -> Differences {
        Differences::symmetric(dimensions, points.concat())
    }

    fn symmetric(dimensions: usize, mut coordinates: Vec<i64>) -> Differences {
        let mut half: Vec<&[i64]> = Vec::with_capacity(coordinates.len() / dimensions.max(1));
        for point in coordinates.chunks_exact_mut(dimensions.max(1)) {
            let first = point.iter().find(|c| **c != 0).copied().unwrap_or(0);
            if first < 0 {
                point.iter_mut().for_each(|c| *c = -*c);
            }
            if first != 0 {
                half.push(point);
            }
        }
        // Quick where they were listed in order.
        half.sort();
        half.dedup();
        let mut both = Vec::with_capacity(2 * half.len() * dimensions);
        both.extend(half.iter().rev().copied().flatten().map(|c| -c));
        both.extend(half.iter().copied().flatten());
        Differences { dimensions, coordinates: both }
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
        if order.is_sorted() {
            return self.clone();
        }
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

//! A lower bound for the determinant of every strictly admissible lattice.
//!
//! If S − S ⊆ DS ∪ {0}, no two points of S may share a cell, so every valid mapping has at least |S| cells: S is a clique
//! of the conflict graph. This is stronger than the number of values alive at once.
//!
//! Where DS is the integer points of a body `{ |a_f x| <= c_f }`, every slab intersection
//!
//! ```text
//! S = { x ∈ DS ∪ {0} : l_f <= a_f x <= l_f + c_f  for every facet pair f },   −c_f <= l_f <= 0
//! ```
//!
//! is a clique, and the offsets `l_f` are improved one at a time, each to the best window of a histogram, until none gains.
//! Where DS is not convex, S is thinned until all its differences are in DS.
//!
//! Example: for Durbin's y at n = 100 (Bee §3.2) the bound is 197, and 2i + j mod 197 attains it.
//!
//! Not in the paper, whose search started from a "pre-computed lower bound" (Bee §5).

use crate::Differences;
use crate::integers::dot;

/// One pair of facets of a symmetric body: `|a x| <= c`, as (a, c).
pub type Slab = (Vec<i64>, i64);

/// Largest clique whose differences are checked pair by pair.
const MOST_CHECKED: usize = 1_500;

/// Work on the points of one set, over all starts.
const MOST_VISITS: usize = 8_000_000;

/// Slabs wider than this stay where they begin.
const MOST_WIDTH: i64 = 1 << 24;

/// At most this many starts.
const MOST_STARTS: usize = 12;

/// Bounds for the lattices that use the first k axes only, k = 1, 2, …: a lattice Λ has
/// `det (Λ ∩ Z^k) >= bounds[k − 1]`, and the last one bounds Λ itself.
///
/// `slabs` describe the hull of DS; `convex` says that DS is all integer points of it.
pub fn clique_bounds(ds: &Differences, slabs: &[Slab], convex: bool) -> Vec<u64> {
    let dimensions = ds.dimensions();
    let mut bounds = Vec::new();
    for k in 1..=dimensions {
        let inside: Vec<&[i64]> = ds.iter().filter(|p| p[k..].iter().all(|c| *c == 0)).collect();
        let before = bounds.last().copied().unwrap_or(1);
        bounds.push(before.max(clique(ds, &inside, slabs, convex)));
    }
    bounds
}

fn clique(ds: &Differences, points: &[&[i64]], slabs: &[Slab], convex: bool) -> u64 {
    let mut windows = Windows::new(points, slabs);
    let starts = (MOST_VISITS / (points.len().max(1) * slabs.len().max(1) * 4)).clamp(2, MOST_STARTS);
    let mut best = (1, Vec::new());
    for start in 0..starts {
        windows.begin(start);
        windows.climb();
        if windows.inside() > best.0 {
            best = (windows.inside(), windows.members());
        }
    }
    if convex { best.0 as u64 } else { thinned(ds, &best.1, points) as u64 }
}

/// Size of a subset with all differences in DS: 0, and each point that agrees with all before it, members first.
fn thinned(ds: &Differences, members: &[&[i64]], others: &[&[i64]]) -> usize {
    let mut clique: Vec<&[i64]> = Vec::new();
    let mut difference = vec![0; ds.dimensions()];
    for point in members.iter().chain(others).take(4 * MOST_CHECKED) {
        let agrees = clique.iter().all(|other| {
            for (d, (x, y)) in difference.iter_mut().zip(point.iter().zip(*other)) {
                *d = x - y;
            }
            ds.contains(&difference)
        });
        if agrees && clique.len() < MOST_CHECKED {
            clique.push(point);
        }
    }
    clique.len() + 1
}

/// Points and the slabs that hold them.
struct Windows<'a> {
    points: &'a [&'a [i64]],
    widths: Vec<i64>,
    /// By slab and point.
    values: Vec<Vec<i64>>,
    offsets: Vec<i64>,
    /// By point: the number of slabs it is outside of.
    outside: Vec<u16>,
}

impl<'a> Windows<'a> {
    fn new(points: &'a [&'a [i64]], slabs: &[Slab]) -> Windows<'a> {
        // Between −c and c, hence within 64 bits, though its terms may be larger.
        let value = |a: &[i64], p: &[i64]| dot(a, p) as i64;
        Windows {
            points,
            widths: slabs.iter().map(|(_, c)| *c).collect(),
            values: slabs.iter().map(|(a, _)| points.iter().map(|p| value(a, p)).collect()).collect(),
            offsets: vec![0; slabs.len()],
            outside: vec![0; points.len()],
        }
    }

    /// Offsets in the middle first, then scattered ones, the same in every run.
    fn begin(&mut self, start: usize) {
        for f in 0..self.offsets.len() {
            let scattered = (start as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(7 * f as u32 + 5) >> 33;
            self.offsets[f] = match start {
                0 => -(self.widths[f] / 2),
                1 => -((self.widths[f] + 1) / 2),
                _ => -((scattered % (self.widths[f] as u64 + 1)) as i64),
            };
        }
        self.outside.fill(0);
        for f in 0..self.offsets.len() {
            self.mark(f, 1);
        }
    }

    /// Adds a slab to the count of those that a point is outside of, or takes it away.
    fn mark(&mut self, f: usize, change: i16) {
        let (low, high) = (self.offsets[f], self.offsets[f] + self.widths[f]);
        for (count, value) in self.outside.iter_mut().zip(&self.values[f]) {
            if *value < low || *value > high {
                *count = count.wrapping_add_signed(change);
            }
        }
    }

    /// Points inside all slabs, and 0.
    fn inside(&self) -> usize {
        1 + self.outside.iter().filter(|count| **count == 0).count()
    }

    fn members(&self) -> Vec<&'a [i64]> {
        self.points.iter().zip(&self.outside).filter(|(_, count)| **count == 0).map(|(p, _)| *p).collect()
    }

    /// Moves one slab after the other to its best place, until none gains.
    fn climb(&mut self) {
        let mut most = self.inside();
        loop {
            let before = most;
            for f in (0..self.offsets.len()).filter(|f| self.widths[*f] <= MOST_WIDTH).collect::<Vec<_>>() {
                self.mark(f, -1);
                let (count, offset) = self.best_offset(f);
                if count > most {
                    (most, self.offsets[f]) = (count, offset);
                }
                self.mark(f, 1);
            }
            if most == before {
                return;
            }
        }
    }

    /// The offset of a slab with the most points inside it and all others, 0 among them.
    fn best_offset(&self, f: usize) -> (usize, i64) {
        let width = self.widths[f] as usize;
        let mut histogram = vec![0usize; 2 * width + 1];
        histogram[width] = 1;
        for (value, count) in self.values[f].iter().zip(&self.outside) {
            if *count == 0 {
                histogram[(value + self.widths[f]) as usize] += 1;
            }
        }
        let mut inside: usize = histogram[..=width].iter().sum();
        let mut best = (inside, -self.widths[f]);
        for low in 1..=width {
            inside = inside + histogram[low + width] - histogram[low - 1];
            if inside > best.0 {
                best = (inside, low as i64 - self.widths[f]);
            }
        }
        best
    }
}

//! The smallest strictly admissible lattice for a finite difference set.
//!
//! Determinants are tried from the lower bound up, and for each determinant all lattices in Hermite form, built one axis
//! at a time: with Λ' = Λ ∩ Z^(k−1) known, Λ ∩ Z^k is Λ' and one more vector (b, a), where a divides what is left of the
//! determinant and b is one of the classes of Z^(k−1) modulo Λ'. It is admissible iff no difference `(x, q a)`, q >= 1, has
//! `x − q b ∈ Λ'`; so the classes of the x are marked, slice by slice, and every b is looked up.
//!
//! The longest axis comes first: its modulus is large, few divisors remain for the others. A determinant of Λ ∩ Z^k below
//! the clique bound of that subspace is not pursued (see [`clique_bounds`](crate::clique_bounds)).
//!
//! Paper: Bee §4 and §5, whose exhaustive search took 46 minutes for `g_tmp` and was given up on `diff`.
//!
//! ```
//! use polyfold_isl::{Context, Set};
//! use polyfold_lattice::{Differences, Search, smallest_lattice};
//! let set = Set::read(&Context::new(), "{ [i, j] : -6 < i < 6 and -6 < j < 6 and -6 < i - j < 6 }")?;
//! let found = smallest_lattice(&Differences::of(&set)?, &[6, 21], 36, 1_000_000);
//! assert!(matches!(found, Search::Found { determinant: 27, .. })); // Bee, Figure 3: mean
//! # Ok::<(), polyfold_isl::Error>(())
//! ```

use crate::Differences;
use std::collections::BTreeMap;

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Search {
    /// A lattice, and none is smaller.
    Found {
        /// Its determinant.
        determinant: u64,
        /// Its basis, one vector per row, in the order of the set's own axes.
        basis: Vec<Vec<i64>>,
    },
    /// There is none below the given size.
    NoneBelow,
    /// The work limit ended the search: there is none below `least`.
    Stopped {
        /// The first determinant that is not settled.
        least: u64,
    },
}

/// Finds the smallest strictly admissible lattice with a determinant below `below`.
///
/// `bounds[k − 1]` is a lower bound for lattices that use the first k axes of [`longest_first`] only (see
/// [`clique_bounds`](crate::clique_bounds)); `work` limits the points and classes that are looked at.
pub fn smallest_lattice(ds: &Differences, bounds: &[u64], below: u64, work: u64) -> Search {
    let order = longest_first(ds);
    let dimensions = ds.dimensions();
    let mut build =
        Build { slices: slices(&ds.permuted(&order)), bounds, basis: vec![vec![0; dimensions]; dimensions], work };
    for determinant in bounds.last().copied().unwrap_or(1).max(1)..below {
        match build.extend(0, determinant) {
            None => return Search::Stopped { least: determinant },
            Some(true) => return Search::Found { determinant, basis: unpermuted(&build.basis, &order) },
            Some(false) => {}
        }
    }
    Search::NoneBelow
}

/// The axes by falling extent of the set.
pub fn longest_first(ds: &Differences) -> Vec<usize> {
    let extents = ds.extents();
    let mut order: Vec<usize> = (0..ds.dimensions()).collect();
    order.sort_by_key(|axis| std::cmp::Reverse(extents[*axis]));
    order
}

fn unpermuted(basis: &[Vec<i64>], order: &[usize]) -> Vec<Vec<i64>> {
    let back = |row: &Vec<i64>| {
        let mut own = vec![0; row.len()];
        order.iter().zip(row).for_each(|(axis, value)| own[*axis] = *value);
        own
    };
    basis.iter().map(back).collect()
}

/// In rising order.
fn divisors(of: u64) -> Vec<u64> {
    let small: Vec<u64> = (1..=of.isqrt()).filter(|d| of.is_multiple_of(*d)).collect();
    let large = small.iter().rev().map(|d| of / d).filter(|d| d * d > of);
    small.iter().copied().chain(large).collect()
}

/// By axis and value: the outer coordinates of the differences whose last nonzero coordinate is on that axis, where it has
/// that (positive) value.
type Slices = Vec<BTreeMap<i64, Vec<Vec<i64>>>>;

fn slices(ds: &Differences) -> Slices {
    let mut slices = vec![BTreeMap::new(); ds.dimensions()];
    for point in ds.iter() {
        let Some(axis) = point.iter().rposition(|c| *c != 0) else { continue };
        if point[axis] > 0 {
            slices[axis].entry(point[axis]).or_insert_with(Vec::new).push(point[..axis].to_vec());
        }
    }
    slices
}

struct Build<'a> {
    slices: Slices,
    bounds: &'a [u64],
    /// Lower triangular; the rows above the present axis are chosen.
    basis: Vec<Vec<i64>>,
    work: u64,
}

impl Build<'_> {
    /// Completes the basis from `axis` on so that the remaining diagonal entries have the product `rest`; `None` when the
    /// work is used up.
    fn extend(&mut self, axis: usize, rest: u64) -> Option<bool> {
        if axis == self.basis.len() {
            return Some(true);
        }
        let classes: u64 = (0..axis).map(|k| self.basis[k][k] as u64).product();
        let diagonals = if axis + 1 == self.basis.len() { vec![rest] } else { divisors(rest) };
        for diagonal in diagonals {
            self.spend(1)?;
            let worth_a_try = classes * diagonal >= self.bounds[axis];
            if worth_a_try && self.choose(axis, diagonal as i64, classes as usize, rest / diagonal)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Tries every class as the offset of the next basis vector.
    fn choose(&mut self, axis: usize, diagonal: i64, classes: usize, rest: u64) -> Option<bool> {
        let marks = self.marks(axis, diagonal, classes)?;
        if marks.iter().any(|(q, marked)| *q == 1 && marked.iter().all(|m| *m)) {
            return Some(false);
        }
        let mut offset = vec![0; axis];
        for class in 0..classes {
            self.spend(1 + marks.len() as u64)?;
            if self.is_free(axis, &marks, class, &offset) {
                self.basis[axis][..axis].copy_from_slice(&offset);
                self.basis[axis][axis] = diagonal;
                if self.extend(axis + 1, rest)? {
                    return Some(true);
                }
            }
            self.advance(&mut offset);
        }
        Some(false)
    }

    /// For every multiple q of the diagonal with a slice: the classes of the slice's points.
    fn marks(&mut self, axis: usize, diagonal: i64, classes: usize) -> Option<Vec<(i64, Vec<bool>)>> {
        let visited = self.slices[axis].iter().filter(|(value, _)| **value % diagonal == 0);
        let visited: usize = visited.map(|(_, points)| points.len() + classes / 8).sum();
        self.spend(visited as u64 * (axis as u64 + 1))?;
        let mut marks = Vec::new();
        for (value, points) in self.slices[axis].iter().filter(|(value, _)| **value % diagonal == 0) {
            let mut marked = vec![false; classes];
            for point in points {
                marked[self.class(&mut point.clone())] = true;
            }
            marks.push((value / diagonal, marked));
        }
        Some(marks)
    }

    fn is_free(&self, axis: usize, marks: &[(i64, Vec<bool>)], class: usize, offset: &[i64]) -> bool {
        marks.iter().all(|(q, marked)| match q {
            1 => !marked[class],
            _ => {
                let mut multiple: Vec<i64> = offset[..axis].iter().map(|b| b * q).collect();
                !marked[self.class(&mut multiple)]
            }
        })
    }

    /// The number of a point's class modulo the chosen rows; the point is reduced on the way.
    fn class(&self, point: &mut [i64]) -> usize {
        let mut class = 0;
        for k in (0..point.len()).rev() {
            let diagonal = self.basis[k][k];
            let quotient = point[k].div_euclid(diagonal);
            if quotient != 0 {
                for (x, b) in point.iter_mut().zip(&self.basis[k][..=k]) {
                    *x -= quotient * b;
                }
            }
            class = class * diagonal as usize + point[k] as usize;
        }
        class
    }

    /// The representative of the next class, in the order of [`Build::class`].
    fn advance(&self, offset: &mut [i64]) {
        for (k, x) in offset.iter_mut().enumerate() {
            *x += 1;
            if *x < self.basis[k][k] {
                return;
            }
            *x = 0;
        }
    }

    fn spend(&mut self, work: u64) -> Option<()> {
        self.work = self.work.checked_sub(work)?;
        Some(())
    }
}

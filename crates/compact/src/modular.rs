//! Modular mappings where no box is nearly full.
//!
//! The differences of the cells that one instance touches are a finite set D. A mapping `x -> (M x) mod b` tells the cells of every instance
//! apart iff its kernel, a lattice, meets D in 0 only, and it needs as many cells as the lattice's determinant:
//!
//! ```text
//! D = ⋃ { x - y : x, y touched by the same instance },      kernel ∩ D = {0}
//! ```
//!
//! As many cells as one instance touches are the lower bound from which determinants are tried.
//!
//! Example: a diamond of 16 by 16 along t + i and t - i, with the cells that it reads, has 161 cells; `17 t + i mod 162` holds them.
//!
//! Source: Darte, Schreiber and Villard 2005 (admissible lattices). US 8,661,422 has only boxes and folds.
//!
//! Limits: moduli are numbers, so that this serves tiles whose sizes are numbers. The differences are those of a few instances: that the
//! mapping holds for all is shown where it becomes a shape.

use crate::sample::{Clouds, largest};
use polyfold_lattice::{Differences, Folding, Lattice, Search, simplest_mapping, smallest_lattice};
use std::collections::BTreeSet;

/// Instances with more points are not looked at.
const MOST_POINTS: usize = 600;

/// Points and classes looked at in the search.
const MOST_WORK: u64 = 2_000_000;

/// A mapping that needs fewer than `below` cells, summed over sizes, and how many that are; `None`: none is found.
pub(crate) fn modular(clouds: &Clouds, below: i64) -> Option<(Folding, i64)> {
    let largest = largest(clouds).into_iter().max()?;
    let sizes = clouds.len() as i64;
    let dimensions = clouds.iter().flatten().flatten().next()?.len();
    let least = u64::try_from(largest).ok()?;
    let below = u64::try_from(below / sizes).ok()?;
    if least >= below {
        return None;
    }
    let differences = Differences::new(dimensions, differences(clouds)?);
    let mut bounds = vec![1; dimensions];
    bounds[dimensions - 1] = least;
    let Search::Found { determinant, basis } = smallest_lattice(&differences, &bounds, below, MOST_WORK) else {
        return None;
    };
    let folding = simplest_mapping(&Lattice::new(&basis).ok()?).ok()?;
    Some((folding, i64::try_from(determinant).ok()? * sizes))
}

/// Differences of points of one instance, for all instances; `None`: there are too many points.
fn differences(clouds: &Clouds) -> Option<Vec<Vec<i64>>> {
    let mut shapes: BTreeSet<Vec<Vec<i64>>> = BTreeSet::new();
    for cloud in clouds.iter().flatten().filter(|cloud| !cloud.is_empty()) {
        if cloud.len() > MOST_POINTS {
            return None;
        }
        let mut sorted = cloud.clone();
        sorted.sort();
        let first = sorted[0].clone();
        let minus = |x: &[i64], y: &[i64]| x.iter().zip(y).map(|(x, y)| x - y).collect::<Vec<i64>>();
        shapes.insert(sorted.iter().map(|x| minus(x, &first)).collect());
    }
    let mut found: BTreeSet<Vec<i64>> = BTreeSet::new();
    for shape in shapes {
        for (k, x) in shape.iter().enumerate() {
            found.extend(shape[..k].iter().map(|y| x.iter().zip(y).map(|(x, y)| x - y).collect()));
        }
    }
    Some(found.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diamond_needs_one_cell_more_than_it_has() {
        let mut cells: BTreeSet<Vec<i64>> = BTreeSet::new();
        for (t, i) in (0..16).flat_map(|t| (-16..16).map(move |i| (t, i))) {
            if (0..16).contains(&(t + i)) && (0..16).contains(&(t - i)) {
                cells.extend([[t + 1, i], [t, i - 1], [t, i], [t, i + 1]].map(|x| x.to_vec()));
            }
        }
        assert_eq!(cells.len(), 161);
        let (folding, count) = modular(&vec![vec![cells.into_iter().collect()]], 289).expect("there is one");
        assert_eq!((count, folding.cells()), (162, Some(162)));
    }

    #[test]
    fn a_full_box_has_none_below_it() {
        let cells = (0..4).flat_map(|x| (0..5).map(move |y| vec![x, y])).collect();
        assert_eq!(modular(&vec![vec![cells]], 20), None);
    }
}

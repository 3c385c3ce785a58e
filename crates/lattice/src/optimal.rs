//! The best mapping for a difference set, and how far from the optimum it can be.
//!
//! A lower bound comes from cliques ([`clique_bounds`]), an upper one from the heuristics of Bee §4; where they differ, the
//! search ([`smallest_lattice`]) decides what lies between, as far as its work limit allows.
//!
//! Without a body the cliques are found from a few directions with small entries, and always checked.
//!
//! Paper: Bee §5, column "OPT" of Figure 3.
//!
//! ```
//! use polyfold_isl::{Context, Set};
//! use polyfold_lattice::{Body, Differences, optimal_mapping};
//! let ctx = Context::new();
//! let set = Set::read(&ctx, "{ [i, k] : -100 < i + 2k < 100 and -100 < i - k < 100 and -1 <= k <= 1 }")?;
//! let best = optimal_mapping(&Differences::of(&set)?, Some(&Body::of(&set)?), 10_000_000)?;
//! assert_eq!((best.folding.to_string().as_str(), best.least), ("(2 x0 + x1 mod 197)", 197));
//! # Ok::<(), polyfold_isl::Error>(())
//! ```

use crate::integers::narrow;
use crate::{
    Body, Candidate, Differences, Folding, Lattice, Search, Slab, best_heuristic, clique_bounds, longest_first,
    simplest_mapping, smallest_lattice,
};
use polyfold_isl::Result;

/// What is known of the smallest strictly admissible lattice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimum {
    /// The smallest mapping found, written as simply as possible.
    pub folding: Folding,
    /// Its number of cells.
    pub cells: u64,
    /// No mapping has fewer cells.
    pub least: u64,
    /// Size of the clique found, a bound for every storage mapping.
    pub clique: u64,
    /// The best of the heuristics.
    pub heuristic: Candidate,
}

impl Optimum {
    /// Whether no smaller mapping exists.
    pub fn is_optimal(&self) -> bool {
        self.cells == self.least
    }
}

/// Finds the smallest mapping whose kernel contains no difference. `body` is the differences' hull; `work` limits the
/// search, in points and classes looked at.
///
/// # Errors
/// As [`best_heuristic`].
pub fn optimal_mapping(differences: &Differences, body: Option<&Body>, work: u64) -> Result<Optimum> {
    improved(best_heuristic(differences, body)?, differences, body, work)
}

/// As [`optimal_mapping`], for a mapping that is already known.
///
/// # Errors
/// When a number is past 64 bits.
pub fn improved(heuristic: Candidate, differences: &Differences, body: Option<&Body>, work: u64) -> Result<Optimum> {
    let order = longest_first(differences);
    let slabs = slabs(differences, body, &order)?;
    let convex = body.is_some_and(|b| b.is_exactly(differences));
    let bounds = clique_bounds(&differences.permuted(&order), &slabs, convex);
    let clique = bounds.last().copied().unwrap_or(1);
    let cells = heuristic.cells as u64;
    let mut optimum = Optimum { folding: heuristic.folding.clone(), cells, least: clique, clique, heuristic };
    match smallest_lattice(differences, &bounds, cells, work) {
        Search::Found { determinant, basis } => {
            optimum.folding = simplest_mapping(&Lattice::new(&basis)?)?;
            optimum.cells = determinant;
            optimum.least = determinant;
        }
        Search::NoneBelow => optimum.least = cells,
        Search::Stopped { least } => optimum.least = least,
    }
    Ok(optimum)
}

/// The facets of the body, with coordinates in another order; without a body, the range of the differences in every
/// direction with entries -1, 0 and 1.
fn slabs(differences: &Differences, body: Option<&Body>, order: &[usize]) -> Result<Vec<Slab>> {
    let Some(body) = body else { return Ok(in_small_directions(&differences.permuted(order))) };
    let mut slabs = Vec::new();
    for facet in body.facets() {
        let normal = order.iter().map(|k| narrow(&facet.normal[*k], "a facet")).collect::<Result<_>>()?;
        slabs.push((normal, narrow(&facet.bound, "a facet")?));
    }
    for equation in body.equations() {
        slabs.push((order.iter().map(|k| narrow(&equation[*k], "an equation")).collect::<Result<_>>()?, 0));
    }
    Ok(slabs)
}

fn in_small_directions(differences: &Differences) -> Vec<Slab> {
    let mut directions: Vec<Vec<i64>> = vec![Vec::new()];
    for _ in 0..differences.dimensions() {
        let longer = |d: &Vec<i64>| [-1, 0, 1].map(|c| [d.as_slice(), &[c]].concat());
        directions = directions.iter().flat_map(longer).collect();
    }
    directions.retain(|d| d.iter().find(|c| **c != 0).is_some_and(|c| *c > 0));
    let range = |a: &[i64]| differences.half().map(|d| a.iter().zip(d).map(|(a, x)| a * x).sum::<i64>().abs()).max();
    directions.into_iter().map(|a| (range(&a).unwrap_or(0), a)).map(|(c, a)| (a, c)).collect()
}

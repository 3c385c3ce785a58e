//! A floor under all storage mappings, at small sizes.
//!
//! Values that all conflict with each other need as many cells, in whatever buffers:
//!
//! ```text
//! cells(P) >= |Q|   for every clique Q of the conflict graph at parameters P
//! ```
//!
//! The graph is written out at the smallest sizes of the context, from 3 on if an allocation depends on them, at the next
//! ones, and at some farther ones. An allocation that needs no more than the largest clique at all three is taken as the smallest
//! there is: the search may stop. That is a guess for other sizes, but storage that was found is proved anyway. Example:
//! Figure 2 with N = 4, 5, and 12, where 5, 6, and 13 values are alive at once; nothing smaller than N + 1 cells is sought. The far
//! size is for windows: 5 neighbours that conflict look like a row of N up to N = 5.
//!
//! A clique is grown from several values in turn by the neighbour that has the most neighbours among those left. Where that is
//! not the largest, or the graph is too large to be written out, the search goes on for nothing.

use crate::{Allocation, Buffer, ConflictSet};
use polyfold_isl::{Polyhedron, Result};
use std::collections::HashMap;

/// Bound on writing out a graph, in steps of isl: some ten milliseconds.
const MOST_STEPS: u64 = 300_000;

/// Bound on the pairs of values that are compared with a piece of the conflict set.
const MOST_PAIRS: usize = 10_000_000;

/// Bound on looking for a clique, in words of 64 neighbours.
const MOST_WORDS: usize = 4_000_000;

/// How many cells every mapping needs, at sizes that were asked for before; `None` where that is not known.
#[derive(Default)]
pub(crate) struct Floors(HashMap<Vec<i64>, Option<usize>>);

impl Floors {
    /// Whether an allocation needs no more cells than every mapping does; false where that is not known.
    pub(crate) fn is_met(&mut self, conflicts: &ConflictSet, allocation: &Allocation) -> Result<bool> {
        let matters: Vec<bool> = (0..conflicts.parameters().len()).map(|k| allocation.mentions(k)).collect();
        let Some(sizes) = least_sizes(conflicts, &matters)? else { return Ok(false) };
        for more in [0, 1, farther(allocation)] {
            let larger = |(size, matters): (&i64, &bool)| size + if *matters { more } else { 0 };
            let sizes: Vec<i64> = sizes.iter().zip(&matters).map(larger).collect();
            let cells = allocation.cells(&sizes);
            if self.at(conflicts, sizes)?.is_none_or(|floor| cells > floor as i128) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn at(&mut self, conflicts: &ConflictSet, sizes: Vec<i64>) -> Result<Option<usize>> {
        if let Some(known) = self.0.get(&sizes) {
            return Ok(*known);
        }
        let is_possible = !conflicts.context().at(&named(conflicts, &sizes))?.is_empty()?;
        let graph = if is_possible { Graph::at(conflicts, &sizes) } else { None };
        let floor = graph.map(|graph| graph.clique());
        self.0.insert(sizes, floor);
        Ok(floor)
    }
}

/// How far the third size is from the first: the fewer dimensions grow, the farther.
fn farther(allocation: &Allocation) -> i64 {
    let growing = |buffer: &Buffer| buffer.moduli.iter().filter(|modulus| !modulus.is_constant()).count();
    let degrees = allocation.lines.iter().map(|line| line.modulus.degree());
    match allocation.buffers.iter().map(growing).chain(degrees).max().unwrap_or(0) {
        0 | 1 => 8,
        2 => 4,
        _ => 2,
    }
}

/// The least value of one parameter after the other, if it matters from 3 on where that is possible.
pub(crate) fn least_sizes(conflicts: &ConflictSet, matters: &[bool]) -> Result<Option<Vec<i64>>> {
    let mut known: Vec<(&str, i64)> = Vec::new();
    for (name, matters) in conflicts.parameters().iter().zip(matters) {
        let mut found = false;
        let sizes = if *matters { (3..=16).chain([2, 1]) } else { (1..=16).chain([0, 0]) };
        for size in sizes {
            known.push((name, size));
            if !conflicts.context().at(&known)?.is_empty()? {
                found = true;
                break;
            }
            known.pop();
        }
        if !found {
            return Ok(None);
        }
    }
    Ok(Some(known.into_iter().map(|(_, size)| size).collect()))
}

/// Parameters by name.
pub(crate) fn named<'a>(conflicts: &'a ConflictSet, sizes: &[i64]) -> Vec<(&'a str, i64)> {
    conflicts.parameters().iter().map(String::as_str).zip(sizes.iter().copied()).collect()
}

/// Numbers of values, each by its statement and iterators.
#[derive(Default)]
struct Places(HashMap<(usize, Vec<i64>), usize>);

impl Places {
    fn number(&mut self, statement: usize, value: &[i64]) -> usize {
        let next = self.0.len();
        *self.0.entry((statement, value.to_vec())).or_insert(next)
    }
}

/// Values and their conflicts, as sets of neighbours.
struct Graph {
    neighbours: Vec<Vec<u64>>,
}

impl Graph {
    /// `None` if it is too large, or infinite.
    fn at(conflicts: &ConflictSet, sizes: &[i64]) -> Option<Graph> {
        let context = conflicts.context().context();
        context.with_quota(MOST_STEPS, || Graph::written_out(conflicts, sizes)).ok().flatten()
    }

    fn written_out(conflicts: &ConflictSet, sizes: &[i64]) -> Result<Option<Graph>> {
        let (mut places, mut edges, mut compared) = (Places::default(), Vec::new(), 0);
        for relation in conflicts.relations() {
            let pairs = relation.pairs.at(&named(conflicts, sizes))?.without_parameters()?;
            let (both, split) = (pairs.dimensions()?, conflicts.arity(relation.from));
            let (from, to) =
                (pairs.project_out(split, both - split)?.points()?, pairs.project_out(0, split)?.points()?);
            let pieces = pairs.polyhedra()?;
            compared += from.len() * to.len() * pieces.len();
            if compared > MOST_PAIRS || pieces.iter().any(|piece| piece.locals > 0) {
                return Ok(None);
            }
            let numbers = to.iter().map(|value| places.number(relation.to, value)).collect::<Vec<_>>();
            for value in &from {
                let number = places.number(relation.from, value);
                let near = to.iter().zip(&numbers).filter(|(o, _)| pieces.iter().any(|piece| holds(piece, value, o)));
                edges.extend(near.map(|(_, near)| (number, *near)));
            }
        }
        Ok(Some(Graph::of(places.0.len(), &edges)))
    }

    fn of(count: usize, edges: &[(usize, usize)]) -> Graph {
        let mut neighbours = vec![vec![0; count.div_ceil(64)]; count];
        for (a, b) in edges.iter().filter(|(a, b)| a != b) {
            neighbours[*a][b / 64] |= 1 << (b % 64);
            neighbours[*b][a / 64] |= 1 << (a % 64);
        }
        Graph { neighbours }
    }

    /// The size of the largest clique that is found, at least 1.
    fn clique(&self) -> usize {
        let mut words = MOST_WORDS;
        let mut starts: Vec<usize> = (0..self.neighbours.len()).collect();
        starts.sort_by_key(|value| std::cmp::Reverse(size(&self.neighbours[*value])));
        let mut largest = 1;
        for start in starts {
            if words == 0 {
                break;
            }
            largest = largest.max(self.clique_from(start, &mut words));
        }
        largest
    }

    fn clique_from(&self, start: usize, words: &mut usize) -> usize {
        let mut left = self.neighbours[start].clone();
        let mut count = 1;
        loop {
            let among = |value: &usize| common(&self.neighbours[*value], &left);
            let candidates: Vec<usize> =
                (0..self.neighbours.len()).filter(|v| left[v / 64] >> (v % 64) & 1 == 1).collect();
            *words = words.saturating_sub(candidates.len() * left.len());
            let Some(next) = candidates.into_iter().max_by_key(among) else { return count };
            left.iter_mut().zip(&self.neighbours[next]).for_each(|(left, near)| *left &= near);
            count += 1;
        }
    }
}

/// Whether two values, one after the other, are a point of a piece without integer divisions.
pub(crate) fn holds(piece: &Polyhedron, value: &[i64], other: &[i64]) -> bool {
    let at = |row: &Vec<i64>| {
        let (constant, coefficients) = row.split_at(1);
        let products = coefficients.iter().zip(value.iter().chain(other)).map(|(a, x)| i128::from(*a) * i128::from(*x));
        i128::from(constant[0]) + products.sum::<i128>()
    };
    piece.equalities.iter().all(|row| at(row) == 0) && piece.inequalities.iter().all(|row| at(row) >= 0)
}

fn size(set: &[u64]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

fn common(one: &[u64], other: &[u64]) -> u32 {
    one.iter().zip(other).map(|(a, b)| (a & b).count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Form, Member, Row};
    use polyfold_isl::Context;

    fn floor(context: &str, pairs: &str, sizes: &[i64]) -> Option<usize> {
        let conflicts = ConflictSet::read(&Context::new(), context, pairs).unwrap();
        Floors::default().at(&conflicts, sizes.to_vec()).unwrap()
    }

    #[test]
    fn figure_2_needs_one_cell_more_than_a_row() {
        let pairs = "[T, N] -> {
            S0[t, i] -> S0[t, j] : 1 <= t <= T and 1 <= i < j <= N;
            S1[t, i] -> S1[t, j] : 1 <= t <= T and 1 <= i < j <= N;
            S0[t, i] -> S1[t, j] : 1 <= t <= T and 1 <= j < i <= N;
            S1[t, i] -> S0[t + 1, j] : 1 <= t < T and 1 <= j <= i <= N }";
        let context = "[T, N] -> { : T >= 2 and N >= 4 }";
        assert_eq!(floor(context, pairs, &[2, 4]), Some(5));
        assert_eq!(floor(context, pairs, &[2, 5]), Some(6));
        assert_eq!(floor(context, pairs, &[2, 3]), None);
        let conflicts = ConflictSet::read(&Context::new(), context, pairs).unwrap();
        let members =
            || (0..2).map(|statement| Member { statement, rows: vec![Row { coefficients: vec![1, -1], offset: 0 }] });
        let with = |constant| {
            let moduli = vec![Form { slopes: vec![0, 1], constant }];
            Allocation::of(vec![Buffer { moduli, members: members().collect() }])
        };
        assert!(Floors::default().is_met(&conflicts, &with(1)).unwrap());
        assert!(!Floors::default().is_met(&conflicts, &with(2)).unwrap());
    }

    #[test]
    fn a_window_is_no_row_though_it_looks_like_one_at_first() {
        let pairs = "[N] -> { S[i] -> S[j] : 0 <= i < j < N and j <= i + 4 }";
        let conflicts = ConflictSet::read(&Context::new(), "[N] -> { : N >= 3 }", pairs).unwrap();
        let members = || vec![Member { statement: 0, rows: vec![Row { coefficients: vec![1], offset: 0 }] }];
        let with = |slope, constant| {
            let moduli = vec![Form { slopes: vec![slope], constant }];
            Allocation::of(vec![Buffer { moduli, members: members() }])
        };
        assert!(!Floors::default().is_met(&conflicts, &with(1, 0)).unwrap());
        assert!(!Floors::default().is_met(&conflicts, &with(0, 5)).unwrap(), "3 cells are enough for N = 3");
    }

    #[test]
    fn a_circle_of_five_values_has_no_three_that_conflict() {
        let pairs = "{ S[i] -> S[i + 1] : 0 <= i < 4; S[i] -> S[4] : i = 0 }";
        assert_eq!(floor("{ : }", pairs, &[]), Some(2));
    }

    #[test]
    fn a_graph_that_is_too_large_is_not_written_out() {
        let pairs = "[N] -> { S[i, j, k] -> S[x, y, z] : 0 <= i, j, k, x, y, z < N }";
        assert_eq!(floor("[N] -> { : N >= 1 }", pairs, &[2]), Some(8));
        assert_eq!(floor("[N] -> { : N >= 1 }", pairs, &[20]), None);
    }
}

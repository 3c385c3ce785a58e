//! By how many iterations the members of a fused loop run behind, so that the values between them live shortly.
//!
//! ```text
//! min Σ weight_a · W_au     subject to   r_v − r_u >= −least δ            for every dependence u -> v
//!                                        W_au >= r_v − r_u + most δ       for those by which v reads array a from u
//! ```
//!
//! With `r_u + W_au` as unknowns these are difference constraints, whose optimum is integral ([`potentials`](crate::potentials)). Example: v
//! reads `b[j-1]` and `b[j+1]` of u's `b[j]`: δ is from −1 to 1, so r_v − r_u = 1, and W = 2 iterations pass between the first and the last
//! use.
//!
//! Paper: ISSS 2001 leaves shifting to future work; the linear program is that of retiming (Leiserson and Saxe 1991).

use crate::potentials::{Difference, cheapest};
use std::collections::BTreeMap;

/// A dependence between two members, in the loop's own counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The smallest δ.
    pub(crate) least: i64,
    /// Of values that are to die early: whose they are, and the largest δ, if there is one.
    pub(crate) values: Option<(usize, Option<i64>)>,
}

/// r by member, the smallest 0, and none over `furthest` for each; `weights` are by array. Of equally good numbers those are taken with which `late` members run late: what
/// happens once mostly copies what is alive anyway.
pub(crate) fn shifts(members: usize, late: &[usize], edges: &[Edge], (weights, furthest): (&[u64], i64)) -> Vec<i64> {
    let most = (furthest + 1) * members as i64;
    let mut system = System::new(members, most);
    for edge in edges {
        system.require(edge.from + 1, edge.to + 1, -edge.least);
    }
    // All that late members can gain weighs less than an iteration of one cell.
    let unit = i128::from(most) * late.len() as i128 + 1;
    for edge in edges {
        if let Some((array, Some(most))) = edge.values {
            let end = system.end_of_values(array, edge.from + 1, unit * i128::from(weights[array]));
            system.require(edge.to + 1, end, most);
        }
    }
    late.iter().for_each(|member| system.prefer_late(member + 1));
    let numbers = cheapest(&system.costs, &system.differences);
    let shifts = numbers.map_or_else(|| vec![0; members], |numbers| numbers[1..=members].to_vec());
    let first = shifts.iter().min().copied().unwrap_or(0);
    shifts.iter().map(|shift| shift - first).collect()
}

/// Node 0 is the first iteration, node k + 1 member k; behind them the ends of arrays' values.
struct System {
    costs: Vec<i128>,
    differences: Vec<Difference>,
    /// By array and the node that writes it.
    ends: BTreeMap<(usize, usize), usize>,
}

impl System {
    /// Members run from 0 to `most` iterations behind.
    fn new(members: usize, most: i64) -> System {
        let mut system = System { costs: vec![0; members + 1], differences: Vec::new(), ends: BTreeMap::new() };
        for node in 1..=members {
            system.require(0, node, 0);
            system.require(node, 0, -most);
        }
        system
    }

    fn require(&mut self, from: usize, to: usize, least: i64) {
        self.differences.push(Difference { from, to, least });
    }

    /// The node for `r_u + W_au`.
    fn end_of_values(&mut self, array: usize, writer: usize, weight: i128) -> usize {
        if let Some(end) = self.ends.get(&(array, writer)) {
            return *end;
        }
        let end = self.costs.len();
        self.costs.push(weight);
        self.costs[writer] -= weight;
        self.require(writer, end, 0);
        self.ends.insert((array, writer), end);
        end
    }

    fn prefer_late(&mut self, node: usize) {
        self.costs[node] -= 1;
        self.costs[0] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(from: usize, to: usize, least: i64, most: i64) -> Edge {
        Edge { from, to, least, values: Some((from, Some(most))) }
    }

    #[test]
    fn readers_run_as_far_behind_as_they_look_ahead() {
        assert_eq!(shifts(2, &[], &[read(0, 1, -1, 1)], (&[1, 1], 64)), [0, 1]);
    }

    /// 0 -> 1 -> 3 takes four iterations; 2 is read by 3 only, and waits for it.
    #[test]
    fn producers_wait_for_their_readers() {
        let edges = [read(0, 1, -2, 2), read(1, 3, -2, 2), read(2, 3, 0, 0)];
        assert_eq!(shifts(4, &[], &edges, (&[1, 1, 1, 1], 64)), [0, 2, 4, 4]);
    }

    /// 1 may run with 0, or with 2, one iteration behind.
    #[test]
    fn what_may_run_late_does() {
        let edges = [read(0, 1, 0, 0), read(1, 2, 0, 0), read(0, 2, -1, 0)];
        assert_eq!(shifts(3, &[], &edges, (&[1, 0, 0], 64)), [0, 0, 1]);
        assert_eq!(shifts(3, &[1], &edges, (&[1, 0, 0], 64)), [0, 1, 1]);
    }
}

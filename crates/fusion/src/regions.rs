//! Parts of a graph in which arrays to remove can be chosen apart.
//!
//! *Removable* (§2.2): an array that could go if no other did, that is
//!
//! ```text
//! no edge u -> v of it has a path   u -> … -> p -/-> q -> … -> v   along dependences
//! ```
//!
//! Remove all removable arrays: any clusters are inside the clusters that this makes, and so is any cycle that is in the way of
//! some of them.
//! So each of these is a problem of its own.

use crate::clusters::{cluster_of, clusters};
use crate::graph::Graph;
use crate::network::Network;

/// The arrays that could go if no other did, in ascending order.
pub(crate) fn removable(graph: &Graph) -> Vec<usize> {
    let mut leaving: Vec<Vec<(usize, bool)>> = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        leaving[edge.from].push((edge.to, edge.prevents_fusion));
    }
    let mut produced: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for array in (0..graph.arrays.len()).filter(|array| graph.is_internal(*array)) {
        produced[graph.arrays[array].producer.expect("internal arrays have one")].push(array);
    }
    let mut found = Vec::new();
    for (node, arrays) in produced.iter().enumerate().filter(|(_, arrays)| !arrays.is_empty()) {
        let is_apart = kept_apart(&leaving, node);
        found.extend(arrays.iter().filter(|array| !graph.arrays[**array].readers.iter().any(|r| is_apart[*r])));
    }
    found.sort_unstable();
    found
}

/// By node, whether a path from a given one to it holds an edge that prevents fusion.
fn kept_apart(leaving: &[Vec<(usize, bool)>], start: usize) -> Vec<bool> {
    // By node: reached, and reached past such an edge.
    let mut seen = [vec![false; leaving.len()], vec![false; leaving.len()]];
    let mut stack = vec![(start, false)];
    while let Some((node, is_past)) = stack.pop() {
        for (next, prevents) in &leaving[node] {
            let is_past = is_past || *prevents;
            if !seen[usize::from(is_past)][*next] {
                seen[usize::from(is_past)][*next] = true;
                stack.push((*next, is_past));
            }
        }
    }
    let [_, past] = seen;
    past
}

/// A part of a graph.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// Removable arrays that touch its nodes only.
    pub(crate) candidates: Vec<usize>,
    pub(crate) network: Network,
}

/// The parts that hold removable arrays.
pub(crate) fn regions(graph: &Graph, removable: &[usize]) -> Vec<Region> {
    let parts = clusters(graph, removable);
    let part_of = cluster_of(graph, &parts);
    let mut candidates: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
    for array in removable {
        let producer = graph.arrays[*array].producer.expect("removable arrays have one");
        candidates[part_of[producer]].push(*array);
    }
    let mut edges: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
    for (number, edge) in graph.edges.iter().enumerate().filter(|(_, edge)| part_of[edge.from] == part_of[edge.to]) {
        edges[part_of[edge.from]].push(number);
    }
    let with_arrays = (0..parts.len()).filter(|part| !candidates[*part].is_empty());
    let region = |part: usize| {
        let network = Network::new(graph, &parts[part], &edges[part], &candidates[part]);
        Region { candidates: candidates[part].clone(), network }
    };
    with_arrays.map(region).collect()
}

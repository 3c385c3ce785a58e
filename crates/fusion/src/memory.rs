//! Cells alive at once (§2.1).
//!
//! ```text
//! MemoryCost = max over t of  Σ { size(a) : a is alive while cluster t runs }
//! ```
//!
//! An array is alive from the cluster of its producer to that of its last reader, both included; from the first cluster if its
//! values come from outside, and to the last one if they are needed there. One whose nests are all in one cluster, and one that
//! nobody reads, is never alive.

use crate::clusters::cluster_of;
use crate::graph::Graph;

/// By cluster, the cells that are alive while it runs, for clusters in the order in which they run.
pub fn alive(graph: &Graph, order: &[Vec<usize>]) -> Vec<u64> {
    let of = cluster_of(graph, order);
    // What begins to be alive at a cluster, and what ends behind it.
    let mut turns = vec![(0u64, 0u64); order.len()];
    for array in 0..graph.arrays.len() {
        if let Some((first, last)) = span(graph, array, &of, order.len()) {
            turns[first].0 += graph.arrays[array].size;
            turns[last].1 += graph.arrays[array].size;
        }
    }
    let mut now = 0;
    let mut sums = Vec::with_capacity(order.len());
    for (begins, ends) in turns {
        now += begins;
        sums.push(now);
        now -= ends;
    }
    sums
}

/// The most cells that are alive at once.
pub(crate) fn peak(graph: &Graph, order: &[Vec<usize>]) -> u64 {
    alive(graph, order).into_iter().max().unwrap_or(0)
}

/// The first and the last cluster where an array is alive.
fn span(graph: &Graph, array: usize, of: &[usize], clusters: usize) -> Option<(usize, usize)> {
    let array = &graph.arrays[array];
    let last_read = array.readers.iter().map(|reader| of[*reader]).max();
    let last = if array.is_live_out { clusters.checked_sub(1) } else { last_read }?;
    match array.producer.map(|node| of[node]) {
        None => Some((0, last)),
        Some(first) if first == last && !array.is_live_out => None,
        Some(first) => Some((first, last)),
    }
}

/// Arrays that need no memory in these clusters: their producers and all who read them are in one, and nobody else needs them.
pub(crate) fn removed(graph: &Graph, clusters: &[Vec<usize>]) -> Vec<usize> {
    let of = cluster_of(graph, clusters);
    let is_inside = |array: &usize| {
        let producer = graph.arrays[*array].producer.map(|node| of[node]);
        graph.is_internal(*array) && graph.arrays[*array].readers.iter().all(|reader| Some(of[*reader]) == producer)
    };
    (0..graph.arrays.len()).filter(is_inside).collect()
}

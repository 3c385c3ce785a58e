//! An independent judge of answers: straight from the definitions, sharing nothing with the solver but the graph.
#![allow(dead_code, unreachable_pub)]

use polyfold_fusion::{Fusion, Graph};

/// By node, which cluster it is in; clusters are numbered in the order in which they run.
pub type Labels = Vec<usize>;

/// The clusters of an answer.
pub fn labels(graph: &Graph, clusters: &[Vec<usize>]) -> Labels {
    let mut labels = vec![usize::MAX; graph.nodes().len()];
    for (number, nodes) in clusters.iter().enumerate() {
        for node in nodes {
            assert_eq!(labels[*node], usize::MAX, "a node is in two clusters");
            labels[*node] = number;
        }
    }
    assert!(!labels.contains(&usize::MAX), "a node is in no cluster");
    labels
}

/// Whether clusters may run in the order of their numbers.
pub fn is_legal_order(graph: &Graph, labels: &Labels) -> bool {
    graph.edges().iter().all(|edge| {
        let (from, to) = (labels[edge.from], labels[edge.to]);
        from < to || (from == to && !edge.prevents_fusion)
    })
}

/// Whether clusters may run in any order at all: no edge inside prevents fusion, and there is always one that waits for no other.
pub fn is_legal(graph: &Graph, labels: &Labels) -> bool {
    if graph.edges().iter().any(|edge| edge.prevents_fusion && labels[edge.from] == labels[edge.to]) {
        return false;
    }
    let mut left: Vec<usize> = labels.clone();
    left.sort_unstable();
    left.dedup();
    while !left.is_empty() {
        let waits = |k: usize| {
            graph.edges().iter().any(|e| labels[e.to] == k && labels[e.from] != k && left.contains(&labels[e.from]))
        };
        let Some(place) = left.iter().position(|k| !waits(*k)) else { return false };
        left.remove(place);
    }
    true
}

/// Whether all who touch an array are in one cluster, and nobody outside does.
pub fn is_removed(graph: &Graph, labels: &Labels, array: usize) -> bool {
    let array = &graph.arrays()[array];
    let Some(producer) = array.producer else { return false };
    !array.is_live_out && array.readers.iter().all(|reader| labels[*reader] == labels[producer])
}

/// Cells of removed arrays.
pub fn cells_removed(graph: &Graph, labels: &Labels) -> u64 {
    let removed = (0..graph.arrays().len()).filter(|array| is_removed(graph, labels, *array));
    removed.map(|array| graph.arrays()[array].size).sum()
}

/// The most cells alive at once: for each moment, every array is asked.
pub fn memory_cost(graph: &Graph, labels: &Labels) -> u64 {
    let moments = labels.iter().max().map_or(0, |last| last + 1);
    let is_alive = |array: usize, now: usize| {
        let a = &graph.arrays()[array];
        let is_made = a.producer.is_none_or(|node| labels[node] <= now);
        let is_needed = a.is_live_out || a.readers.iter().any(|node| labels[*node] >= now);
        is_made && is_needed && !is_removed(graph, labels, array) && (a.is_live_out || !a.readers.is_empty())
    };
    let at = |now| (0..graph.arrays().len()).filter(|a| is_alive(*a, now)).map(|a| graph.arrays()[a].size).sum();
    (0..moments).map(at).max().unwrap_or(0)
}

/// An answer is legal, and says of itself what is true.
#[track_caller]
pub fn check(graph: &Graph, fusion: &Fusion) {
    let clusters: Vec<Vec<usize>> = fusion.clusters.iter().map(|cluster| cluster.nodes.clone()).collect();
    let labels = labels(graph, &clusters);
    assert!(is_legal_order(graph, &labels), "an answer that is not legal: {graph:?} {fusion:?}");
    let removed: Vec<usize> = (0..graph.arrays().len()).filter(|array| is_removed(graph, &labels, *array)).collect();
    assert_eq!(fusion.removed, removed);
    assert_eq!(fusion.cells_removed, cells_removed(graph, &labels));
    assert_eq!(fusion.peak, memory_cost(graph, &labels), "{graph:?} {fusion:?}");
    assert_eq!(fusion.clusters.iter().map(|cluster| cluster.alive).max().unwrap_or(0), fusion.peak);
    assert_eq!(fusion.obstacles.len() + removed.len(), graph.arrays().len());
}

/// Every way to put nodes into clusters, as labels that are numbered by first appearance.
pub fn partitions(nodes: usize) -> Vec<Labels> {
    let mut all = vec![Vec::new()];
    for _ in 0..nodes {
        let longer = |labels: &Labels| {
            let next = labels.iter().max().map_or(0, |last| last + 1);
            let one_more = |label| labels.iter().copied().chain([label]).collect::<Labels>();
            (0..=next).map(one_more).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The largest size of removed arrays, over all legal clusters.
pub fn most_removed(graph: &Graph, partitions: &[Labels]) -> u64 {
    let legal = partitions.iter().filter(|labels| is_legal(graph, labels));
    legal.map(|labels| cells_removed(graph, labels)).max().unwrap_or(0)
}

/// The fewest cells alive at once over all legal clusters in all legal orders, and the most that is removed with as few.
pub fn least_memory(graph: &Graph, partitions: &[Labels]) -> (u64, u64) {
    let mut best: Option<(u64, u64)> = None;
    for labels in partitions.iter().filter(|labels| is_legal(graph, labels)) {
        let removed = cells_removed(graph, labels);
        for order in orders(graph, labels) {
            let cost = memory_cost(graph, &order);
            let is_better = |(least, most): &(u64, u64)| cost < *least || (cost == *least && removed > *most);
            if best.as_ref().is_none_or(is_better) {
                best = Some((cost, removed));
            }
        }
    }
    best.unwrap_or((0, 0))
}

/// All legal orders of clusters.
pub fn orders(graph: &Graph, labels: &Labels) -> Vec<Labels> {
    let count = labels.iter().max().map_or(0, |last| last + 1);
    let mut found = Vec::new();
    place(graph, labels, &mut vec![usize::MAX; count], 0, &mut found);
    found
}

fn place(graph: &Graph, labels: &Labels, turn: &mut Vec<usize>, next: usize, found: &mut Vec<Labels>) {
    if next == turn.len() {
        found.push(labels.iter().map(|label| turn[*label]).collect());
    }
    for cluster in 0..turn.len() {
        let waits = |e: &polyfold_fusion::Edge| {
            labels[e.to] == cluster && labels[e.from] != cluster && turn[labels[e.from]] == usize::MAX
        };
        if turn[cluster] == usize::MAX && !graph.edges().iter().any(waits) {
            turn[cluster] = next;
            place(graph, labels, turn, next + 1, found);
            turn[cluster] = usize::MAX;
        }
    }
}

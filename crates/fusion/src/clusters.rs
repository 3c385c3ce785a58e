//! The clusters that removing some arrays asks for (§2.4).
//!
//! If an array's nests are in one cluster, then each of them is, in the graph of clusters, before and after the others: as if the
//! array's edges could be walked both ways. So nests are in one cluster iff they are strongly connected in
//!
//! ```text
//! G + { (v, u) : (u, v) is an edge of a removed array }
//! ```
//!
//! and these components are the finest clusters between which there is no cycle.
//!
//! Deviation: the paper takes what the removed edges connect, and adds the nodes of each directed path *in G* between two members.
//! For 0→2 (a), 3→1 (b), 0→1 (c), 3→2 (d), a and b removed, that gives {0, 2} and {1, 3}, which wait for each other by c and d.
//! Here all four are one cluster.

use crate::components::components;
use crate::graph::Graph;

/// The finest clusters in which all edges of these arrays are inside one; each in ascending order, and in the order of their first nodes.
/// They are legal iff no edge inside one prevents fusion.
pub fn clusters(graph: &Graph, removed: &[usize]) -> Vec<Vec<usize>> {
    let mut is_removed = vec![false; graph.arrays.len()];
    removed.iter().for_each(|array| is_removed[*array] = true);
    let mut successors = graph.successors();
    for edge in graph.edges.iter().filter(|edge| edge.array.is_some_and(|array| is_removed[array])) {
        successors[edge.to].push(edge.from);
    }
    let component = components(&successors);
    let mut place = vec![usize::MAX; graph.nodes.len()];
    let mut clusters: Vec<Vec<usize>> = Vec::new();
    for (node, component) in component.into_iter().enumerate() {
        if place[component] == usize::MAX {
            place[component] = clusters.len();
            clusters.push(Vec::new());
        }
        clusters[place[component]].push(node);
    }
    clusters
}

/// By node, the number of its cluster.
pub(crate) fn cluster_of(graph: &Graph, clusters: &[Vec<usize>]) -> Vec<usize> {
    let mut of = vec![0; graph.nodes.len()];
    for (number, cluster) in clusters.iter().enumerate() {
        cluster.iter().for_each(|node| of[*node] = number);
    }
    of
}

//! The whole method: arrays to remove, clusters, their order, and why the rest stays.

use crate::Budget;
use crate::clusters::clusters;
use crate::graph::Graph;
use crate::least_memory::least_memory;
use crate::memory::{alive, removed};
use crate::obstacle::{Obstacle, obstacles};
use crate::order::{Order, best_order};
use crate::regions::{Region, regions, removable};
use crate::search::select;

/// What is best.
///
/// Deviation: the paper finds `Removed` and measures by `Memory`. The two differ: of small random graphs, one in eleven has an answer
/// with fewer cells alive at once than any order of the clusters that remove most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The largest total size of removed arrays; then, for these clusters, the order with the fewest cells alive at once.
    Removed,
    /// The fewest cells alive at once; then the largest total size of removed arrays.
    Memory,
}

/// How good an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimality {
    /// None is better.
    Proved,
    /// The budget has ended: it is legal, and none is better than `bound` cells removed, or alive at once.
    Open {
        /// At most so many cells removed, or at least so many alive.
        bound: u64,
    },
}

/// Nests that are fused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The nests.
    pub nodes: Vec<usize>,
    /// Arrays that need no memory for that.
    pub removed: Vec<usize>,
    /// Cells alive while it runs.
    pub alive: u64,
}

/// What to fuse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fusion {
    /// In the order in which they run.
    pub clusters: Vec<Cluster>,
    /// All removed arrays, in ascending order.
    pub removed: Vec<usize>,
    /// Cells of these.
    pub cells_removed: u64,
    /// The most cells alive at once.
    pub peak: u64,
    /// How good it is by the objective asked for.
    pub optimality: Optimality,
    /// Whether these clusters have an order with fewer cells alive at once.
    pub order: Optimality,
    /// Why the other arrays stay.
    pub obstacles: Vec<(usize, Obstacle)>,
}

/// Clusters of nests, legal whether the budget is enough or not.
pub fn fuse(graph: &Graph, objective: Objective, budget: Budget) -> Fusion {
    let removable = removable(graph);
    let (chosen, optimality) = most_cells(graph, &removable, &mut budget.clone());
    let order = match objective {
        Objective::Removed => best_order(graph, &clusters(graph, &chosen), &mut budget.clone()),
        Objective::Memory => least_memory(graph, &removable, &chosen, budget),
    };
    let optimality = if objective == Objective::Removed { optimality } else { order.optimality };
    let removed = removed(graph, &order.clusters);
    let obstacles = obstacles(graph, &order.clusters, &removed, budget);
    let cells_removed = graph.cells_of(&removed);
    let (peak, order_optimality) = (order.peak, order.optimality);
    let clusters = described(graph, order, &removed);
    Fusion { clusters, removed, cells_removed, peak, optimality, order: order_optimality, obstacles }
}

/// The arrays to remove for the first objective.
fn most_cells(graph: &Graph, removable: &[usize], budget: &mut Budget) -> (Vec<usize>, Optimality) {
    let mut chosen = Vec::new();
    let (mut cells_removed, mut bound) = (0, 0);
    for Region { candidates, mut network } in regions(graph, removable) {
        let sizes: Vec<u64> = candidates.iter().map(|array| graph.arrays[*array].size).collect();
        let selection = select(&mut network, &sizes, budget);
        let goes = (0..candidates.len()).filter(|k| selection.is_removed[*k]);
        chosen.extend(goes.clone().map(|k| candidates[k]));
        cells_removed += goes.map(|k| sizes[k]).sum::<u64>();
        bound += sizes.iter().sum::<u64>() - selection.least_left;
    }
    chosen.sort_unstable();
    let optimality = if bound == cells_removed { Optimality::Proved } else { Optimality::Open { bound } };
    (chosen, optimality)
}

fn described(graph: &Graph, order: Order, removed: &[usize]) -> Vec<Cluster> {
    let alive = alive(graph, &order.clusters);
    let inside = |nodes: &[usize], array: &usize| {
        graph.arrays[*array].producer.is_some_and(|producer| nodes.binary_search(&producer).is_ok())
    };
    let described = |(nodes, alive): (Vec<usize>, u64)| {
        let removed = removed.iter().copied().filter(|array| inside(&nodes, array)).collect();
        Cluster { nodes, removed, alive }
    };
    order.clusters.into_iter().zip(alive).map(described).collect()
}

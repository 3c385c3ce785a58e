//! The second objective: as few cells alive at once as possible.
//!
//! Removing most is not the same: fusing nests makes everything that they touch alive together. The notion of cost is the paper's
//! own (§2.1), the method is not: all legal clusters in all orders are chains of ideals ([`ideals`](crate::ideals)).
//! Where there are too many of these, arrays are removed, or given back, one at a time while that helps.

use crate::Budget;
use crate::Optimality;
use crate::bottleneck::{Peak, least_peak, most_removed};
use crate::clusters::{cluster_of, clusters};
use crate::graph::Graph;
use crate::ideals::{Ideals, Nodes};
use crate::memory::{peak, removed};
use crate::network::Network;
use crate::order::{Order, best_order, quick_order, ranked};

/// Clusters with few cells alive at once, given an answer to the first objective.
pub(crate) fn least_memory(graph: &Graph, removable: &[usize], most: &[usize], budget: Budget) -> Order {
    let start = improved(graph, removable, most, &mut budget.clone());
    let floor = floor(graph, removable);
    let open = |bound: u64| Optimality::Open { bound: bound.max(floor) };
    let Some(ideals) = Ideals::of_nodes(graph) else { return Order { optimality: open(0), ..start } };
    let found = match least_peak(&ideals, start.peak, &mut budget.clone()) {
        Peak::Found(chain) => {
            let clusters = from_chain(graph, &ideals, &chain);
            Order { peak: peak(graph, &clusters), clusters, optimality: Optimality::Proved }
        }
        Peak::NoneBelow => Order { optimality: Optimality::Proved, ..start },
        Peak::Open(bound) => return Order { optimality: open(bound), ..start },
    };
    match most_removed(&ideals, found.peak, &mut budget.clone()) {
        Some(chain) => Order { clusters: from_chain(graph, &ideals, &chain), ..found },
        None => found,
    }
}

/// Cells that are alive at once whatever is fused: arrays that cannot go are alive while each node that touches them runs.
fn floor(graph: &Graph, removable: &[usize]) -> u64 {
    let mut at = vec![0; graph.nodes.len()];
    for (number, array) in graph.arrays.iter().enumerate() {
        let is_needed = array.is_live_out || !array.readers.is_empty();
        if is_needed && removable.binary_search(&number).is_err() {
            array.readers.iter().chain(&array.producer).for_each(|node| at[*node] += array.size);
        }
    }
    at.into_iter().max().unwrap_or(0)
}

/// The finest clusters that remove what a chain removes, in its order.
fn from_chain(graph: &Graph, ideals: &Ideals, chain: &[Nodes]) -> Vec<Vec<usize>> {
    let steps = ideals.steps_of(chain);
    let step_of = cluster_of(graph, &steps);
    let finest = clusters(graph, &removed(graph, &steps));
    ranked(graph, &finest, |k| step_of[finest[k][0]])
}

/// The better of removing most and removing nothing, then of that with one array more or less removed, and so on.
fn improved(graph: &Graph, removable: &[usize], most: &[usize], budget: &mut Budget) -> Order {
    let mut network = Network::whole(graph, removable);
    let mut is_removed: Vec<bool> = removable.iter().map(|array| most.binary_search(array).is_ok()).collect();
    let mut best = best_order(graph, &clusters(graph, most), &mut budget.share(4));
    let nothing = best_order(graph, &clusters(graph, &[]), &mut budget.share(4));
    if nothing.peak < best.peak {
        best = nothing;
        is_removed.fill(false);
    }
    let mut since = 0;
    let mut turn = 0;
    while since < removable.len() && !budget.is_spent() {
        budget.spend(network.work() + graph.arrays.len());
        is_removed[turn] = !is_removed[turn];
        let order = network.is_legal(&is_removed).then(|| {
            let chosen: Vec<usize> = (0..removable.len()).filter(|k| is_removed[*k]).map(|k| removable[k]).collect();
            quick_order(graph, &clusters(graph, &chosen), budget)
        });
        // Of answers that are equally good, the one that removes more.
        let is_better = |order: &Order| order.peak < best.peak || (order.peak == best.peak && is_removed[turn]);
        match order.filter(is_better) {
            Some(order) => (best, since) = (order, 0),
            None => {
                is_removed[turn] = !is_removed[turn];
                since += 1;
            }
        }
        turn = (turn + 1) % removable.len();
    }
    Order { optimality: Optimality::Open { bound: 0 }, ..best }
}

//! Why an array keeps its memory.

use crate::Budget;
use crate::clusters::clusters;
use crate::cycle::Step;
use crate::graph::Graph;
use crate::memory::peak;
use crate::network::Network;
use crate::order::best_order;

/// Why an array keeps its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Its values come from outside.
    LiveIn,
    /// Its values are needed outside.
    LiveOut,
    /// This read of it prevents fusion.
    Read(usize),
    /// Even if no other array goes, its nests cannot be fused: this cycle would be inside.
    Alone(Vec<Step>),
    /// It cannot go as well as those that go: this cycle would be inside.
    Together(Vec<Step>),
    /// It could go as well, but then so many cells would be alive at once, in the best order found.
    Memory(u64),
    /// Not looked at: the bound on work was reached.
    Open,
}

/// For every array that is not removed, why.
pub(crate) fn obstacles(
    graph: &Graph,
    order: &[Vec<usize>],
    removed: &[usize],
    mut budget: Budget,
) -> Vec<(usize, Obstacle)> {
    let internal: Vec<usize> = (0..graph.arrays.len()).filter(|array| graph.is_internal(*array)).collect();
    let mut is_removed: Vec<bool> = internal.iter().map(|array| removed.binary_search(array).is_ok()).collect();
    let mut network = Network::whole(graph, &internal);
    let now = peak(graph, order);
    let kept = (0..graph.arrays.len()).filter(|array| removed.binary_search(array).is_err());
    let mut why = |array: usize| {
        let Ok(place) = internal.binary_search(&array) else {
            return if graph.arrays[array].is_live_out { Obstacle::LiveOut } else { Obstacle::LiveIn };
        };
        if let Some(read) = preventing_read(graph, array) {
            return Obstacle::Read(read);
        }
        budget.spend(2 * network.work_for_cycle());
        if budget.is_spent() {
            return Obstacle::Open;
        }
        if let Some(cycle) = network.cycle(&(0..internal.len()).map(|k| k == place).collect::<Vec<_>>()) {
            return Obstacle::Alone(cycle);
        }
        is_removed[place] = true;
        let cycle = network.cycle(&is_removed);
        is_removed[place] = false;
        cycle.map_or_else(|| price(graph, removed, array, now, &mut budget), Obstacle::Together)
    };
    kept.map(|array| (array, why(array))).collect()
}

fn preventing_read(graph: &Graph, array: usize) -> Option<usize> {
    graph.edges.iter().position(|edge| edge.array == Some(array) && edge.prevents_fusion)
}

/// What it would cost to remove one more array.
fn price(graph: &Graph, removed: &[usize], array: usize, now: u64, budget: &mut Budget) -> Obstacle {
    let more: Vec<usize> = removed.iter().copied().chain([array]).collect();
    budget.spend(graph.arrays.len() + graph.edges.len());
    let peak = budget.with_share(8, |share| best_order(graph, &clusters(graph, &more), share).peak);
    if peak > now { Obstacle::Memory(peak) } else { Obstacle::Open }
}

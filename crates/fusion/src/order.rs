//! In which order clusters run (§2.4).
//!
//! The paper sorts them by height, the length of the longest path to a cluster. All orders that respect the dependences compute the same,
//! but not all have as few cells alive at once, so that some are tried: by height, as the nodes are listed, and greedily what
//! has the fewest cells alive next. Up to 128 clusters the best order is then looked for as a chain of sets
//! ([`bottleneck`](crate::bottleneck)).

use crate::Budget;
use crate::Optimality;
use crate::bottleneck::{Peak, least_peak};
use crate::clusters::cluster_of;
use crate::graph::Graph;
use crate::ideals::Ideals;
use crate::memory::peak;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// Clusters in the order in which they run, and how few cells are alive at once in it.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) clusters: Vec<Vec<usize>>,
    pub(crate) peak: u64,
    pub(crate) optimality: Optimality,
}

/// Legal clusters in the best order that is found.
pub(crate) fn best_order(graph: &Graph, clusters: &[Vec<usize>], budget: &mut Budget) -> Order {
    let quick = quick_order(graph, clusters, budget);
    let Some(ideals) = Ideals::of_clusters(graph, &quick.clusters) else { return quick };
    match least_peak(&ideals, quick.peak, budget) {
        Peak::Found(chain) => {
            let clusters: Vec<Vec<usize>> =
                ideals.steps_of(&chain).into_iter().flatten().map(|k| quick.clusters[k].clone()).collect();
            Order { peak: peak(graph, &clusters), clusters, optimality: Optimality::Proved }
        }
        Peak::NoneBelow => Order { optimality: Optimality::Proved, ..quick },
        Peak::Open(bound) => Order { optimality: Optimality::Open { bound }, ..quick },
    }
}

/// The best of some orders that are quick to make.
pub(crate) fn quick_order(graph: &Graph, clusters: &[Vec<usize>], budget: &mut Budget) -> Order {
    let waits = Waits::new(graph, clusters);
    let mut orders = vec![by_priority(&waits, |k| (0, clusters[k][0])), by_height(&waits, clusters)];
    orders.extend(greedy(graph, clusters, &waits, budget));
    let in_order = |order: Vec<usize>| -> Order {
        let clusters: Vec<Vec<usize>> = order.into_iter().map(|k| clusters[k].clone()).collect();
        Order { peak: peak(graph, &clusters), clusters, optimality: Optimality::Open { bound: 0 } }
    };
    orders.into_iter().map(in_order).min_by_key(|order| order.peak).expect("there are orders")
}

/// Clusters in an order that takes those with the smallest rank first, and then those listed first.
pub(crate) fn ranked(graph: &Graph, clusters: &[Vec<usize>], rank: impl Fn(usize) -> usize) -> Vec<Vec<usize>> {
    let order = by_priority(&Waits::new(graph, clusters), |k| (rank(k), clusters[k][0]));
    order.into_iter().map(|k| clusters[k].clone()).collect()
}

impl Graph {
    /// Each node by itself, in the order in which they are listed as far as dependences allow it.
    pub fn unfused(&self) -> Vec<Vec<usize>> {
        let alone: Vec<Vec<usize>> = (0..self.nodes.len()).map(|node| vec![node]).collect();
        ranked(self, &alone, |_| 0)
    }
}

/// Which clusters wait for which.
struct Waits {
    before: Vec<BTreeSet<usize>>,
    after: Vec<BTreeSet<usize>>,
}

impl Waits {
    fn new(graph: &Graph, clusters: &[Vec<usize>]) -> Waits {
        let of = cluster_of(graph, clusters);
        let mut waits =
            Waits { before: vec![BTreeSet::new(); clusters.len()], after: vec![BTreeSet::new(); clusters.len()] };
        for edge in graph.edges.iter().filter(|edge| of[edge.from] != of[edge.to]) {
            waits.before[of[edge.to]].insert(of[edge.from]);
            waits.after[of[edge.from]].insert(of[edge.to]);
        }
        waits
    }

    fn counts(&self) -> Vec<usize> {
        self.before.iter().map(BTreeSet::len).collect()
    }
}

/// Of the clusters that can run, always the one with the smallest key.
fn by_priority(waits: &Waits, key: impl Fn(usize) -> (usize, usize)) -> Vec<usize> {
    let mut missing = waits.counts();
    let can_run = (0..missing.len()).filter(|k| missing[*k] == 0);
    let mut ready: BinaryHeap<Reverse<((usize, usize), usize)>> = can_run.map(|k| Reverse((key(k), k))).collect();
    let mut order = Vec::new();
    while let Some(Reverse((_, k))) = ready.pop() {
        order.push(k);
        for next in &waits.after[k] {
            missing[*next] -= 1;
            if missing[*next] == 0 {
                ready.push(Reverse((key(*next), *next)));
            }
        }
    }
    order
}

fn by_height(waits: &Waits, clusters: &[Vec<usize>]) -> Vec<usize> {
    let mut height = vec![0; clusters.len()];
    for k in by_priority(waits, |k| (0, k)) {
        height[k] = waits.before[k].iter().map(|before| height[*before] + 1).max().unwrap_or(0);
    }
    by_priority(waits, |k| (height[k], clusters[k][0]))
}

/// Always the cluster with the fewest cells alive while it runs, of these the one with the fewest behind it.
fn greedy(graph: &Graph, clusters: &[Vec<usize>], waits: &Waits, budget: &mut Budget) -> Option<Vec<usize>> {
    let mut lives = Lives::new(graph, clusters);
    let mut missing = waits.counts();
    let mut ready: BTreeSet<usize> = (0..missing.len()).filter(|k| missing[*k] == 0).collect();
    let mut order = Vec::new();
    while !ready.is_empty() {
        budget.spend(ready.iter().map(|k| lives.touched[*k].len() + 1).sum());
        if budget.is_spent() {
            return None;
        }
        let next = *ready.iter().min_by_key(|k| (lives.change(**k), clusters[**k][0])).expect("it is not empty");
        ready.remove(&next);
        lives.run(next);
        order.push(next);
        for after in &waits.after[next] {
            missing[*after] -= 1;
            if missing[*after] == 0 {
                ready.insert(*after);
            }
        }
    }
    Some(order)
}

/// How many clusters each array still waits for.
struct Lives {
    /// By cluster, the arrays that it writes (true) or reads.
    touched: Vec<Vec<(usize, bool)>>,
    /// By array, readers that have not run, and one more if it is needed after all of them.
    waiting: Vec<usize>,
    sizes: Vec<u64>,
}

impl Lives {
    fn new(graph: &Graph, clusters: &[Vec<usize>]) -> Lives {
        let of = cluster_of(graph, clusters);
        let mut touched = vec![Vec::new(); clusters.len()];
        let mut waiting = Vec::new();
        for (number, array) in graph.arrays.iter().enumerate() {
            let home = array.producer.map(|node| of[node]);
            let readers: BTreeSet<usize> =
                array.readers.iter().map(|node| of[*node]).filter(|k| Some(*k) != home).collect();
            waiting.push(readers.len() + usize::from(array.is_live_out));
            if let Some(home) = home.filter(|_| waiting[number] > 0) {
                touched[home].push((number, true));
            }
            readers.into_iter().for_each(|reader| touched[reader].push((number, false)));
        }
        Lives { touched, waiting, sizes: graph.arrays.iter().map(|array| array.size).collect() }
    }

    /// By how much more is alive while a cluster runs, and behind it; compared with now.
    fn change(&self, cluster: usize) -> (i128, i128) {
        let sum = |is_counted: &dyn Fn(&(usize, bool)) -> bool| -> i128 {
            self.touched[cluster]
                .iter()
                .filter(|t| is_counted(t))
                .map(|(array, _)| i128::from(self.sizes[*array]))
                .sum()
        };
        let born = sum(&|(_, is_born)| *is_born);
        let done = sum(&|(array, is_born)| !is_born && self.waiting[*array] == 1);
        (born, born - done)
    }

    fn run(&mut self, cluster: usize) {
        for (array, is_born) in &self.touched[cluster] {
            self.waiting[*array] -= usize::from(!is_born);
        }
    }
}

//! Sets of finished nodes, and steps between them.
//!
//! Clusters that run one after the other are a chain of *ideals*, sets that hold everything before their members:
//!
//! ```text
//! ∅ = S₀ ⊂ S₁ ⊂ … ⊂ V        cluster t is  S_t \ S_(t-1)
//! ```
//!
//! and any chain of ideals is a legal order of legal clusters, as long as no edge inside one cluster prevents fusion. What is alive while a cluster
//! runs is what is needed across either end of it, so that each step has a price that does not depend on the others:
//!
//! ```text
//! alive(S, S') = Σ { size(a) : a is made in S and needed behind it, or made in S' and needed behind that }
//! ```
//!
//! Of clusters only those are taken that grow from one node by removing arrays: any better ones can be split into these, which never makes more
//! cells alive.

use crate::clusters::cluster_of;
use crate::graph::Graph;
use std::collections::HashSet;

/// Most nodes: the bits of a set.
pub(crate) const MOST: usize = 128;

/// A set of nodes.
pub(crate) type Nodes = u128;

#[derive(Clone, Debug)]
struct Life {
    size: u64,
    /// Who makes it; nobody: it is there from the start.
    producer: Option<usize>,
    readers: Nodes,
    is_live_out: bool,
}

/// A graph of at most [`MOST`] nodes, as sets.
#[derive(Clone, Debug)]
pub(crate) struct Ideals {
    count: usize,
    /// By node, everything that has to run before it.
    ancestors: Vec<Nodes>,
    /// By node, those with which it may not be fused; empty if nothing may be.
    apart: Option<Vec<Nodes>>,
    lives: Vec<Life>,
    /// By node, arrays that would go if their readers were fused with it.
    produced: Vec<Vec<usize>>,
}

impl Ideals {
    /// Steps are clusters of nodes.
    pub(crate) fn of_nodes(graph: &Graph) -> Option<Ideals> {
        let nodes: Vec<usize> = (0..graph.nodes.len()).collect();
        let mut ideals = Ideals::new(graph, nodes.len(), &nodes)?;
        let mut apart = vec![0; ideals.count];
        for edge in graph.edges.iter().filter(|edge| edge.prevents_fusion) {
            apart[edge.from] |= 1 << edge.to;
            apart[edge.to] |= 1 << edge.from;
        }
        ideals.apart = Some(apart);
        Some(ideals)
    }

    /// Steps are these clusters, which may be in any order.
    pub(crate) fn of_clusters(graph: &Graph, clusters: &[Vec<usize>]) -> Option<Ideals> {
        Ideals::new(graph, clusters.len(), &cluster_of(graph, clusters))
    }

    fn new(graph: &Graph, count: usize, of: &[usize]) -> Option<Ideals> {
        if count > MOST {
            return None;
        }
        let mut ideals = Ideals {
            count,
            ancestors: ancestors(graph, count, of),
            apart: None,
            lives: Vec::new(),
            produced: vec![Vec::new(); count],
        };
        for array in &graph.arrays {
            let producer = array.producer.map(|node| of[node]);
            let others = array.readers.iter().map(|node| of[*node]).filter(|reader| Some(*reader) != producer);
            let readers = others.fold(0, |set, reader| set | 1 << reader);
            if let Some(producer) = producer.filter(|_| readers != 0 && !array.is_live_out) {
                ideals.produced[producer].push(ideals.lives.len());
            }
            if readers != 0 || array.is_live_out {
                ideals.lives.push(Life { size: array.size, producer, readers, is_live_out: array.is_live_out });
            }
        }
        Some(ideals)
    }

    /// Everything.
    pub(crate) fn all(&self) -> Nodes {
        if self.count == MOST { Nodes::MAX } else { (1 << self.count) - 1 }
    }

    /// Arrays that a look at a step goes through.
    pub(crate) fn work(&self) -> usize {
        self.lives.len() + 1
    }

    /// Cells alive while the step between two ideals runs.
    pub(crate) fn alive(&self, from: Nodes, to: Nodes) -> u64 {
        let is_alive = |life: &&Life| life.crosses(from) || life.crosses(to);
        self.lives.iter().filter(is_alive).map(|life| life.size).sum()
    }

    /// Cells of the arrays that go in a step, and their number.
    pub(crate) fn removed(&self, from: Nodes, to: Nodes) -> (u64, u64) {
        let is_inside = |life: &&Life| {
            let made = life.producer.is_some_and(|node| (to & !from) >> node & 1 == 1);
            made && !life.is_live_out && life.readers & !to == 0
        };
        self.lives.iter().filter(is_inside).fold((0, 0), |(cells, count), life| (cells + life.size, count + 1))
    }

    /// The ideals one step further, each once, in an order that is always the same; `None` past so many.
    pub(crate) fn after(&self, ideal: Nodes, most: usize) -> Option<Vec<Nodes>> {
        let is_ready = |node: &usize| ideal >> node & 1 == 0 && self.ancestors[*node] & !ideal == 0;
        let mut found: Vec<Nodes> = (0..self.count).filter(is_ready).map(|node| ideal | 1 << node).collect();
        let Some(apart) = &self.apart else { return Some(found) };
        let mut seen: HashSet<Nodes> = found.iter().copied().collect();
        let mut next = 0;
        while next < found.len() {
            for grown in self.growths(ideal, found[next], apart) {
                if seen.insert(grown) {
                    found.push(grown);
                }
            }
            if found.len() > most {
                return None;
            }
            next += 1;
        }
        Some(found)
    }

    /// The step with one more array removed.
    fn growths(&self, from: Nodes, to: Nodes, apart: &[Nodes]) -> Vec<Nodes> {
        let mut grown = Vec::new();
        for life in members(to & !from).flat_map(|node| &self.produced[node]).map(|array| &self.lives[*array]) {
            if life.readers & !to != 0 {
                let next = members(life.readers).fold(to, |set, reader| set | 1 << reader | self.ancestors[reader]);
                let cluster = next & !from;
                if members(cluster).all(|node| apart[node] & cluster == 0) {
                    grown.push(next);
                }
            }
        }
        grown
    }

    /// What runs in each step of a chain.
    pub(crate) fn steps_of(&self, chain: &[Nodes]) -> Vec<Vec<usize>> {
        chain.windows(2).map(|pair| members(pair[1] & !pair[0]).collect()).collect()
    }
}

impl Life {
    /// Whether it is made in an ideal and needed behind it.
    fn crosses(&self, ideal: Nodes) -> bool {
        self.producer.is_none_or(|node| ideal >> node & 1 == 1) && (self.is_live_out || self.readers & !ideal != 0)
    }
}

fn members(set: Nodes) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let first = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(first)
    })
}

/// By cluster, those that run before it.
fn ancestors(graph: &Graph, count: usize, of: &[usize]) -> Vec<Nodes> {
    let mut before: Vec<Nodes> = vec![0; count];
    for edge in graph.edges.iter().filter(|edge| of[edge.from] != of[edge.to]) {
        before[of[edge.to]] |= 1 << of[edge.from];
    }
    for _ in 0..count {
        let wider = |set: &Nodes| members(*set).fold(*set, |all, node| all | before[node]);
        let next: Vec<Nodes> = before.iter().map(wider).collect();
        if next == before {
            break;
        }
        before = next;
    }
    before
}

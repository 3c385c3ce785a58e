//! Random graphs, the same in every run.
#![allow(dead_code, unreachable_pub)]

use polyfold_fusion::{Graph, NamedArray, NamedDependence, NamedRead};
use std::collections::HashSet;

/// A linear congruential generator.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// Two different nodes, in ascending order.
    fn pair(&mut self, nodes: usize) -> (usize, usize) {
        let (a, b) = (self.below(nodes), self.below(nodes - 1));
        let b = if b >= a { b + 1 } else { b };
        (a.min(b), a.max(b))
    }

    /// As §3 describes it: 10 to 30 nodes, edges per node as given, a third prevents fusion, sizes from 1 to 100, at most 10 edges into and out
    /// of each node; here each edge has an array of its own.
    pub fn paper_graph(&mut self, edges_per_node: usize) -> Graph {
        let nodes = 10 + self.below(21);
        self.graph_like_the_papers(nodes, edges_per_node)
    }

    /// The same with so many nodes.
    pub fn graph_like_the_papers(&mut self, nodes: usize, edges_per_node: usize) -> Graph {
        let (mut out, mut into, mut used) = (vec![0; nodes], vec![0; nodes], HashSet::new());
        let mut arrays = Vec::new();
        while arrays.len() < edges_per_node * nodes {
            let (from, to) = self.pair(nodes);
            if out[from] == 10 || into[to] == 10 || !used.insert((from, to)) {
                continue;
            }
            (out[from], into[to]) = (out[from] + 1, into[to] + 1);
            let array = NamedArray::new(&format!("a{}", arrays.len()), 1 + self.below(100) as u64, Some(&name(from)));
            arrays.push(NamedArray { readers: vec![NamedRead::new(&name(to), self.one_in(3))], ..array });
        }
        Graph::new(&names(nodes), &arrays, &[]).expect("edges go upwards")
    }

    /// Everything that a graph may have: several readers and edges, arrays from outside and for outside, unread ones, other dependences, and
    /// nodes that are not listed in the order of the dependences.
    pub fn small_graph(&mut self, most_nodes: usize) -> Graph {
        let nodes = 1 + self.below(most_nodes);
        let rank: Vec<usize> = self.shuffled(nodes);
        let rarely_prevents = 2 + self.below(8);
        let arrays: Vec<NamedArray> =
            (0..self.below(2 * nodes + 1)).map(|k| self.array(k, &rank, rarely_prevents)).collect();
        let mut dependences = Vec::new();
        for _ in 0..if nodes > 1 { self.below(3) } else { 0 } {
            let (from, to) = self.pair(nodes);
            let prevents_fusion = self.one_in(2);
            dependences.push(NamedDependence { from: name(rank[from]), to: name(rank[to]), prevents_fusion });
        }
        Graph::new(&names(nodes), &arrays, &dependences).expect("edges go upwards")
    }

    fn array(&mut self, k: usize, rank: &[usize], rarely_prevents: usize) -> NamedArray {
        let producer = self.below(rank.len());
        let is_live_in = self.one_in(8);
        let is_live_out = self.one_in(6);
        let first = if is_live_in { 0 } else { producer + 1 };
        let mut readers = Vec::new();
        for _ in 0..if first < rank.len() { self.below(4) } else { 0 } {
            let reader = first + self.below(rank.len() - first);
            readers.push(NamedRead::new(&name(rank[reader]), self.one_in(rarely_prevents)));
        }
        let producer = (!is_live_in).then(|| name(rank[producer]));
        NamedArray { name: format!("a{k}"), size: self.below(30) as u64, producer, readers, is_live_out }
    }

    fn shuffled(&mut self, count: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..count).collect();
        for k in (1..count).rev() {
            all.swap(k, self.below(k + 1));
        }
        all
    }
}

fn name(node: usize) -> String {
    format!("L{node}")
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(name).collect()
}

//! Some nodes of a graph as a network in which cycles are looked for.
//!
//! Every edge can be walked forwards; an edge of one of some candidate arrays can be walked backwards, too, if the array is removed.
//! Nodes and candidates have numbers of their own here.

use crate::components::Tarjan;
use crate::cycle::{Step, Way};
use crate::graph::{Edge, Graph};
use std::collections::VecDeque;

const FAR: usize = usize::MAX;

/// So many cycles are compared to find one that explains well.
const CYCLES: usize = 8;

#[derive(Clone, Copy, Debug)]
struct Arc {
    from: usize,
    to: usize,
    edge: usize,
    /// The candidate that has to be removed.
    candidate: Option<usize>,
}

/// The network, and what searches in it keep between calls.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    arcs: Vec<Arc>,
    /// By node, its arcs.
    leaving: Vec<Vec<usize>>,
    /// Edges that prevent fusion, with their ends.
    preventing: Vec<(usize, usize, usize)>,
    tarjan: Tarjan,
    distance: Vec<usize>,
    by: Vec<usize>,
    queue: VecDeque<usize>,
}

impl Network {
    /// Some nodes of a graph, and candidates that touch no other nodes.
    pub(crate) fn new(graph: &Graph, nodes: &[usize], edges: &[usize], candidates: &[usize]) -> Network {
        let local = |all: &[usize], what: usize| all.binary_search(&what).ok();
        let mut network = Network::empty(nodes.len());
        for edge in edges {
            let Edge { from, to, array, prevents_fusion } = graph.edges[*edge];
            let (Some(from), Some(to)) = (local(nodes, from), local(nodes, to)) else { continue };
            network.add(Arc { from, to, edge: *edge, candidate: None });
            if let Some(candidate) = array.and_then(|array| local(candidates, array)) {
                network.add(Arc { from: to, to: from, edge: *edge, candidate: Some(candidate) });
            }
            let is_known = network.preventing.iter().rev().take(8).any(|(_, p, q)| (*p, *q) == (from, to));
            if prevents_fusion && !is_known {
                network.preventing.push((*edge, from, to));
            }
        }
        network
    }

    /// All nodes, with these candidates in ascending order.
    pub(crate) fn whole(graph: &Graph, candidates: &[usize]) -> Network {
        let nodes: Vec<usize> = (0..graph.nodes.len()).collect();
        let edges: Vec<usize> = (0..graph.edges.len()).collect();
        Network::new(graph, &nodes, &edges, candidates)
    }

    fn empty(nodes: usize) -> Network {
        Network {
            arcs: Vec::new(),
            leaving: vec![Vec::new(); nodes],
            preventing: Vec::new(),
            tarjan: Tarjan::default(),
            distance: vec![FAR; nodes],
            by: vec![FAR; nodes],
            queue: VecDeque::new(),
        }
    }

    fn add(&mut self, arc: Arc) {
        self.leaving[arc.from].push(self.arcs.len());
        self.arcs.push(arc);
    }

    /// Steps that one look at everything takes.
    pub(crate) fn work(&self) -> usize {
        self.arcs.len() + self.leaving.len() + 1
    }

    /// Steps that looking for a cycle takes.
    pub(crate) fn work_for_cycle(&self) -> usize {
        (CYCLES + 1) * self.work()
    }

    /// The edges that prevent fusion and would be inside a cluster, by their place among those that prevent fusion.
    pub(crate) fn violated(&mut self, is_removed: &[bool]) -> Vec<usize> {
        let (arcs, leaving) = (&self.arcs, &self.leaving);
        self.tarjan.run(leaving.len(), |node, k| {
            let arc = arcs[*leaving[node].get(k)?];
            // An arc that is not there is one from the node to itself.
            Some(if arc.candidate.is_none_or(|candidate| is_removed[candidate]) { arc.to } else { node })
        });
        let component = &self.tarjan.component;
        let is_inside = |(_, p, q): &(usize, usize, usize)| component[*p] == component[*q];
        (0..self.preventing.len()).filter(|place| is_inside(&self.preventing[*place])).collect()
    }

    /// Whether the clusters that removing these candidates asks for are legal.
    pub(crate) fn is_legal(&mut self, is_removed: &[bool]) -> bool {
        self.violated(is_removed).is_empty()
    }

    /// The cycle through an edge that prevents fusion with the fewest steps along removed arrays: the steps behind that edge, as numbers
    /// of arcs.
    fn way_back(&mut self, place: usize, is_removed: &[bool]) -> Vec<usize> {
        let (_, goal, start) = self.preventing[place];
        self.distance.fill(FAR);
        self.distance[start] = 0;
        self.queue.clear();
        self.queue.push_back(start);
        while let Some(node) = self.queue.pop_front() {
            if node == goal {
                break;
            }
            self.relax(node, is_removed);
        }
        self.path(start, goal)
    }

    fn relax(&mut self, node: usize, is_removed: &[bool]) {
        for number in &self.leaving[node] {
            let Arc { to, candidate, .. } = self.arcs[*number];
            if candidate.is_some_and(|candidate| !is_removed[candidate]) {
                continue;
            }
            let distance = self.distance[node] + usize::from(candidate.is_some());
            if distance < self.distance[to] {
                (self.distance[to], self.by[to]) = (distance, *number);
                if candidate.is_some() { self.queue.push_back(to) } else { self.queue.push_front(to) }
            }
        }
    }

    fn path(&self, start: usize, goal: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut node = goal;
        while node != start {
            path.push(self.by[node]);
            node = self.arcs[self.by[node]].from;
        }
        path.reverse();
        path
    }

    /// The candidates on a cycle through a violated edge, of which one has to stay.
    pub(crate) fn cut(&mut self, place: usize, is_removed: &[bool]) -> Vec<usize> {
        let path = self.way_back(place, is_removed);
        let mut cut: Vec<usize> = path.into_iter().filter_map(|arc| self.arcs[arc].candidate).collect();
        cut.sort_unstable();
        cut.dedup();
        cut
    }

    /// A cycle that shows why these candidates cannot all be removed: of some, one along few of them, and short.
    pub(crate) fn cycle(&mut self, is_removed: &[bool]) -> Option<Vec<Step>> {
        let violated = self.violated(is_removed);
        let paths = violated.into_iter().take(CYCLES).map(|place| (place, self.way_back(place, is_removed)));
        let paths: Vec<(usize, Vec<usize>)> = paths.collect();
        let fused = |path: &[usize]| path.iter().filter(|arc| self.arcs[**arc].candidate.is_some()).count();
        let (place, path) = paths.into_iter().min_by_key(|(_, path)| (fused(path), path.len()))?;
        let first = Step { edge: self.preventing[place].0, way: Way::Dependence };
        let way = |arc: &Arc| if arc.candidate.is_some() { Way::Fused } else { Way::Dependence };
        let rest = path.iter().map(|arc| Step { edge: self.arcs[*arc].edge, way: way(&self.arcs[*arc]) });
        Some(std::iter::once(first).chain(rest).collect())
    }
}

//! A graph by names, and everything that can be wrong with it.

use crate::components::components;
use crate::graph::{Array, Edge, Graph};
use std::collections::HashMap;
use std::fmt;

/// A read of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRead {
    /// The reader.
    pub node: String,
    /// Whether it may not be fused with the producer.
    pub prevents_fusion: bool,
}

impl NamedRead {
    /// A read by a node.
    pub fn new(node: &str, prevents_fusion: bool) -> NamedRead {
        NamedRead { node: node.to_string(), prevents_fusion }
    }
}

/// An array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedArray {
    /// Its name.
    pub name: String,
    /// Its cells.
    pub size: u64,
    /// Who writes it; `None` if it holds values before the first node.
    pub producer: Option<String>,
    /// Who reads it.
    pub readers: Vec<NamedRead>,
    /// Whether its values are needed after the last node.
    pub is_live_out: bool,
}

impl NamedArray {
    /// An array that nobody reads so far.
    pub fn new(name: &str, size: u64, producer: Option<&str>) -> NamedArray {
        let producer = producer.map(str::to_string);
        NamedArray { name: name.to_string(), size, producer, readers: Vec::new(), is_live_out: false }
    }
}

/// An order of two nodes that no array asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedDependence {
    /// What comes first.
    pub from: String,
    /// What comes second.
    pub to: String,
    /// Whether they may not be fused.
    pub prevents_fusion: bool,
}

/// What is wrong with a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphError {
    /// A name that cannot be shown: it is empty, or holds control characters. What has it.
    Name(&'static str),
    /// Two nodes, or two arrays, of one name.
    Twice(&'static str, String),
    /// A node that is not among the nodes, and where it is named.
    UnknownNode(String, String),
    /// An array that its own producer reads.
    ReadsOwn(String, String),
    /// A node that depends on itself.
    DependsOnItself(String),
    /// Cells of all arrays are past 64 bits.
    TooManyCells,
    /// Nodes of which each depends on the one before, and the first one on the last; with the array that is read.
    Cycle(Vec<(String, Option<String>)>),
}

impl fmt::Display for GraphError {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            GraphError::Name(what) => write!(out, "{what} has a name that is empty or holds control characters"),
            GraphError::Twice(what, name) => write!(out, "two {what}s have the name {name}"),
            GraphError::UnknownNode(place, node) => write!(out, "{place}: there is no node {node}"),
            GraphError::ReadsOwn(array, node) => {
                write!(out, "array {array}: its producer {node} is among its readers; only other nodes are readers")
            }
            GraphError::DependsOnItself(node) => write!(out, "dependences: {node} depends on itself"),
            GraphError::TooManyCells => write!(out, "the arrays have more than 2^64 - 1 cells in all"),
            GraphError::Cycle(steps) => {
                let first = steps.first().map_or("", |(node, _)| node);
                write!(out, "the data flow has a cycle: ")?;
                for (node, array) in steps {
                    let by = array.as_ref().map_or(String::new(), |array| format!("({array}) "));
                    write!(out, "{node} -> {by}")?;
                }
                write!(out, "{first}")
            }
        }
    }
}

impl std::error::Error for GraphError {}

impl Graph {
    /// The graph of these nodes, arrays and other dependences. The order of the nodes is that in which they run now, as far as
    /// dependences allow it.
    ///
    /// # Errors
    /// What is wrong with it; see [`GraphError`].
    pub fn new(nodes: &[String], arrays: &[NamedArray], dependences: &[NamedDependence]) -> Result<Graph, GraphError> {
        unique("node", nodes.iter())?;
        unique("array", arrays.iter().map(|array| &array.name))?;
        let numbers = Numbers(nodes.iter().enumerate().map(|(number, name)| (name.as_str(), number)).collect());
        let mut graph = Graph { nodes: nodes.to_vec(), arrays: Vec::new(), edges: Vec::new() };
        for array in arrays {
            graph.add_array(&numbers, array)?;
        }
        for dependence in dependences {
            graph.edges.push(numbers.dependence(dependence)?);
        }
        let total = arrays.iter().try_fold(0u64, |sum, array| sum.checked_add(array.size));
        total.ok_or(GraphError::TooManyCells)?;
        graph.cycle().map_or(Ok(graph), |cycle| Err(GraphError::Cycle(cycle)))
    }

    fn add_array(&mut self, numbers: &Numbers, array: &NamedArray) -> Result<(), GraphError> {
        let number = self.arrays.len();
        let place = |role: &str| format!("{role} of array {}", array.name);
        let producer = array.producer.as_ref().map(|node| numbers.of(place("producer"), node)).transpose()?;
        let mut readers = Vec::new();
        for read in &array.readers {
            let reader = numbers.of(place("reader"), &read.node)?;
            readers.push(reader);
            let Some(from) = producer else { continue };
            if from == reader {
                return Err(GraphError::ReadsOwn(array.name.clone(), read.node.clone()));
            }
            let prevents_fusion = read.prevents_fusion;
            self.edges.push(Edge { from, to: reader, array: Some(number), prevents_fusion });
        }
        readers.sort_unstable();
        readers.dedup();
        let (name, size, is_live_out) = (array.name.clone(), array.size, array.is_live_out);
        self.arrays.push(Array { name, size, producer, readers, is_live_out });
        Ok(())
    }

    /// A cycle of dependences, if there is one.
    fn cycle(&self) -> Option<Vec<(String, Option<String>)>> {
        let component = components(&self.successors());
        let start = self.edges.iter().position(|edge| component[edge.from] == component[edge.to])?;
        let path = self.path_back(start);
        let named = |edge: &usize| {
            let Edge { from, array, .. } = self.edges[*edge];
            (self.nodes[from].clone(), array.map(|array| self.arrays[array].name.clone()))
        };
        Some(path.iter().map(named).collect())
    }

    /// An edge, and the shortest path from its end to its start, which is there.
    fn path_back(&self, start: usize) -> Vec<usize> {
        let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (number, edge) in self.edges.iter().enumerate() {
            leaving[edge.from].push(number);
        }
        let mut by: Vec<Option<usize>> = vec![None; self.nodes.len()];
        by[self.edges[start].to] = Some(start);
        let mut queue = std::collections::VecDeque::from([self.edges[start].to]);
        while let Some(node) = queue.pop_front() {
            for edge in &leaving[node] {
                let next = self.edges[*edge].to;
                if by[next].is_none() {
                    by[next] = Some(*edge);
                    queue.push_back(next);
                }
            }
        }
        let mut path = Vec::new();
        let mut node = self.edges[start].from;
        while let Some(edge) = by[node] {
            path.push(edge);
            if edge == start {
                break;
            }
            node = self.edges[edge].from;
        }
        path.reverse();
        path
    }

    /// By node, what depends on it.
    pub(crate) fn successors(&self) -> Vec<Vec<usize>> {
        let mut successors = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            successors[edge.from].push(edge.to);
        }
        successors
    }
}

/// Numbers of nodes by name.
struct Numbers<'a>(HashMap<&'a str, usize>);

impl Numbers<'_> {
    fn of(&self, place: String, node: &str) -> Result<usize, GraphError> {
        self.0.get(node).copied().ok_or_else(|| GraphError::UnknownNode(place, node.to_string()))
    }

    fn dependence(&self, named: &NamedDependence) -> Result<Edge, GraphError> {
        let place = |end: &str| format!("dependences, {end}");
        let (from, to) = (self.of(place("from"), &named.from)?, self.of(place("to"), &named.to)?);
        if from == to {
            return Err(GraphError::DependsOnItself(named.from.clone()));
        }
        Ok(Edge { from, to, array: None, prevents_fusion: named.prevents_fusion })
    }
}

fn unique<'a>(what: &'static str, names: impl Iterator<Item = &'a String>) -> Result<(), GraphError> {
    let mut seen = std::collections::HashSet::new();
    for name in names {
        if name.is_empty() || name.chars().any(char::is_control) {
            return Err(GraphError::Name(what));
        }
        if !seen.insert(name) {
            return Err(GraphError::Twice(what, name.clone()));
        }
    }
    Ok(())
}

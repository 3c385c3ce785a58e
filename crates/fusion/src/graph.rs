//! The data-flow graph of loop nests (§2.1).
//!
//! ```text
//! G = (V, E, A)    V: nests    E: dependences    A: arrays, each with a size
//! ```
//!
//! An array has one producer at most, and a read of it is an edge from there to the reader. Without a producer its values come from
//! outside. Two nests may have several edges, as in the paper. Other dependences (an array that is written twice, say) are edges without an
//! array. A graph is made from names by [`Graph::new`](crate::Graph::new), which checks it; nodes and arrays are numbers from then on.

/// A dependence between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// What comes first.
    pub from: usize,
    /// What comes second.
    pub to: usize,
    /// The array that is read; `None` for an order without one.
    pub array: Option<usize>,
    /// Whether the ends may not be in one cluster.
    pub prevents_fusion: bool,
}

/// An array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// Its cells.
    pub size: u64,
    /// Who writes it; `None` if it holds values before the first node.
    pub producer: Option<usize>,
    /// Who reads it, in ascending order.
    pub readers: Vec<usize>,
    /// Whether its values are needed after the last node.
    pub is_live_out: bool,
}

/// A data-flow graph without cycles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    pub(crate) nodes: Vec<String>,
    pub(crate) arrays: Vec<Array>,
    pub(crate) edges: Vec<Edge>,
}

impl Graph {
    /// Names of the nodes.
    pub fn nodes(&self) -> &[String] {
        &self.nodes
    }

    /// The arrays.
    pub fn arrays(&self) -> &[Array] {
        &self.arrays
    }

    /// The dependences: those of the arrays in their order, then the others.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Cells of all arrays.
    pub fn cells(&self) -> u64 {
        self.arrays.iter().map(|array| array.size).sum()
    }

    /// Cells of some arrays.
    pub(crate) fn cells_of(&self, arrays: &[usize]) -> u64 {
        arrays.iter().map(|array| self.arrays[*array].size).sum()
    }

    /// Whether an array could be without memory if all who touch it were fused.
    pub(crate) fn is_internal(&self, array: usize) -> bool {
        self.arrays[array].producer.is_some() && !self.arrays[array].is_live_out
    }
}

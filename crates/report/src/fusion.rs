//! What was found for a data-flow graph of loop nests (JSON, schema `polyfold-fusion/1`).
//!
//! Plain data; whoever has the facts fills it in.

use serde::Serialize;

/// The result for one graph.
#[derive(Clone, Debug, Serialize)]
pub struct FusionReport {
    /// Always `polyfold-fusion/1`.
    pub schema: &'static str,
    /// What was asked for.
    pub objective: FusionObjective,
    /// Whether nothing is better by that.
    pub optimal: bool,
    /// If that is not proved: at most so many cells can be removed, or at least so many are alive at once.
    pub bound: Option<u64>,
    /// Whether no order of these clusters has fewer cells alive at once.
    pub order_optimal: bool,
    /// In the order in which they run.
    pub clusters: Vec<FusedNodes>,
    /// Every array, in the order of the input.
    pub arrays: Vec<FusionArray>,
    /// Cells of all arrays, before and after.
    pub cells: [u64; 2],
    /// The most cells alive at once: nothing fused and nodes in the order of the input, as far as dependences allow, and now.
    pub memory: [u64; 2],
}

/// What is best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FusionObjective {
    /// Most cells of removed arrays.
    Removed,
    /// Fewest cells alive at once.
    Memory,
}

/// A cluster.
#[derive(Clone, Debug, Serialize)]
pub struct FusedNodes {
    /// Its nodes.
    pub nodes: Vec<String>,
    /// Arrays that need no memory for that.
    pub removed: Vec<String>,
    /// Cells alive while it runs.
    pub alive: u64,
}

/// What became of an array.
#[derive(Clone, Debug, Serialize)]
pub struct FusionArray {
    /// Its name.
    pub name: String,
    /// Its cells.
    pub size: u64,
    /// Whether it is gone.
    pub removed: bool,
    /// For others: why, in one sentence.
    pub reason: Option<String>,
    /// The cycle in that sentence; the first edge prevents fusion, and the end of each step is the start of the next one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cycle: Vec<CycleStep>,
}

/// A step of a cycle.
#[derive(Clone, Debug, Serialize)]
pub struct CycleStep {
    /// Where it starts.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// The array of the edge; `null` for a dependence without one.
    pub array: Option<String>,
    /// How it goes.
    pub way: StepWay,
}

/// How a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StepWay {
    /// Along an edge that prevents fusion.
    Apart,
    /// Along an edge that need not prevent fusion.
    Before,
    /// Backwards along an edge of an array that is removed, or to be removed.
    Fused,
}

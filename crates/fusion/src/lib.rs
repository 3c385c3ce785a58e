//! Loop fusion for memory, on a bare data-flow graph. Knows no programs.
//!
//! Nodes are loop nests; an array that one nest writes and others read is an edge to each of them; some edges prevent fusion of
//! their ends. If all nests that touch an array are fused, its values need no memory of their own. Nests that are fused are a
//! *cluster*, and
//!
//! ```text
//! clusters are legal iff   no edge inside one prevents fusion   and   the edges between them make no cycle
//! ```
//!
//! Not all arrays can go at once. Two objectives:
//!
//! | [`Objective`] | finds | how |
//! |---|---|---|
//! | `Removed` | the largest total size of arrays that go | the paper's integer program, with its rows made as needed |
//! | `Memory` | the least `MemoryCost`, the largest sum of arrays alive at once | the best chain of sets of finished nests |
//!
//! Both are exact within a [`Budget`] of steps; past it the answer is the best one known, legal all the same, and says how far from
//! the optimum it may be ([`Optimality`]).
//!
//! Paper: Fraboulet, Kodary, Mignotte, "Loop Fusion for Memory Space Optimization" (ISSS 2001), §2. Deviations are marked where
//! they are made; [`clusters`] and [`Objective`] have one each.
//!
//! The paper's Figure 5: a1 cannot go, since that would fuse L1, L2 and L4 around L3, which must not be fused with L2.
//!
//! ```
//! use polyfold_fusion::{Budget, Graph, NamedArray, NamedRead, Objective, fuse};
//! let array = |name, producer, readers: &[(&str, bool)]| NamedArray {
//!     readers: readers.iter().map(|(node, prevents)| NamedRead::new(node, *prevents)).collect(),
//!     ..NamedArray::new(name, 100, Some(producer))
//! };
//! let arrays = [
//!     array("a1", "L1", &[("L2", false), ("L4", false)]),
//!     array("a2", "L2", &[("L3", true), ("L4", false)]),
//!     array("a3", "L3", &[("L4", false)]),
//!     array("a4", "L4", &[("L5", false)]),
//! ];
//! let graph = Graph::new(&["L1", "L2", "L3", "L4", "L5"].map(String::from), &arrays, &[])?;
//! let fusion = fuse(&graph, Objective::Removed, Budget::new(1_000_000));
//! assert_eq!(fusion.removed, [2, 3]);
//! assert_eq!(fusion.clusters.iter().map(|cluster| cluster.nodes.clone()).collect::<Vec<_>>(), [
//!     vec![0], vec![1], vec![2, 3, 4]
//! ]);
//! # Ok::<(), polyfold_fusion::GraphError>(())
//! ```

mod bottleneck;
mod budget;
mod clusters;
mod components;
mod cycle;
mod draft;
mod fuse;
mod graph;
mod ideals;
mod least_memory;
mod memory;
mod network;
mod obstacle;
mod order;
mod regions;
mod search;

pub use budget::Budget;
pub use clusters::clusters;
pub use cycle::{Step, Way};
pub use draft::{GraphError, NamedArray, NamedDependence, NamedRead};
pub use fuse::{Cluster, Fusion, Objective, Optimality, fuse};
pub use graph::{Array, Edge, Graph};
pub use memory::alive;
pub use obstacle::Obstacle;

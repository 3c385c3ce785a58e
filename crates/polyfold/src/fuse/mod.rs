//! Loop nests of a data-flow graph to fuse, without a program: from JSON to a report.
//!
//! Paper: Fraboulet, Kodary, Mignotte, ISSS 2001. The method is in `polyfold_fusion`, the file's
//! format in docs/reference/formats.md.
//!
//! ```
//! use polyfold::fuse::{read, study};
//! use polyfold_fusion::{Budget, Objective};
//! let text = r#"{ "nodes": ["L1", "L2"], "arrays": [{ "name": "a", "size": 9, "producer": "L1", "readers": ["L2"] }] }"#;
//! let report = study(&read(text)?, Objective::Removed, Budget::new(1_000));
//! assert_eq!(report.cells, [9, 0]);
//! # Ok::<(), String>(())
//! ```

mod file;
mod words;

pub use file::read;

use polyfold_fusion::{Budget, Fusion, Graph, Objective, Obstacle, Optimality, alive, fuse};
use polyfold_report::{FusedNodes, FusionArray, FusionObjective, FusionReport};

/// What to fuse in a graph.
pub fn study(graph: &Graph, objective: Objective, budget: Budget) -> FusionReport {
    let fusion = fuse(graph, objective, budget);
    let bound = match fusion.optimality {
        Optimality::Proved => None,
        Optimality::Open { bound } => Some(bound),
    };
    FusionReport {
        schema: "polyfold-fusion/1",
        objective: match objective {
            Objective::Removed => FusionObjective::Removed,
            Objective::Memory => FusionObjective::Memory,
        },
        optimal: bound.is_none(),
        bound,
        order_optimal: fusion.order == Optimality::Proved,
        clusters: clusters(graph, &fusion),
        arrays: arrays(graph, &fusion),
        cells: [graph.cells(), graph.cells() - fusion.cells_removed],
        memory: [alive(graph, &graph.unfused()).into_iter().max().unwrap_or(0), fusion.peak],
    }
}

fn clusters(graph: &Graph, fusion: &Fusion) -> Vec<FusedNodes> {
    let array_names =
        |numbers: &[usize]| numbers.iter().map(|number| graph.arrays()[*number].name.clone()).collect::<Vec<_>>();
    let named = fusion.clusters.iter().map(|cluster| FusedNodes {
        nodes: cluster.nodes.iter().map(|node| graph.nodes()[*node].clone()).collect(),
        removed: array_names(&cluster.removed),
        alive: cluster.alive,
    });
    named.collect()
}

fn arrays(graph: &Graph, fusion: &Fusion) -> Vec<FusionArray> {
    let described = |(number, array): (usize, &polyfold_fusion::Array)| {
        let obstacle = fusion.obstacles.iter().find(|(kept, _)| *kept == number).map(|(_, why)| why);
        let cycle = match obstacle {
            Some(Obstacle::Alone(cycle) | Obstacle::Together(cycle)) => words::steps(graph, cycle),
            _ => Vec::new(),
        };
        FusionArray {
            name: array.name.clone(),
            size: array.size,
            removed: obstacle.is_none(),
            reason: obstacle.map(|why| words::reason(graph, number, why, &cycle)),
            cycle,
        }
    };
    graph.arrays().iter().enumerate().map(described).collect()
}

//! Why arrays stay, in words.

use polyfold_fusion::{Graph, Obstacle, Step, Way};
use polyfold_report::{CycleStep, StepWay};

/// A cycle by names.
pub(super) fn steps(graph: &Graph, cycle: &[Step]) -> Vec<CycleStep> {
    let named = |(place, step): (usize, &Step)| {
        let edge = graph.edges()[step.edge];
        let way = match step.way {
            Way::Fused => StepWay::Fused,
            Way::Dependence if place == 0 || edge.prevents_fusion => StepWay::Apart,
            Way::Dependence => StepWay::Before,
        };
        let (from, to) = if way == StepWay::Fused { (edge.to, edge.from) } else { (edge.from, edge.to) };
        let array = edge.array.map(|array| graph.arrays()[array].name.clone());
        CycleStep { from: graph.nodes()[from].clone(), to: graph.nodes()[to].clone(), array, way }
    };
    cycle.iter().enumerate().map(named).collect()
}

/// Why an array stays, in one sentence.
pub(super) fn reason(graph: &Graph, array: usize, why: &Obstacle, cycle: &[CycleStep]) -> String {
    match why {
        Obstacle::LiveIn => "holds values from outside".to_string(),
        Obstacle::LiveOut => "needed outside".to_string(),
        Obstacle::Read(edge) => format!("{} reads it and may not be fused with its producer", reader(graph, *edge)),
        Obstacle::Alone(_) => format!("never: {}", circle(cycle)),
        Obstacle::Together(_) => format!("not {}: {}", besides(graph, array, cycle), circle(cycle)),
        Obstacle::Memory(cells) => {
            format!("could go, but then {cells} cells are alive at once, in the best order found")
        }
        Obstacle::Open => "not looked at: the bound on work was reached".to_string(),
    }
}

fn reader(graph: &Graph, edge: usize) -> &str {
    &graph.nodes()[graph.edges()[edge].to]
}

/// `L2 -/-> L3 (a2), L3 = L1 (a1), …`
fn circle(cycle: &[CycleStep]) -> String {
    let sign = |way: StepWay| match way {
        StepWay::Apart => "-/->",
        StepWay::Before => "->",
        StepWay::Fused => "=",
    };
    let step = |step: &CycleStep| {
        let by = step.array.as_ref().map_or(String::new(), |array| format!(" ({array})"));
        format!("{} {} {}{by}", step.from, sign(step.way), step.to)
    };
    cycle.iter().map(step).collect::<Vec<_>>().join(", ")
}

/// The removed arrays on a cycle besides this one.
fn besides(graph: &Graph, array: usize, cycle: &[CycleStep]) -> String {
    let fused = cycle.iter().filter(|step| step.way == StepWay::Fused).filter_map(|step| step.array.as_deref());
    let mut others: Vec<&str> = fused.filter(|name| *name != graph.arrays()[array].name).collect();
    others.sort_unstable();
    others.dedup();
    format!("besides {}", others.join(", "))
}

//! Small random graphs: both objectives against all set partitions in all orders; larger ones: legality, with and without enough
//! budget.

use crate::judge;
use crate::numbers::Numbers;
use polyfold_fusion::{Budget, Fusion, Graph, Objective, Obstacle, Optimality, Way, fuse};

const SMALL: usize = 10_000;
const PLENTY: u64 = 50_000_000;

#[test]
fn small_graphs_agree_with_all_set_partitions() {
    let partitions: Vec<_> = (0..=6).map(judge::partitions).collect();
    let mut numbers = Numbers(1);
    let mut differ = 0;
    for _ in 0..SMALL {
        let graph = numbers.small_graph(6);
        let all = &partitions[graph.nodes().len()];
        let most = fuse(&graph, Objective::Removed, Budget::new(PLENTY));
        judge::check(&graph, &most);
        assert_eq!(most.optimality, Optimality::Proved);
        assert_eq!(most.cells_removed, judge::most_removed(&graph, all), "{graph:?}");
        has_the_best_order(&graph, &most);
        explains(&graph, &most);
        let least = fuse(&graph, Objective::Memory, Budget::new(PLENTY));
        judge::check(&graph, &least);
        assert_eq!(least.optimality, Optimality::Proved);
        assert_eq!((least.peak, least.cells_removed), judge::least_memory(&graph, all), "{graph:?}");
        explains(&graph, &least);
        let hurried = fuse(&graph, Objective::Memory, Budget::new(numbers.below(2_000) as u64));
        judge::check(&graph, &hurried);
        match hurried.optimality {
            Optimality::Proved => assert_eq!(hurried.peak, least.peak),
            Optimality::Open { bound } => assert!(bound <= least.peak && least.peak <= hurried.peak, "{graph:?}"),
        }
        differ += usize::from(least.peak < most.peak);
    }
    assert!(differ > 20, "the objectives differ in {differ} graphs only");
}

/// No other order of the same clusters has fewer cells alive at once.
fn has_the_best_order(graph: &Graph, fusion: &Fusion) {
    let clusters: Vec<Vec<usize>> = fusion.clusters.iter().map(|cluster| cluster.nodes.clone()).collect();
    let orders = judge::orders(graph, &judge::labels(graph, &clusters));
    let best = orders.iter().map(|order| judge::memory_cost(graph, order)).min();
    assert_eq!((Some(fusion.peak), fusion.order), (best, Optimality::Proved));
}

/// Each cycle is closed, begins with an edge that prevents fusion, and goes back along arrays that are removed, or the one explained.
fn explains(graph: &Graph, fusion: &Fusion) {
    for (array, obstacle) in &fusion.obstacles {
        let (cycle, others): (_, &[usize]) = match obstacle {
            Obstacle::Alone(cycle) => (cycle, &[]),
            Obstacle::Together(cycle) => (cycle, &fusion.removed),
            Obstacle::Read(edge) => {
                assert!(graph.edges()[*edge].prevents_fusion && graph.edges()[*edge].array == Some(*array));
                continue;
            }
            Obstacle::Memory(cells) => {
                assert!(*cells > fusion.peak);
                continue;
            }
            Obstacle::LiveIn => {
                assert!(graph.arrays()[*array].producer.is_none());
                continue;
            }
            Obstacle::LiveOut => {
                assert!(graph.arrays()[*array].is_live_out);
                continue;
            }
            Obstacle::Open => panic!("the budget was enough"),
        };
        let ends = |k: usize| {
            let edge = graph.edges()[cycle[k % cycle.len()].edge];
            if cycle[k % cycle.len()].way == Way::Fused { (edge.to, edge.from) } else { (edge.from, edge.to) }
        };
        assert!(graph.edges()[cycle[0].edge].prevents_fusion && cycle[0].way == Way::Dependence);
        assert!((0..cycle.len()).all(|k| ends(k).1 == ends(k + 1).0), "{cycle:?} is not closed");
        for step in cycle.iter().filter(|step| step.way == Way::Fused) {
            let along = graph.edges()[step.edge].array.expect("an array");
            assert!(along == *array || others.contains(&along));
        }
    }
}

#[test]
fn any_budget_gives_legal_answers() {
    let mut numbers = Numbers(2);
    for turn in 0..150 {
        let graph = numbers.paper_graph(2);
        let exact = fuse(&graph, Objective::Removed, Budget::new(PLENTY)).cells_removed;
        for steps in [0, 1, 300, 3_000, 10_000, 30_000] {
            let fusion = fuse(&graph, Objective::Removed, Budget::new(steps));
            judge::check(&graph, &fusion);
            match fusion.optimality {
                Optimality::Proved => assert_eq!(fusion.cells_removed, exact),
                Optimality::Open { bound } => assert!(fusion.cells_removed <= exact && exact <= bound),
            }
            if turn < 30 {
                let least = fuse(&graph, Objective::Memory, Budget::new(steps));
                judge::check(&graph, &least);
                assert!(matches!(least.optimality, Optimality::Open { bound } if bound <= least.peak) || steps > 0);
            }
        }
    }
}

//! Where the paper, taken literally, is wrong: each reading of it, and a graph that shows it.

use crate::judge;
use polyfold_fusion::{Budget, Graph, NamedArray, NamedRead, Objective, Optimality, clusters, fuse};
use std::collections::BTreeSet;

/// From, to, array, whether it prevents fusion: an array's size is its entry in `sizes`.
fn graph(nodes: usize, edges: &[(usize, usize, usize, bool)], sizes: &[u64], live_out: &[usize]) -> Graph {
    let name = |node: usize| format!("L{node}");
    let array = |number: usize| {
        let reads: Vec<_> = edges.iter().filter(|edge| edge.2 == number).collect();
        NamedArray {
            readers: reads.iter().map(|edge| NamedRead::new(&name(edge.1), edge.3)).collect(),
            is_live_out: live_out.contains(&number),
            ..NamedArray::new(&format!("a{number}"), sizes[number], Some(&name(reads[0].0)))
        }
    };
    let arrays: Vec<NamedArray> = (0..sizes.len()).map(array).collect();
    Graph::new(&(0..nodes).map(name).collect::<Vec<_>>(), &arrays, &[]).expect("a graph")
}

/// Figure 7 as printed: whoever is reached, and all t that equal v, whether or not there is an edge to v.
fn figure_7(
    graph: &Graph,
    k: usize,
    u: usize,
    v: usize,
    mark: &mut BTreeSet<usize>,
    cycles: &mut Vec<BTreeSet<usize>>,
) {
    mark.insert(k);
    for t in 0..graph.nodes().len() {
        let is_edge = |from: usize, to: usize| graph.edges().iter().any(|edge| (edge.from, edge.to) == (from, to));
        let is_starred = graph.edges().iter().any(|e| (e.from, e.to) == (k, t) && !e.prevents_fusion);
        if t == v && t != u {
            cycles.push(mark.clone());
        } else if (is_starred || is_edge(t, k)) && !mark.contains(&t) {
            figure_7(graph, t, u, v, mark, cycles);
        }
    }
    mark.remove(&k);
}

/// Its test for the end of a cycle asks for no edge, so that a chain is full of cycles, one of which has no array to keep.
#[test]
fn isss01_fig7_finds_cycles_where_there_are_none() {
    let graph = graph(3, &[(0, 1, 0, false), (1, 2, 1, true)], &[5, 5], &[]);
    let mut cycles = Vec::new();
    figure_7(&graph, 1, 1, 2, &mut BTreeSet::new(), &mut cycles);
    assert!(cycles.contains(&BTreeSet::from([1])), "{cycles:?}");
    let fusion = fuse(&graph, Objective::Removed, Budget::new(100_000));
    judge::check(&graph, &fusion);
    assert_eq!((fusion.removed, fusion.optimality), (vec![0], Optimality::Proved));
}

/// §2.4 as printed: what the removed edges connect, and all nodes on paths of the graph between two members, until nothing changes.
fn section_2_4(graph: &Graph, removed: &[usize]) -> Vec<usize> {
    let nodes = graph.nodes().len();
    let mut labels: Vec<usize> = (0..nodes).collect();
    let merge = |labels: &mut Vec<usize>, a: usize, b: usize| {
        let (old, new) = (labels[a].max(labels[b]), labels[a].min(labels[b]));
        labels.iter_mut().filter(|label| **label == old).for_each(|label| *label = new);
    };
    let mut reaches = vec![vec![false; nodes]; nodes];
    for edge in graph.edges() {
        reaches[edge.from][edge.to] = true;
        if edge.array.is_some_and(|array| removed.contains(&array)) {
            merge(&mut labels, edge.from, edge.to);
        }
    }
    for (k, i, j) in (0..nodes * nodes * nodes).map(|n| (n / nodes / nodes, n / nodes % nodes, n % nodes)) {
        reaches[i][j] |= reaches[i][k] && reaches[k][j];
    }
    loop {
        let before = labels.clone();
        for (u, v, w) in (0..nodes * nodes * nodes).map(|n| (n / nodes / nodes, n / nodes % nodes, n % nodes)) {
            if labels[u] == labels[v] && reaches[u][w] && reaches[w][v] {
                merge(&mut labels, u, w);
            }
        }
        if labels == before {
            return labels;
        }
    }
}

/// Two clusters that wait for each other through arrays of which neither is removed.
#[test]
fn isss01_section_2_4_makes_clusters_that_wait_for_each_other() {
    let graph =
        graph(4, &[(0, 2, 0, false), (3, 1, 1, false), (0, 1, 2, false), (3, 2, 3, false)], &[10, 10, 1, 1], &[2, 3]);
    assert_eq!(section_2_4(&graph, &[0, 1]), [0, 1, 0, 1]);
    assert!(!judge::is_legal(&graph, &section_2_4(&graph, &[0, 1])));
    assert_eq!(clusters(&graph, &[0, 1]), [vec![0, 1, 2, 3]]);
    let fusion = fuse(&graph, Objective::Removed, Budget::new(100_000));
    judge::check(&graph, &fusion);
    assert_eq!((fusion.removed.as_slice(), fusion.clusters.len()), ([0, 1].as_slice(), 1));
}

/// All cycles of Proposition 1, as the arrays on μ⁺, found one after the other and cut short.
fn enumerated(graph: &Graph, most: usize) -> Vec<BTreeSet<usize>> {
    fn walk(
        graph: &Graph,
        path: &mut Vec<usize>,
        arrays: &BTreeSet<usize>,
        v: usize,
        found: &mut Vec<BTreeSet<usize>>,
    ) {
        let k = *path.last().expect("a start");
        if k == v {
            found.push(arrays.clone());
            return;
        }
        for edge in graph.edges() {
            let forwards = edge.from == k && !edge.prevents_fusion;
            let next = if forwards { edge.to } else { edge.from };
            if (forwards || edge.to == k) && !path.contains(&next) {
                let mut more = arrays.clone();
                more.extend(edge.array.filter(|_| forwards));
                path.push(next);
                walk(graph, path, &more, v, found);
                path.pop();
            }
        }
    }
    let mut found = Vec::new();
    for edge in graph.edges().iter().filter(|edge| edge.prevents_fusion) {
        walk(graph, &mut vec![edge.from], &BTreeSet::new(), edge.to, &mut found);
    }
    found.truncate(most);
    found
}

/// The cheapest arrays that hit all of some cycles.
fn kept(sizes: &[u64], cycles: &[BTreeSet<usize>]) -> BTreeSet<usize> {
    let subsets = (0..1u32 << sizes.len()).map(|bits| (0..sizes.len()).filter(|a| bits >> a & 1 == 1).collect());
    let hits = |kept: &BTreeSet<usize>| cycles.iter().all(|cycle| !cycle.is_disjoint(kept));
    subsets.filter(hits).min_by_key(|kept| kept.iter().map(|a| sizes[*a]).sum::<u64>()).expect("everything stays")
}

/// Two conflicts; an enumeration that ends after the first cycle fuses around the other one.
#[test]
fn enumerating_some_of_the_cycles_is_not_legal() {
    let conflict = |first: usize, array: usize| {
        let [u, v, w] = [first, first + 1, first + 2];
        [(u, v, array, false), (v, w, array + 1, true), (u, w, array + 2, false)]
    };
    let edges: Vec<_> = conflict(0, 0).into_iter().chain(conflict(3, 3)).collect();
    let sizes = [4, 1, 9, 4, 1, 9];
    let graph = graph(6, &edges, &sizes, &[]);
    let all = enumerated(&graph, usize::MAX);
    assert_eq!(all.len(), 2);
    for (cycles, is_legal) in [(&all[..1], false), (&all[..], true)] {
        let kept = kept(&sizes, cycles);
        let removed: Vec<usize> = (0..6).filter(|a| !kept.contains(a) && ![1, 4].contains(a)).collect();
        let labels = judge::labels(&graph, &clusters(&graph, &removed));
        assert_eq!(judge::is_legal(&graph, &labels), is_legal, "{cycles:?} {removed:?}");
    }
    let fusion = fuse(&graph, Objective::Removed, Budget::new(100_000));
    judge::check(&graph, &fusion);
    assert_eq!(fusion.removed, [0, 3]);
}

/// What removes most needs 309 cells at once, 279 are enough, and 337 are alive if nothing is fused.
#[test]
fn removing_most_is_not_the_least_memory() {
    let edges = [
        (4, 5, 0, true),
        (3, 5, 1, true),
        (0, 2, 2, false),
        (1, 3, 3, false),
        (0, 3, 2, true),
        (3, 4, 4, false),
        (1, 2, 5, true),
        (2, 4, 6, false),
        (0, 5, 7, false),
        (1, 5, 8, true),
        (0, 4, 9, false),
        (0, 1, 10, false),
    ];
    let graph = graph(6, &edges, &[12, 33, 25, 26, 49, 94, 15, 43, 40, 36, 73], &[]);
    let most = fuse(&graph, Objective::Removed, Budget::new(1_000_000));
    let least = fuse(&graph, Objective::Memory, Budget::new(1_000_000));
    for fusion in [&most, &least] {
        judge::check(&graph, fusion);
        assert_eq!((fusion.optimality, fusion.order), (Optimality::Proved, Optimality::Proved));
    }
    assert_eq!((most.removed.as_slice(), most.peak), ([4, 6, 10].as_slice(), 309));
    assert_eq!((least.removed.as_slice(), least.peak), ([4, 10].as_slice(), 279));
    let one_by_one: Vec<usize> = (0..6).collect();
    let unfused = judge::orders(&graph, &one_by_one).iter().map(|order| judge::memory_cost(&graph, order)).min();
    assert_eq!(unfused, Some(337));
}

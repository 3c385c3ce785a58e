//! The loops that stand next to each other at one level, as a data-flow graph.
//!
//! Nodes are loops, and statements outside of loops; an array's node of origin is each loop that writes what another one reads. A
//! dependence prevents the fusion of two loops if no fixed number of iterations keeps the later one behind the earlier one.

use crate::axis::Axis;
use crate::dependence::Dependence;
use crate::fused::{Apart, Goal};
use crate::loop_order::LoopOrder;
use crate::place::{Course, Place, Places};
use polyfold_flow::{Model, has_few_turns};
use polyfold_fusion::{Budget, Graph, NamedArray, NamedDependence, NamedRead, fuse};
use polyfold_isl::Result;
use polyfold_scop::{ArrayId, LoopId, StatementId};
use std::collections::{BTreeMap, BTreeSet};

/// A loop that runs further behind than this waits for the end of another one rather than for some of its iterations.
pub(crate) const FURTHEST: i64 = 64;

/// Bound on the work for the graph of one level.
const STEPS: u64 = 1_000_000;

/// A loop, or a statement outside of loops, of one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) statements: Vec<StatementId>,
    pub(crate) is_loop: bool,
    /// How many loops there are in it, one inside the other, with its own.
    pub(crate) depth: usize,
    /// Whether its own loop has few turns.
    pub(crate) is_short: bool,
    /// Whether all loops inside its own have, so that compilers unroll them.
    pub(crate) has_short_ones: bool,
    /// Where it stands in a loop that it shares.
    pub(crate) place: Place,
}

impl Item {
    /// Whether it has iterations in a shared loop, and not all of it runs in one.
    pub(crate) fn goes_along(&self) -> bool {
        self.is_loop && self.place.course != Course::Once
    }

    /// Whether it goes along a loop that no other one is inside of, but for those of a few turns.
    pub(crate) fn is_innermost(&self) -> bool {
        self.goes_along() && self.has_short_ones
    }

    fn is_in_loop(&self) -> bool {
        self.is_loop || self.place.course == Course::Once
    }
}

/// Statements in text order, by the next loop of theirs, in that order of loops, behind so many that they are in already.
pub(crate) fn items(model: &Model, statements: &[StatementId], (order, entered): (&LoopOrder, &[usize])) -> Vec<Item> {
    let mut found: Vec<Item> = Vec::new();
    let mut last: Option<Vec<(LoopId, i64)>> = None;
    for id in statements {
        let (left, loops) = (order.left(*id, entered[id.0]), &model.scop.statement(*id).loops);
        let is_short = |axis: &Axis| axis.terms().all(|(own, _)| is_short(model, loops[own]));
        let own = left.first().map(|axis| axis.terms().map(|(own, factor)| (loops[own], factor)).collect());
        let has_short_ones = left.iter().skip(1).all(is_short);
        match found.last_mut() {
            Some(item) if own.is_some() && own == last => {
                item.statements.push(*id);
                item.depth = item.depth.max(left.len());
                item.has_short_ones &= has_short_ones;
            }
            _ => found.push(Item {
                statements: vec![*id],
                is_loop: own.is_some(),
                depth: left.len(),
                is_short: left.first().is_some_and(is_short),
                has_short_ones,
                place: Place::kept(left.first().cloned().unwrap_or(Axis::along(entered[id.0]))),
            }),
        }
        last = own;
    }
    found
}

/// Whether a loop has few turns.
pub(crate) fn is_short(model: &Model, id: LoopId) -> bool {
    has_few_turns(model.scop, model.scop.loops()[id.0])
}

/// How far behind loops of these rates may run.
pub(crate) fn furthest(items: &[Item]) -> i64 {
    FURTHEST * items.iter().map(|item| item.place.rate).max().unwrap_or(1)
}

/// A dependence between two items, in the level's own counter.
#[derive(Clone, Debug)]
pub(crate) struct Between<'d> {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) dependence: &'d Dependence,
    /// The smallest and the largest difference, if there are any.
    pub(crate) least: Option<i64>,
    pub(crate) most: Option<i64>,
    /// Why its ends must not share a loop.
    pub(crate) prevents: Option<Apart>,
}

/// All dependences between different items.
pub(crate) fn between<'d>(
    items: &[Item],
    dependences: &'d [Dependence],
    places: &Places,
    goal: Goal,
) -> Result<Vec<Between<'d>>> {
    let place = |id: StatementId| items.iter().position(|item| item.statements.contains(&id));
    let (mut found, furthest) = (Vec::new(), furthest(items));
    for dependence in dependences {
        let (Some(from), Some(to)) = (place(dependence.from), place(dependence.to)) else { continue };
        if from == to {
            continue;
        }
        let (least, most) = match items[from].is_in_loop() && items[to].is_in_loop() {
            true => places.range(dependence, &items[from].place, &items[to].place)?,
            false => (None, None),
        };
        let prevents = prevents((&items[from], &items[to]), (least, most), goal, furthest);
        found.push(Between { from, to, dependence, least, most, prevents });
    }
    Ok(found)
}

fn prevents(
    (from, to): (&Item, &Item),
    distance: (Option<i64>, Option<i64>),
    goal: Goal,
    furthest: i64,
) -> Option<Apart> {
    if !from.is_in_loop() || !to.is_in_loop() {
        return Some(Apart::NoLoop);
    }
    match distance.0 {
        None => return Some(Apart::NoShift),
        Some(least) if least < -furthest => return Some(Apart::Far(least.saturating_neg())),
        Some(_) => {}
    }
    let is_kept_whole = goal.keeps_innermost && (from.is_innermost() || to.is_innermost());
    let is_at_once = from.is_innermost() && to.is_innermost() && distance == (Some(0), Some(0));
    (is_kept_whole && !is_at_once).then_some(Apart::Innermost)
}

/// The items to fuse, in the order in which they are to run; `cells` are of the arrays that are worth it.
pub(crate) fn clusters(
    items: &[Item],
    between: &[Between],
    cells: &BTreeMap<ArrayId, u64>,
    goal: Goal,
) -> Vec<Vec<usize>> {
    let nodes: Vec<String> = (0..items.len()).map(|item| item.to_string()).collect();
    let (arrays, others) = edges(between, cells);
    // Dependences follow the text, so that they make no cycle, and all names are ours: there is always a graph.
    let Ok(graph) = Graph::new(&nodes, &arrays, &others) else {
        return (0..items.len()).map(|item| vec![item]).collect();
    };
    let fusion = fuse(&graph, goal.objective, Budget::new(STEPS));
    fusion.clusters.into_iter().flat_map(|cluster| with_a_loop(items, cluster.nodes)).collect()
}

/// A cluster; taken apart if all of it runs in single iterations, of no loop.
fn with_a_loop(items: &[Item], members: Vec<usize>) -> Vec<Vec<usize>> {
    match members.iter().any(|member| items[*member].goes_along()) {
        true => vec![members],
        false => members.into_iter().map(|member| vec![member]).collect(),
    }
}

fn edges(between: &[Between], cells: &BTreeMap<ArrayId, u64>) -> (Vec<NamedArray>, Vec<NamedDependence>) {
    let mut reads: BTreeMap<(ArrayId, usize), BTreeMap<usize, bool>> = BTreeMap::new();
    let mut others: BTreeSet<(usize, usize, bool)> = BTreeSet::new();
    for b in between {
        let prevents = b.prevents.is_some();
        match b.dependence.array.filter(|array| b.dependence.is_flow && cells.contains_key(array)) {
            Some(array) => *reads.entry((array, b.from)).or_default().entry(b.to).or_default() |= prevents,
            None => {
                others.insert((b.from, b.to, prevents));
            }
        }
    }
    let array = |((array, producer), readers): ((ArrayId, usize), BTreeMap<usize, bool>)| NamedArray {
        readers: readers.iter().map(|(reader, prevents)| NamedRead::new(&reader.to_string(), *prevents)).collect(),
        ..NamedArray::new(&format!("{} of {producer}", array.0), cells[&array], Some(&producer.to_string()))
    };
    let other = |(from, to, prevents_fusion): (usize, usize, bool)| NamedDependence {
        from: from.to_string(),
        to: to.to_string(),
        prevents_fusion,
    };
    (reads.into_iter().map(array).collect(), others.into_iter().map(other).collect())
}

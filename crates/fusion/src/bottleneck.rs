//! The best chain of ideals: one whose dearest step is as cheap as possible, and of these one that removes most.
//!
//! The first is a bottleneck path, found like a shortest one: ideals in the order of the dearest step on the way to them. What is
//! at the head of the queue when the budget ends is a lower bound. The second adds up along a path, over ideals in the order of their size.

use crate::Budget;
use crate::ideals::{Ideals, Nodes};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

/// Most ideals that are kept.
const MOST_IDEALS: usize = 1 << 20;

/// Most steps from one ideal.
const MOST_STEPS: usize = 1 << 16;

/// The chain whose dearest step is cheapest.
#[derive(Clone, Debug)]
pub(crate) enum Peak {
    /// It, from the empty set to everything.
    Found(Vec<Nodes>),
    /// None is cheaper than asked for.
    NoneBelow,
    /// The budget has ended: none is cheaper than this.
    Open(u64),
}

/// Looks for a chain whose dearest step is cheaper than `below`.
pub(crate) fn least_peak(ideals: &Ideals, below: u64, budget: &mut Budget) -> Peak {
    let mut best: HashMap<Nodes, (u64, Nodes)> = HashMap::from([(0, (0, 0))]);
    let mut queue = BinaryHeap::from([Reverse((0, Reverse(0), 0))]);
    while let Some(Reverse((peak, _, ideal))) = queue.pop() {
        if ideal == ideals.all() {
            return Peak::Found(chain(ideal, |ideal| best[&ideal].1));
        }
        if best[&ideal].0 < peak {
            continue;
        }
        let steps = ideals.after(ideal, MOST_STEPS);
        budget.spend(steps.as_ref().map_or(MOST_STEPS, Vec::len) * ideals.work());
        let Some(steps) = steps.filter(|_| !budget.is_spent() && best.len() < MOST_IDEALS) else {
            return Peak::Open(peak);
        };
        for next in steps {
            let peak = peak.max(ideals.alive(ideal, next));
            if peak < below && best.get(&next).is_none_or(|(known, _)| peak < *known) {
                best.insert(next, (peak, ideal));
                queue.push(Reverse((peak, Reverse(next.count_ones()), next)));
            }
        }
    }
    Peak::NoneBelow
}

/// Of the chains with no step dearer than `limit` one that removes most cells, and then most arrays; `None` past the budget.
pub(crate) fn most_removed(ideals: &Ideals, limit: u64, budget: &mut Budget) -> Option<Vec<Nodes>> {
    let mut waiting = BTreeMap::from([((0, 0), ((0, 0), 0))]);
    let mut before: HashMap<Nodes, Nodes> = HashMap::new();
    while let Some(((_, ideal), ((cells, count), from))) = waiting.pop_first() {
        before.insert(ideal, from);
        if ideal == ideals.all() {
            break;
        }
        let steps = ideals.after(ideal, MOST_STEPS)?;
        budget.spend(steps.len() * ideals.work());
        if budget.is_spent() || before.len() + waiting.len() > MOST_IDEALS {
            return None;
        }
        for next in steps.into_iter().filter(|next| ideals.alive(ideal, *next) <= limit) {
            let (more_cells, more) = ideals.removed(ideal, next);
            let value = ((cells + more_cells, count + more), ideal);
            let known = waiting.entry((next.count_ones(), next)).or_insert(value);
            if value.0 > known.0 {
                *known = value;
            }
        }
    }
    before.contains_key(&ideals.all()).then(|| chain(ideals.all(), |ideal| before[&ideal]))
}

fn chain(last: Nodes, before: impl Fn(Nodes) -> Nodes) -> Vec<Nodes> {
    let mut chain = vec![last];
    while let Some(ideal) = chain.last().copied().filter(|ideal| *ideal != 0) {
        chain.push(before(ideal));
    }
    chain.reverse();
    chain
}

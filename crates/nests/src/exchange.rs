//! Orders of the loops of each nest, so that loops along which stages pass values on are outermost.
//!
//! ```text
//! for k: for j: s[k][j] = f(s[k-1][j])        for k down: for j: x[k][j] = g(s[k][j], x[k+1][j])        s[j, k], x[j, k]: j outermost
//! ```
//!
//! Two loops are *aligned* if some flow goes from one to the other at bounded distances, at some rates: here both over j, not those over k,
//! which go in opposite directions. Loops that are aligned with others, of all nests, are classes; each order of some of the classes gives each
//! nest an order of its loops: those of these classes outermost, then the others as they were.
//!
//! Orders that turn around what depends on what in a nest are left out. Those that remain are proposals: `schedule` proves an order, or
//! refuses it.
//!
//! Paper: Mullapudi, Vasista and Bondhugula, PolyMage (2015), §3.2 aligns dimensions of stages; that orders are searched is ours.
//!
//! Invariant: each order is a permutation of each statement's own loops, and differs from that of the text for some statement.

use crate::dependence::{Dependence, Dependences};
use crate::level::FURTHEST;
use crate::place::{Place, Places};
use crate::rates::slope;
use polyfold_flow::Model;
use polyfold_isl::{Map, Result};
use polyfold_scop::{ArrayId, Expr, LoopId, Scop, Statement, StatementId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Orders of more classes are not tried: there are as many as ways to order them.
const MOST_CLASSES: usize = 3;

/// At most this many orders, those that exchange the loops of the fewest statements.
const MOST_ORDERS: usize = 6;

/// By statement, which of its own loops it enters one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopOrder(Vec<Vec<usize>>);

impl LoopOrder {
    /// As in the text.
    pub fn of_text(scop: &Scop) -> LoopOrder {
        LoopOrder(scop.statements.iter().map(|statement| (0..statement.loops.len()).collect()).collect())
    }

    /// The loops that a statement is not in yet, by their places among its own.
    pub(crate) fn left(&self, id: StatementId, entered: usize) -> &[usize] {
        &self.0[id.0][entered..]
    }

    /// Whether innermost loops go along as many rows as those of the text.
    fn keeps_rows(&self, scop: &Scop) -> bool {
        let is_kept = |(statement, own): (&Statement, &Vec<usize>)| match (own.last(), statement.loops.last()) {
            (Some(now), Some(before)) => along_rows(statement, statement.loops[*now]) >= along_rows(statement, *before),
            _ => true,
        };
        scop.statements.iter().zip(&self.0).all(is_kept)
    }

    /// Statements that have another order than in the text.
    pub fn exchanged(&self) -> BTreeSet<StatementId> {
        (0..self.0.len()).filter(|k| !self.0[*k].is_sorted()).map(StatementId).collect()
    }
}

/// Orders other than that of the text; `cells` are of the arrays that are worth it. With `keeps_rows` innermost loops go along as many rows as
/// before.
///
/// # Errors
/// When the work bound is reached.
pub fn loop_orders(
    model: &Model,
    dependences: &Dependences,
    cells: &BTreeMap<ArrayId, u64>,
    keeps_rows: bool,
) -> Result<Vec<LoopOrder>> {
    let classes = classes(model, dependences, cells)?;
    let mut found: Vec<LoopOrder> = Vec::new();
    for order in sequences(&(0..classes.len().min(MOST_CLASSES)).collect::<Vec<_>>()) {
        let rank = |id: LoopId| order.iter().position(|class| classes[*class].contains(&id)).unwrap_or(order.len());
        let own = |statement: &Statement| {
            let mut own: Vec<usize> = (0..statement.loops.len()).collect();
            own.sort_by_key(|k| rank(statement.loops[*k]));
            own
        };
        let order = LoopOrder(model.scop.statements.iter().map(own).collect());
        let is_new = !order.exchanged().is_empty() && !found.contains(&order);
        if is_new && (!keeps_rows || order.keeps_rows(model.scop)) {
            found.push(order);
        }
    }
    found.sort_by_key(|order| order.exchanged().len());
    let mut legal = Vec::new();
    for order in found {
        if legal.len() < MOST_ORDERS && keeps_nests(model, dependences, &order)? {
            legal.push(order);
        }
    }
    Ok(legal)
}

/// Whether what depends on each other in a nest keeps its order: by the loops that both ends share first, then by the text.
fn keeps_nests(model: &Model, dependences: &Dependences, order: &LoopOrder) -> Result<bool> {
    let loops = |id: StatementId| &model.scop.statement(id).loops;
    for dependence in dependences.all.iter().filter(|d| loops(d.from).first() == loops(d.to).first()) {
        let (from, to) = (order.left(dependence.from, 0), order.left(dependence.to, 0));
        let own = |id: StatementId, k: &usize| loops(id)[*k];
        let shared = from.iter().zip(to).take_while(|(a, b)| own(dependence.from, a) == own(dependence.to, b));
        let counters: Vec<(usize, usize)> = shared.map(|(a, b)| (2 * a + 1, 2 * b + 1)).collect();
        let Some(pairs) = lasting(model, dependence)? else { continue };
        if !keeps_order(dependence.from < dependence.to, &pairs, &counters)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What of a dependence no other storage takes away: of a temporary, reads of the values that they get. `None`: nothing.
fn lasting(model: &Model, dependence: &Dependence) -> Result<Option<Map>> {
    let Some(array) = dependence.array.filter(|array| model.scop.array(*array).is_temporary()) else {
        return Ok(Some(dependence.pairs.clone()));
    };
    let flow = if dependence.is_flow { model.flow(array)? } else { None };
    let Some(flow) = flow else { return Ok(None) };
    let pairs = dependence.pairs.intersect(&flow.range_factor_domain()?)?;
    Ok(if pairs.is_empty()? { None } else { Some(pairs) })
}

/// Whether the later one of some pairs of dates never is earlier by some counters, by dimensions of dates; nor at the same time, unless it is behind
/// in the text.
fn keeps_order(is_ahead_in_text: bool, pairs: &Map, counters: &[(usize, usize)]) -> Result<bool> {
    if counters.is_empty() {
        return Ok(is_ahead_in_text);
    }
    let (earlier, later) = (pairs.domain()?, pairs.range()?);
    let from = Place::counters(&earlier, &counters.iter().map(|(from, _)| *from).collect::<Vec<_>>())?;
    let to = Place::counters(&later, &counters.iter().map(|(_, to)| *to).collect::<Vec<_>>())?;
    let pairs = pairs.apply_domain(&from)?.apply_range(&to)?;
    let before = Map::lex_lt(&pairs.domain()?)?;
    match is_ahead_in_text {
        true => pairs.reverse()?.intersect(&before)?.is_empty(),
        false => pairs.is_subset(&before),
    }
}

/// How many references of a statement go along a row as a loop of it goes on.
fn along_rows(statement: &Statement, own: LoopId) -> usize {
    let is_along = |subscripts: &Vec<Expr>| {
        let Some((last, others)) = subscripts.split_last() else { return false };
        last.mentions(own) && !others.iter().any(|other| other.mentions(own))
    };
    statement.accesses.iter().filter_map(|access| access.subscripts.as_ref()).filter(|s| is_along(s)).count()
}

/// Classes of two loops or more, the largest first.
fn classes(model: &Model, dependences: &Dependences, cells: &BTreeMap<ArrayId, u64>) -> Result<Vec<BTreeSet<LoopId>>> {
    let mut classes: Vec<BTreeSet<LoopId>> = model.scop.loops().iter().map(|own| BTreeSet::from([own.id])).collect();
    let worth = |d: &Dependence| d.array.filter(|_| d.is_flow).and_then(|array| cells.get(&array).copied());
    let mut flows: Vec<&Dependence> = dependences.all.iter().filter(|d| d.from != d.to && worth(d).is_some()).collect();
    flows.sort_by_key(|d| Reverse(worth(d)));
    for flow in flows {
        let loops = |id: StatementId| &model.scop.statement(id).loops;
        for (a, first) in loops(flow.from).iter().enumerate() {
            for (b, second) in loops(flow.to).iter().enumerate() {
                let [one, other] = [first, second].map(|own| class_of(&classes, *own));
                if one != other
                    && !share_a_nest(model.scop, &classes[one], &classes[other])
                    && are_aligned(&dependences.places, flow, (a, b))?
                {
                    let joined = classes[other].clone();
                    classes[one].extend(joined);
                    classes.remove(other);
                }
            }
        }
    }
    classes.retain(|class| class.len() > 1);
    classes.sort_by_key(|class| Reverse(class.len()));
    Ok(classes)
}

fn class_of(classes: &[BTreeSet<LoopId>], own: LoopId) -> usize {
    classes.iter().position(|class| class.contains(&own)).expect("each loop has a class")
}

/// Whether some statement would be in two loops of one class.
fn share_a_nest(scop: &Scop, one: &BTreeSet<LoopId>, other: &BTreeSet<LoopId>) -> bool {
    let is_in = |class: &BTreeSet<LoopId>, loops: &[LoopId]| loops.iter().any(|own| class.contains(own));
    scop.statements.iter().any(|statement| is_in(one, &statement.loops) && is_in(other, &statement.loops))
}

fn are_aligned(places: &Places, flow: &Dependence, (a, b): (usize, usize)) -> Result<bool> {
    let [from, to] = [a, b].map(|own| Place::kept(2 * own + 1));
    let is_near = |from: &Place, to: &Place, most: i64| {
        let (least, largest) = places.range(flow, from, to)?;
        Ok::<bool, polyfold_isl::Error>([least, largest].iter().all(|d| d.is_some_and(|d| d.abs() <= most)))
    };
    if is_near(&from, &to, FURTHEST)? {
        return Ok(true);
    }
    let Some(ratio) = slope(places, flow, (&from, &to))? else { return Ok(false) };
    is_near(&from.at_rate(ratio.under), &to.at_rate(ratio.over), FURTHEST * ratio.under.max(ratio.over))
}

/// All orders of some of them, short ones first.
fn sequences(of: &[usize]) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    let mut longest = found.clone();
    for _ in of {
        let longer = |order: &Vec<usize>| {
            let left = of.iter().filter(|one| !order.contains(one));
            left.map(|one| [order.as_slice(), &[*one]].concat()).collect::<Vec<Vec<usize>>>()
        };
        longest = longest.iter().flat_map(longer).collect();
        found.extend(longest.clone());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_orders_of_some_of_three() {
        let all: BTreeSet<Vec<usize>> = sequences(&[0, 1, 2]).into_iter().collect();
        assert_eq!(all.len(), 1 + 3 + 6 + 6);
    }
}

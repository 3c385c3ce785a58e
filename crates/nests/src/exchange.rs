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
//! Invariant: each order is a permutation of the axes that each statement has, and differs from them for some statement.

use crate::axis::Axis;
use crate::dependence::{Dependence, Dependences};
use crate::level::FURTHEST;
use crate::loop_order::LoopOrder;
use crate::place::{Place, Places};
use crate::rates::slope;
use polyfold_flow::Model;
use polyfold_isl::{Map, Result};
use polyfold_scop::{ArrayId, LoopId, Scop, StatementId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Orders of more classes are not tried: there are as many as ways to order them.
const MOST_CLASSES: usize = 3;

/// At most this many orders, those that exchange the loops of the fewest statements.
const MOST_ORDERS: usize = 6;

/// Orders other than that of the text, with its axes; `cells` are of the arrays that are worth it. With `keeps_rows` innermost loops go along as
/// many rows as before.
///
/// # Errors
/// When the work bound is reached.
pub fn loop_orders(
    model: &Model,
    dependences: &Dependences,
    cells: &BTreeMap<ArrayId, u64>,
    keeps_rows: bool,
) -> Result<Vec<LoopOrder>> {
    let of_text = LoopOrder::of_text(model.scop);
    let mut found = permuted(model, (dependences, cells), &of_text)?;
    found.retain(|order| !keeps_rows || order.keeps_rows(model.scop));
    legal(model, dependences, found)
}

/// Permutations of the axes that statements have.
pub(crate) fn permuted(
    model: &Model,
    (dependences, cells): (&Dependences, &BTreeMap<ArrayId, u64>),
    axes: &LoopOrder,
) -> Result<Vec<LoopOrder>> {
    let classes = classes(model, (dependences, cells), axes)?;
    let mut found: Vec<LoopOrder> = Vec::new();
    for order in sequences(&(0..classes.len().min(MOST_CLASSES)).collect::<Vec<_>>()) {
        let rank = |id: LoopId| order.iter().position(|class| classes[*class].contains(&id)).unwrap_or(order.len());
        let of_statement = |id: usize| {
            let mut own = axes.axes(StatementId(id)).to_vec();
            own.sort_by_key(|axis| rank(model.scop.statements[id].loops[axis.own]));
            own
        };
        let order = LoopOrder::new((0..model.scop.statements.len()).map(of_statement));
        if order != *axes && !found.contains(&order) {
            found.push(order);
        }
    }
    Ok(found)
}

/// Those that turn nothing around in a nest, the ones that exchange the loops of the fewest statements first.
pub(crate) fn legal(model: &Model, dependences: &Dependences, mut found: Vec<LoopOrder>) -> Result<Vec<LoopOrder>> {
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
        let (from, to) = (order.axes(dependence.from), order.axes(dependence.to));
        let over = |id: StatementId, axis: &Axis| -> Vec<(LoopId, i64)> {
            axis.terms().map(|(own, factor)| (loops(id)[own], factor)).collect()
        };
        let shared = from.iter().zip(to).take_while(|(a, b)| over(dependence.from, a) == over(dependence.to, b));
        let axes: Vec<(&Axis, &Axis)> = shared.collect();
        let Some(pairs) = lasting(model, dependence)? else { continue };
        if !keeps_order(dependence.from < dependence.to, &pairs, &axes)? {
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

/// Whether the later one of some pairs of dates never is earlier along some axes; nor at the same time, unless it is behind in the text.
fn keeps_order(is_ahead_in_text: bool, pairs: &Map, axes: &[(&Axis, &Axis)]) -> Result<bool> {
    if axes.is_empty() {
        return Ok(is_ahead_in_text);
    }
    let (earlier, later) = (pairs.domain()?, pairs.range()?);
    let from = Place::along(&earlier, &axes.iter().map(|(from, _)| *from).collect::<Vec<_>>())?;
    let to = Place::along(&later, &axes.iter().map(|(_, to)| *to).collect::<Vec<_>>())?;
    let pairs = pairs.apply_domain(&from)?.apply_range(&to)?;
    let before = Map::lex_lt(&pairs.domain()?)?;
    match is_ahead_in_text {
        true => pairs.reverse()?.intersect(&before)?.is_empty(),
        false => pairs.is_subset(&before),
    }
}

/// Classes of two loops or more that run over these axes, the largest first.
fn classes(
    model: &Model,
    (dependences, cells): (&Dependences, &BTreeMap<ArrayId, u64>),
    axes: &LoopOrder,
) -> Result<Vec<BTreeSet<LoopId>>> {
    let mut classes: Vec<BTreeSet<LoopId>> = model.scop.loops().iter().map(|own| BTreeSet::from([own.id])).collect();
    let loops = |id: StatementId| &model.scop.statement(id).loops;
    for flow in flows(dependences, cells) {
        for a in axes.axes(flow.from) {
            for b in axes.axes(flow.to) {
                let [one, other] = [loops(flow.from)[a.own], loops(flow.to)[b.own]].map(|own| class_of(&classes, own));
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

/// Flows between statements through arrays that are worth it, the most cells first.
pub(crate) fn flows<'d>(dependences: &'d Dependences, cells: &BTreeMap<ArrayId, u64>) -> Vec<&'d Dependence> {
    let worth = |d: &Dependence| d.array.filter(|_| d.is_flow).and_then(|array| cells.get(&array).copied());
    let mut flows: Vec<&Dependence> = dependences.all.iter().filter(|d| d.from != d.to && worth(d).is_some()).collect();
    flows.sort_by_key(|d| Reverse(worth(d)));
    flows
}

fn class_of(classes: &[BTreeSet<LoopId>], own: LoopId) -> usize {
    classes.iter().position(|class| class.contains(&own)).expect("each loop has a class")
}

/// Whether some statement would be in two loops of one class.
fn share_a_nest(scop: &Scop, one: &BTreeSet<LoopId>, other: &BTreeSet<LoopId>) -> bool {
    let is_in = |class: &BTreeSet<LoopId>, loops: &[LoopId]| loops.iter().any(|own| class.contains(own));
    scop.statements.iter().any(|statement| is_in(one, &statement.loops) && is_in(other, &statement.loops))
}

/// Whether a flow's ends stay near each other along two axes, at some rates.
pub(crate) fn are_aligned(places: &Places, flow: &Dependence, (a, b): (&Axis, &Axis)) -> Result<bool> {
    let [from, to] = [a, b].map(|axis| Place::kept(axis.clone()));
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

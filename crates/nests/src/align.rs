//! Directions and offsets of the loops of one level, so that values pass from one to another in a few iterations.
//!
//! ```text
//! for (i = 0; i < n; i++) a[i] = …;      for (i = 0; i < n; i++) … = a[n - 1 - i];      the second one at −i + n − 1
//! ```
//!
//! Loops whose own dependences hold them in their direction come first, as they are. Then, the most cells first, along each flow from a
//! loop that has its place to one that has none: that one gets a place at which the distances are *tight*, bounded for all sizes. It may be
//! turned over only if none of its iterations needs another one. What has fewer loops than others may run in one iteration of theirs:
//!
//! ```text
//! for (j = 0; j < m; j++) t[n - 1][j] = …;      … = t[i + 1][j] in for (i = 1; i < n - 1; i++) for (j …)      the first one at n − 2
//! ```
//!
//! Of several places that is taken at which the most of the flows are tight that connect the loop with those that have one.
//!
//! Heuristic: a place that suits these flows may not suit the next. What is wrong then is said of that flow, and the loops stay apart.

use crate::dependence::Dependence;
use crate::fused::Apart;
use crate::level::{Between, Item, furthest};
use crate::place::{Course, Place, Places};
use polyfold_isl::{ErrorKind, Result, Set};
use polyfold_scop::{ArrayId, StatementId};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// More expressions are not tried as the offset of one place.
const MOST_OFFSETS: usize = 4;

/// The loops of one level, with what is between them.
pub(crate) struct Level<'a, 'd> {
    pub(crate) items: &'a [Item],
    pub(crate) between: &'a [Between<'d>],
    pub(crate) dependences: &'d [Dependence],
    pub(crate) places: &'a Places,
    /// Of the arrays that are worth it.
    pub(crate) cells: &'a BTreeMap<ArrayId, u64>,
    /// Whether what has fewer loops than others may run in one iteration of theirs.
    pub(crate) allows_once: bool,
}

/// The items in their places.
pub(crate) fn aligned(level: &Level) -> Result<Vec<Item>> {
    let flows = level.flows();
    if flows.iter().all(|b| level.is_near(b.least) && level.is_near(b.most)) {
        return Ok(level.items.to_vec());
    }
    let held = level.held()?;
    let mut places: Vec<Option<Place>> = vec![None; level.items.len()];
    for root in level.roots(&held) {
        if places[root].is_none() {
            places[root] = Some(level.items[root].place.clone());
            level.grow(&flows, &held, &mut places)?;
        }
    }
    let placed = level.items.iter().zip(places);
    Ok(placed.map(|(item, place)| Item { place: place.unwrap_or(item.place.clone()), ..item.clone() }).collect())
}

impl<'d> Level<'_, 'd> {
    fn is_tight(&self, flow: &Between, from: &Place, to: &Place) -> Result<bool> {
        let (least, most) = self.places.range(flow.dependence, from, to)?;
        Ok(self.is_near(least) && self.is_near(most))
    }

    fn is_near(&self, distance: Option<i64>) -> bool {
        distance.is_some_and(|distance| distance.abs() <= furthest(self.items))
    }

    /// Loops, those first that others have to follow.
    fn roots(&self, held: &[Option<StatementId>]) -> Vec<usize> {
        let depth = |item: usize| if self.allows_once { self.items[item].depth } else { 0 };
        let mut roots: Vec<usize> = (0..self.items.len()).filter(|item| self.items[*item].is_loop).collect();
        roots.sort_by_key(|item| (Reverse(depth(*item)), held[*item].is_none()));
        roots
    }

    /// Through arrays that are worth it, the most cells first.
    pub(crate) fn flows(&self) -> Vec<&Between<'d>> {
        let mut flows: Vec<_> = self.between.iter().filter(|b| self.cells_of(b).is_some()).collect();
        flows.sort_by_key(|b| Reverse(self.cells_of(b)));
        flows
    }

    /// Of the array through which a flow goes that is worth it.
    fn cells_of(&self, b: &Between) -> Option<u64> {
        let array = b.dependence.array.filter(|_| b.dependence.is_flow)?;
        self.cells.get(&array).copied()
    }

    /// By item, a statement of it that needs earlier iterations.
    fn held(&self) -> Result<Vec<Option<StatementId>>> {
        self.items.iter().map(|item| self.held_by(item)).collect()
    }

    fn held_by(&self, item: &Item) -> Result<Option<StatementId>> {
        let is_own = |d: &&Dependence| item.statements.contains(&d.from) && item.statements.contains(&d.to);
        for dependence in self.dependences.iter().filter(is_own) {
            if self.places.range(dependence, &item.place, &item.place)? != (Some(0), Some(0)) {
                return Ok(Some(dependence.to));
            }
        }
        Ok(None)
    }

    /// Places for what flows connect with what has one.
    fn grow(&self, flows: &[&Between], held: &[Option<StatementId>], places: &mut [Option<Place>]) -> Result<()> {
        let mut tried = vec![false; flows.len()];
        let is_next =
            |k: usize, places: &[Option<Place>]| places[flows[k].from].is_some() != places[flows[k].to].is_some();
        while let Some(k) = (0..flows.len()).find(|k| !tried[*k] && is_next(*k, places)) {
            tried[k] = true;
            let new = if places[flows[k].from].is_none() { flows[k].from } else { flows[k].to };
            let is_connecting = |b: &&Between| (b.from == new || b.to == new) && is_one_placed(b, places);
            let connecting: Vec<&Between> = flows.iter().copied().filter(is_connecting).collect();
            places[new] = self.best(&connecting, (places, &self.courses(new, held)))?;
        }
        Ok(())
    }

    /// Of the places at which some flow is tight that connects a new item, one at which the most of them are.
    fn best(&self, connecting: &[&Between], (places, courses): (&[Option<Place>], &[Course])) -> Result<Option<Place>> {
        let mut best: Option<(usize, Place)> = None;
        for (flow, course) in connecting.iter().flat_map(|flow| courses.iter().map(move |course| (flow, course))) {
            let Some(place) = self.tight(flow, places, *course)? else { continue };
            let mut count = 0;
            for other in connecting {
                count += usize::from(self.is_tight_at(other, places, &place)?);
            }
            if count == connecting.len() {
                return Ok(Some(place));
            }
            if best.as_ref().is_none_or(|(most, _)| count > *most) {
                best = Some((count, place));
            }
        }
        Ok(best.map(|(_, place)| place))
    }

    /// Whether a flow is tight if that end of it that has no place gets one.
    fn is_tight_at(&self, flow: &Between, places: &[Option<Place>], place: &Place) -> Result<bool> {
        let end = |item: usize| places[item].as_ref().unwrap_or(place);
        self.is_tight(flow, end(flow.from), end(flow.to))
    }

    fn courses(&self, item: usize, held: &[Option<StatementId>]) -> Vec<Course> {
        let Item { is_loop, depth, .. } = self.items[item];
        // In one turn of few a condition is worse than a loop by itself.
        let has_longer = || self.items.iter().any(|other| other.depth > depth && !other.is_short);
        let courses = [
            (Course::Kept, is_loop),
            (Course::Turned, is_loop && held[item].is_none()),
            (Course::Once, self.allows_once && has_longer()),
        ];
        courses.into_iter().filter(|(_, may)| *may).map(|(course, _)| course).collect()
    }

    /// The place of a flow's other end at which its distances are tight.
    fn tight(&self, flow: &Between, places: &[Option<Place>], course: Course) -> Result<Option<Place>> {
        let end =
            |item: usize| places[item].clone().unwrap_or_else(|| Place { course, ..self.items[item].place.clone() });
        let (from, to) = (end(flow.from), end(flow.to));
        let is_tight = self.is_tight(flow, &from, &to)?;
        let distances = if is_tight { None } else { Some(self.places.distances(flow.dependence, &from, &to)?) };
        let (new, sign) = if places[flow.from].is_none() { (from, "") } else { (to, "-") };
        let Some(distances) = distances else {
            return Ok(Some(new));
        };
        for offset in smallest(&distances)? {
            let new = Place { offset: format!("{sign}({offset})"), ..new.clone() };
            let ends = if sign.is_empty() { (new.clone(), end(flow.to)) } else { (end(flow.from), new.clone()) };
            if self.is_tight(flow, &ends.0, &ends.1)? {
                return Ok(Some(new));
            }
        }
        Ok(None)
    }

    /// What holds two loops in their directions, if they would pass values on in a few iterations with one of them turned over.
    fn opposed(&self, b: &Between) -> Result<Option<Apart>> {
        let (from, to) = (&self.items[b.from], &self.items[b.to]);
        if !(from.goes_along() && to.goes_along()) || (self.is_near(b.least) && self.is_near(b.most)) {
            return Ok(None);
        }
        let (Some(first), Some(second)) = (self.held_by(from)?, self.held_by(to)?) else { return Ok(None) };
        let mut places = vec![None; self.items.len()];
        places[b.from] = Some(from.place.clone());
        let is_opposed = self.tight(b, &places, Course::Turned)?.is_some();
        Ok(is_opposed.then_some(Apart::Directions(first, second)))
    }
}

fn is_one_placed(b: &Between, places: &[Option<Place>]) -> bool {
    places[b.from].is_some() != places[b.to].is_some()
}

/// Which flows stay between loops of opposite directions, by their place in `between`.
pub(crate) fn opposed(level: &Level) -> Result<BTreeMap<usize, Apart>> {
    let mut found = BTreeMap::new();
    for (k, b) in level.between.iter().enumerate().filter(|(_, b)| level.cells_of(b).is_some()) {
        found.extend(level.opposed(b)?.map(|why| (k, why)));
    }
    Ok(found)
}

/// The smallest distance, as expressions of sizes that it may be.
fn smallest(distances: &Set) -> Result<Vec<String>> {
    // Where there is none, isl calls it an error.
    let least = match distances.dim_min(0) {
        Err(error) if error.kind != ErrorKind::Quota => return Ok(Vec::new()),
        other => other?,
    };
    let pieces = least.pieces()?;
    Ok(pieces.iter().take(MOST_OFFSETS).filter_map(|(_, piece)| expression(&piece.to_string())).collect())
}

/// `n - 2` of `[n] -> { [(n - 2)] }`.
fn expression(function: &str) -> Option<String> {
    let (_, behind) = function.split_once("{ [(")?;
    let (expression, _) = behind.rsplit_once(")] }")?;
    Some(expression.to_string())
}

//! One order of execution, level by level.

use crate::align::{Level, aligned, opposed};
use crate::axis::sum;
use crate::dependence::{Dependence, Dependences};
use crate::distribute::distributed;
use crate::level::{Between, Item, between, clusters, furthest, items};
use crate::loop_order::LoopOrder;
use crate::place::{Course, Place, Places};
use crate::rates::{Flow, Ratio, gcd, rates};
use crate::rows::{part_lasting, part_serial};
use crate::shifts::{Edge, shifts};
use polyfold_flow::Model;
use polyfold_fusion::Objective;
use polyfold_isl::Result;
use polyfold_scop::{ArrayId, LoopId, ParameterId, ParameterOrigin, StatementId};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// What is fused, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    /// Which of several fusions is best.
    pub objective: Objective,
    /// How many levels of loops may be fused.
    pub depth: usize,
    /// Whether innermost loops are fused only where no value goes from one iteration to another, so that they vectorise as before.
    pub keeps_innermost: bool,
    /// Whether statements, and loops with fewer others inside, may run in one iteration of a loop with more: as a border's do.
    pub allows_once: bool,
}

/// An order of execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fused {
    /// In isl notation: `[n] -> { S0[i0] -> [0, i0, 0]; … }`.
    pub schedule: String,
    /// The same by statement, dimension by dimension.
    pub dates: Vec<Vec<Coordinate>>,
    /// Statements whose loops stand in another order than in the text.
    pub exchanged: BTreeSet<StatementId>,
    /// Statements one of whose loops runs over a sum of two counters.
    pub skewed: BTreeSet<StatementId>,
    /// Whether all values that pass between loops of a level pass in a bounded number of iterations.
    pub is_tight: bool,
    /// Loops that became one.
    pub loops: Vec<FusedLoop>,
    /// Dependences that keep loops apart.
    pub obstacles: Vec<Obstacle>,
}

/// A dimension of a statement's dates: a sum of counters, and an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coordinate {
    /// Loops around the statement, and by what their counters are multiplied.
    pub counters: Vec<(LoopId, i64)>,
    /// An expression of sizes, in isl notation.
    pub offset: String,
}

/// A loop that several became.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FusedLoop {
    /// How many loops are around it.
    pub level: usize,
    /// The statements in it, and how many iterations each is behind.
    pub behind: BTreeMap<StatementId, i64>,
    /// Those that go through it in the other direction now.
    pub turned: BTreeSet<StatementId>,
    /// Those all of which runs in one iteration of it.
    pub once: BTreeSet<StatementId>,
    /// Those that don't run in each iteration, with how many of them one of their own takes.
    pub rates: BTreeMap<StatementId, i64>,
}

/// Two loops that stay apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// What is needed.
    pub from: StatementId,
    /// By what.
    pub to: StatementId,
    /// Through which array; `None`: through what cannot be seen.
    pub array: Option<ArrayId>,
    /// Whether `to` reads what `from` may have written.
    pub is_flow: bool,
    /// How many loops are around both that they share.
    pub level: usize,
    /// Why that keeps them apart.
    pub why: Apart,
    /// Where no number of iterations is enough: constants of the source at whose values one is, small as the radius of a filter.
    pub bounded_by: Vec<ParameterId>,
}

/// Larger constants are no radii: loops are not shifted by so many iterations.
const SMALL: i64 = 16;

/// Why a dependence keeps loops apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// One of its ends is in no loop.
    NoLoop,
    /// No number of iterations is enough for one to be behind the other.
    NoShift,
    /// One would have to be further behind than loops are shifted, by so many iterations.
    Far(i64),
    /// One would have to run at this multiple of the other's rate, and another flow asks for another one.
    Rates(Ratio),
    /// They go in opposite directions, in which these statements hold them: what they need comes from earlier iterations.
    Directions(StatementId, StatementId),
    /// An innermost loop is to stay whole, and values go from one iteration to another.
    Innermost,
    /// An innermost loop is to stay whole, and later iterations of a loop around need all values that they pass on: one loop would save none.
    Lasting,
    /// An innermost loop is to stay whole, and one of the two hands values on from iteration to iteration, the other one does not.
    Serial,
}

/// The order for a goal, with the loops of each nest in an order; `cells` are of the arrays that are worth it.
///
/// # Errors
/// When the work bound is reached.
pub fn fused(
    model: &Model,
    dependences: &Dependences,
    cells: &BTreeMap<ArrayId, u64>,
    (goal, loop_order): (Goal, &LoopOrder),
) -> Result<Fused> {
    let count = model.scop.statements.len();
    let mut order = Order {
        model,
        places: &dependences.places,
        cells,
        goal,
        loop_order,
        directions: model.scop.loops().iter().map(|l| (l.id, l.step.signum())).collect(),
        entered: vec![0; count],
        dates: vec![Vec::new(); count],
        texts: vec![Vec::new(); count],
        is_tight: true,
        loops: Vec::new(),
        obstacles: Vec::new(),
    };
    let all: Vec<StatementId> = (0..count).map(StatementId).collect();
    order.go_on(&all, 0, (&dependences.all, &BTreeSet::new()))?;
    let relations: Vec<String> = all.iter().map(|id| order.relation(*id)).collect();
    let schedule = format!("[{}] -> {{ {} }}", model.parameters.join(", "), relations.join("; "));
    Ok(Fused {
        schedule,
        exchanged: loop_order.exchanged(),
        skewed: loop_order.skewed(),
        is_tight: order.is_tight,
        dates: order.dates,
        loops: order.loops,
        obstacles: order.obstacles,
    })
}

/// Items at their rates, and what is between them then.
struct AtRates<'d> {
    items: Vec<Item>,
    between: Vec<Between<'d>>,
    /// Flows for which there are no rates, with the ratio that each would need.
    unbalanced: Vec<(&'d Dependence, Ratio)>,
}

struct Order<'a> {
    model: &'a Model<'a>,
    places: &'a Places,
    cells: &'a BTreeMap<ArrayId, u64>,
    goal: Goal,
    loop_order: &'a LoopOrder,
    /// −1 for counters that go down, 1 for the others.
    directions: BTreeMap<LoopId, i64>,
    /// In how many of their own loops statements are.
    entered: Vec<usize>,
    dates: Vec<Vec<Coordinate>>,
    /// The same in isl notation.
    texts: Vec<Vec<String>>,
    is_tight: bool,
    loops: Vec<FusedLoop>,
    obstacles: Vec<Obstacle>,
}

impl Order<'_> {
    fn relation(&self, id: StatementId) -> String {
        let statement = self.model.scop.statement(id);
        let counters: Vec<String> = (0..statement.loops.len()).map(|k| format!("i{k}")).collect();
        format!("{}[{}] -> [{}]", statement.name, counters.join(", "), self.texts[id.0].join(", "))
    }

    /// Dates from a level on, for statements that are in one iteration of all loops further out, with arrays that later iterations of these need.
    fn go_on(
        &mut self,
        statements: &[StatementId],
        level: usize,
        (dependences, lasting): (&[Dependence], &BTreeSet<ArrayId>),
    ) -> Result<()> {
        let places = self.places;
        let entered = (self.loop_order, &self.entered[..]);
        let items = items(self.model, statements, entered);
        let items = if self.goal.allows_once { distributed(self.model, items, entered, dependences) } else { items };
        let (items, mut found) = match level < self.goal.depth && items.len() > 1 {
            true => self.aligned(items, dependences, places)?,
            false => (items, Vec::new()),
        };
        let is_worth_it =
            |b: &&Between| b.dependence.is_flow && b.dependence.array.is_some_and(|a| self.cells.contains_key(&a));
        self.is_tight &= found.iter().filter(is_worth_it).all(|b| b.least.is_some() && b.most.is_some());
        if self.goal.keeps_innermost {
            part_lasting(&items, &mut found, |array| self.cells.contains_key(&array), lasting);
        }
        for (position, members) in self.clusters(&items, &found, level)?.into_iter().enumerate() {
            let (items, found) = match common_rate(&items, &members) {
                1 => (Cow::Borrowed(&items), Cow::Borrowed(&found)),
                common => {
                    let slower = slower(&items, &members, common);
                    let found = between(&slower, dependences, places, self.goal)?;
                    (Cow::Owned(slower), Cow::Owned(found))
                }
            };
            let shifts = self.behind(&items, &found, &members);
            let in_loop = placed(&items, &members, &shifts);
            for (id, place) in &in_loop {
                self.texts[id.0].push(position.to_string());
                self.dates[id.0].push(Coordinate { counters: Vec::new(), offset: position.to_string() });
                if items[members[0]].is_loop || members.len() > 1 {
                    self.enter(*id, place);
                }
            }
            if items[members[0]].is_loop || members.len() > 1 {
                let inside: Vec<StatementId> = in_loop.keys().copied().collect();
                let (kept, passed_on) = in_one_iteration(dependences, &in_loop, places)?;
                let lasting = lasting.union(&passed_on).copied().collect();
                self.go_on(&inside, level + 1, (&kept, &lasting))?;
            }
            if members.len() > 1 {
                self.loops.push(fused_loop(level, &items, &members, &shifts));
            }
        }
        Ok(())
    }

    /// Items in places that suit each other, and what is between them then.
    fn aligned<'d>(
        &self,
        items: Vec<Item>,
        dependences: &'d [Dependence],
        places: &Places,
    ) -> Result<(Vec<Item>, Vec<Between<'d>>)> {
        let AtRates { items, between: mut found, unbalanced } = self.at_rates(items, dependences, places)?;
        let placed = aligned(&self.level(&items, &found, (dependences, places)))?;
        if placed != items {
            found = between(&placed, dependences, places, self.goal)?;
        }
        for (dependence, ratio) in unbalanced {
            let is_it = |b: &&mut Between| std::ptr::eq(b.dependence, dependence) && b.prevents.is_some();
            found.iter_mut().filter(is_it).for_each(|b| b.prevents = Some(Apart::Rates(ratio)));
        }
        let opposed = opposed(&self.level(&placed, &found, (dependences, places)))?;
        for (k, why) in opposed {
            found[k].prevents = Some(why);
        }
        if self.goal.keeps_innermost {
            part_serial(self.model.scop, &placed, &mut found, (dependences, places))?;
        }
        Ok((placed, found))
    }

    /// Items at the rates that flows between them ask for.
    fn at_rates<'d>(&self, items: Vec<Item>, dependences: &'d [Dependence], places: &Places) -> Result<AtRates<'d>> {
        let found = between(&items, dependences, places, self.goal)?;
        let flow =
            |b: &Between<'d>| Flow { from: b.from, to: b.to, dependence: b.dependence, distance: (b.least, b.most) };
        let level = self.level(&items, &found, (dependences, places));
        let go_along = |b: &&&Between| items[b.from].goes_along() && items[b.to].goes_along();
        let flows: Vec<Flow> = level.flows().iter().filter(go_along).map(|b| flow(b)).collect();
        let rates = rates(&items, &flows, places)?;
        let unbalanced = rates.unbalanced.iter().map(|(k, ratio)| (flows[*k].dependence, *ratio)).collect();
        if rates.by_item.iter().all(|rate| *rate == 1) {
            return Ok(AtRates { items, between: found, unbalanced });
        }
        let at_rate = |(item, rate): (&Item, &i64)| Item { place: item.place.at_rate(*rate), ..item.clone() };
        let items: Vec<Item> = items.iter().zip(&rates.by_item).map(at_rate).collect();
        let found = between(&items, dependences, places, self.goal)?;
        Ok(AtRates { items, between: found, unbalanced })
    }

    fn level<'a, 'd>(
        &'a self,
        items: &'a [Item],
        between: &'a [Between<'d>],
        (dependences, places): (&'d [Dependence], &'a Places),
    ) -> Level<'a, 'd> {
        Level { items, between, dependences, places, cells: self.cells, allows_once: self.goal.allows_once }
    }

    fn clusters(&mut self, items: &[Item], between: &[Between], level: usize) -> Result<Vec<Vec<usize>>> {
        if level >= self.goal.depth || items.len() < 2 {
            return Ok((0..items.len()).map(|item| vec![item]).collect());
        }
        for (b, why) in between.iter().filter_map(|b| Some((b, b.prevents?))) {
            let Dependence { from, to, array, is_flow, .. } = *b.dependence;
            let bounded_by = self.bounded_by(items, b, why)?;
            self.obstacles.push(Obstacle { from, to, array, is_flow, level, why, bounded_by });
        }
        Ok(clusters(items, between, self.cells, self.goal))
    }

    /// As of [`Obstacle`].
    fn bounded_by(&self, items: &[Item], b: &Between, why: Apart) -> Result<Vec<ParameterId>> {
        let is_small = |origin: &ParameterOrigin| match origin {
            ParameterOrigin::Constant(value) => Some(*value).filter(|value| *value <= SMALL),
            ParameterOrigin::Variable => None,
        };
        let parameters = self.model.scop.parameters.iter().enumerate();
        let small: Vec<(ParameterId, i64)> =
            parameters.filter_map(|(k, parameter)| Some((ParameterId(k), is_small(&parameter.origin)?))).collect();
        if why != Apart::NoShift || small.is_empty() {
            return Ok(Vec::new());
        }
        self.places.bounded_by(b.dependence, (&items[b.from].place, &items[b.to].place), &small)
    }

    /// By member of a cluster, how many iterations it is behind.
    fn behind(&self, items: &[Item], between: &[Between], members: &[usize]) -> Vec<i64> {
        let is_innermost = members.iter().any(|member| items[*member].is_innermost());
        let stays = members.len() < 2 || (self.goal.keeps_innermost && is_innermost);
        if stays { vec![0; members.len()] } else { self.shifts(items, between, members) }
    }

    fn shifts(&self, items: &[Item], between: &[Between], members: &[usize]) -> Vec<i64> {
        let place = |item: usize| members.iter().position(|member| *member == item);
        let mut edges = Vec::new();
        for b in between {
            let (Some(from), Some(to), Some(least)) = (place(b.from), place(b.to), b.least) else { continue };
            let of = b.dependence.array.filter(|_| b.dependence.is_flow);
            let of = of.and_then(|array| self.cells.keys().position(|other| *other == array));
            edges.push(Edge { from, to, least, values: of.map(|array| (array, b.most)) });
        }
        let weights: Vec<u64> = self.cells.values().copied().collect();
        let late: Vec<usize> = (0..members.len()).filter(|k| !items[members[*k]].goes_along()).collect();
        shifts(members.len(), &late, &edges, (&weights, furthest(items)))
    }

    /// A statement is in a loop at its place; in one of its own, unless it runs once.
    fn enter(&mut self, id: StatementId, place: &Place) {
        let own = self.loop_order.left(id, self.entered[id.0]).first().filter(|_| place.course != Course::Once);
        let loops = &self.model.scop.statement(id).loops;
        let terms: Vec<(usize, i64)> = own.iter().flat_map(|axis| axis.terms()).collect();
        let direction = |own: usize| self.directions[&loops[own]];
        self.texts[id.0]
            .push(place.of(&sum(terms.iter().map(|(k, factor)| (format!("i{k}"), factor * direction(*k))))));
        let factor = place.rate * if place.course == Course::Turned { -1 } else { 1 };
        let counters = terms.iter().map(|(k, own)| (loops[*k], factor * own * direction(*k))).collect();
        self.dates[id.0].push(Coordinate { counters, offset: place.offset.clone() });
        self.entered[id.0] += usize::from(place.course != Course::Once);
    }
}

/// What the rates of a cluster have in common, where all of its places are multiples of it.
fn common_rate(items: &[Item], members: &[usize]) -> i64 {
    let places = || members.iter().map(|member| &items[*member].place);
    match places().all(|place| place.offset == "0") {
        true => places().fold(0, |common, place| gcd(common, place.rate)).max(1),
        false => 1,
    }
}

fn slower(items: &[Item], members: &[usize], by: i64) -> Vec<Item> {
    let slower = |(k, item): (usize, &Item)| match members.contains(&k) {
        true => Item { place: item.place.at_rate(item.place.rate / by), ..item.clone() },
        false => item.clone(),
    };
    items.iter().enumerate().map(slower).collect()
}

/// By statement of a cluster, where it stands in the loop; one by itself stays as it is.
fn placed(items: &[Item], members: &[usize], shifts: &[i64]) -> BTreeMap<StatementId, Place> {
    let place = |item: &Item, shift: i64| match members.len() {
        1 => Place::kept(item.place.axis.clone()),
        _ => item.place.later(shift),
    };
    let of_item = |(member, shift): (&usize, &i64)| {
        let place = place(&items[*member], *shift);
        items[*member].statements.iter().map(move |id| (*id, place.clone()))
    };
    members.iter().zip(shifts).flat_map(of_item).collect()
}

fn fused_loop(level: usize, items: &[Item], members: &[usize], shifts: &[i64]) -> FusedLoop {
    let all = || members.iter().map(|member| &items[*member]);
    let behind = all().zip(shifts).flat_map(|(item, shift)| item.statements.iter().map(|id| (*id, *shift)));
    let of = |course| all().filter(move |item| item.place.course == course).flat_map(|item| item.statements.clone());
    let (turned, once) = (of(Course::Turned).collect(), of(Course::Once).collect());
    let at_rates = all().filter(|item| item.goes_along() && item.place.rate > 1);
    let rates = at_rates.flat_map(|item| item.statements.iter().map(|id| (*id, item.place.rate))).collect();
    FusedLoop { level, behind: behind.collect(), turned, once, rates }
}

/// Dependences between operations in the same iteration of a fused loop, and the arrays through which values go to other ones.
fn in_one_iteration(
    dependences: &[Dependence],
    loops: &BTreeMap<StatementId, Place>,
    places: &Places,
) -> Result<(Vec<Dependence>, BTreeSet<ArrayId>)> {
    let (mut kept, mut passed_on) = (Vec::new(), BTreeSet::new());
    for dependence in dependences {
        let (Some(from), Some(to)) = (loops.get(&dependence.from), loops.get(&dependence.to)) else { continue };
        let (own, is_whole) = places.in_one(dependence, from, to)?;
        passed_on.extend(dependence.array.filter(|_| dependence.is_flow && !is_whole));
        kept.extend(own);
    }
    Ok((kept, passed_on))
}

//! Rings of values that may be windows which slide through more cells.
//!
//! Where values are named by the turns that a loop still has, v, their places p = a v + c·x + δ in a ring of b cells move by a from turn to turn: the ring wraps around somewhere
//! else in each turn. If all that a turn uses lies in a window that moves as far,
//!
//! ```text
//! lowest <= p − a r < lowest + W      r: turns left when the turn begins; in front of the loop all of them, behind it none
//! W <= b
//! ```
//!
//! then value p may live in cell `from + p − a r − lowest`, where `from` goes down by a in each turn, and what is in the window moves up when there are not
//! so many cells below it. A value that is used in two turns is in all windows between them, since they move in one direction; so it is moved whenever they
//! are, and no other value of a window has its cell. Values of equal p never conflict: that is part of what is proved of the ring.
//!
//! Example: in two grids of n cells, of which n − 1 values are alive, turn r reads `(r, i)` for 1 <= i <= n − 2 and writes `(r − 1, i)`, with p = v + i. So 0 <= p − r <= n − 2, and W = n − 1.
//!
//! Invariants: the loop is at the top of the program, its turns are in order, and its step is one. W is a function of the sizes without cases.
//!
//! Source: line buffers and delay lines that are copied back when they reach their end, as they are written by hand.

use crate::quotient::linear_map;
use crate::{Placed, PlacedAccess, PlacedValues, RowForm, Versions};
use polyfold_flow::{statements, turns};
use polyfold_isl::{Map, PwAff, Result, Set};
use polyfold_scop::{ArrayId, Loop, LoopId, Node, Scop, StatementId};

/// A ring of values that may slide; only [`sliding_windows`] makes one.
#[derive(Clone, Debug)]
pub struct SlidingWindow {
    buffer: ArrayId,
    time: LoopId,
    slope: i64,
    lowest: PwAff,
    cells: PwAff,
    room: PwAff,
    versions: Vec<(ValueUse, i64)>,
}

/// Which access of which statement finds values of which class.
type ValueUse = (StatementId, usize, ArrayId);

impl SlidingWindow {
    /// The first of the classes in the buffer.
    pub fn buffer(&self) -> ArrayId {
        self.buffer
    }

    /// The loop whose turns move it.
    pub fn time(&self) -> LoopId {
        self.time
    }

    /// How many cells further down the window begins after each turn, at least 1.
    pub fn slope(&self) -> i64 {
        self.slope
    }

    /// What the first cell's position is above that of the turn.
    pub fn lowest(&self) -> &PwAff {
        &self.lowest
    }

    /// How many cells the window has, or fewer than 1 for sizes that use none.
    pub fn cells(&self) -> &PwAff {
        &self.cells
    }

    /// How many more cells there are; at least 1.
    pub fn room(&self) -> &PwAff {
        &self.room
    }

    /// The first coordinate of the values that an access finds in a class, counted from the turn that runs: 0 if they were there in front of it, or if there are none, −1 if it makes them.
    pub fn version(&self, statement: StatementId, access: usize, class: ArrayId) -> i64 {
        let of = |(own, _): &&(ValueUse, i64)| *own == (statement, access, class);
        self.versions.iter().find(of).map_or(0, |(_, version)| *version)
    }
}

/// The buffers of values that may slide, for all parameters in `context`.
///
/// # Errors
/// When the work bound is reached.
pub fn sliding_windows(scop: &Scop, values: &[PlacedValues], context: &Set) -> Result<Vec<SlidingWindow>> {
    let mut found: Vec<SlidingWindow> = Vec::new();
    let mut seen: Vec<ArrayId> = Vec::new();
    for place in values.iter().flat_map(PlacedValues::accesses).filter_map(|access| access.place.as_ref()) {
        let Some(buffer) = place.shared().filter(|buffer| !seen.contains(buffer)) else { continue };
        seen.push(buffer);
        found.extend(sliding_window(scop, (values, buffer), context)?);
    }
    Ok(found)
}

fn sliding_window(
    scop: &Scop,
    (values, buffer): (&[PlacedValues], ArrayId),
    context: &Set,
) -> Result<Option<SlidingWindow>> {
    let Some(uses) = Uses::of(values, buffer) else { return Ok(None) };
    let Some(count) = TurnCount::of(scop, uses.time, context)? else { return Ok(None) };
    let Some(Positions { all, in_turns, versions }) = uses.positions(&count, context)? else { return Ok(None) };
    let Some((lowest, highest)) = bounds(&in_turns, context)? else { return Ok(None) };
    for own in &all {
        if !are_within(own, (&lowest, &highest))? {
            return Ok(None);
        }
    }
    let one = PwAff::read(context.context(), "{ [(1)] }")?;
    let cells = highest.sub(&lowest)?.add(&one)?.coalesce()?;
    let room = uses.all[0].1.rows()[0].modulus.sub(&cells)?.coalesce()?;
    let is_there = context.is_subset(&room.at_least(&one)?)?;
    let Uses { time, slope, .. } = uses;
    Ok(is_there.then_some(SlidingWindow { buffer, time, slope, lowest, cells, room, versions }))
}

/// The accesses to a buffer whose values are named by the turns that one loop has left.
struct Uses<'a> {
    all: Vec<(&'a PlacedAccess, &'a Placed)>,
    time: LoopId,
    slope: i64,
}

impl<'a> Uses<'a> {
    fn of(values: &'a [PlacedValues], buffer: ArrayId) -> Option<Uses<'a>> {
        let (mut all, mut times) = (Vec::new(), Vec::new());
        for own in values {
            let placed = own.accesses().iter().filter_map(|access| Some((access, access.place.as_ref()?)));
            let here: Vec<_> = placed.filter(|(_, place)| place.shared() == Some(buffer)).collect();
            times.extend((!here.is_empty()).then(|| own.versions()));
            all.extend(here);
        }
        let Versions::TurnsLeft(time) = *times.first()? else { return None };
        let slope = slope(&all)?;
        times.iter().all(|other| *other == times[0]).then_some(Uses { all, time, slope })
    }

    /// `None`: the values of some access are not all named from one turn.
    fn positions(&self, count: &TurnCount, context: &Set) -> Result<Option<Positions>> {
        let mut found = Positions { all: Vec::new(), in_turns: Vec::new(), versions: Vec::new() };
        for (access, place) in &self.all {
            let name = access.name.intersect_params(context)?.unnamed()?;
            let from_turn = FromTurn { name: &name, left: count.left(access.statement, &name)?, place };
            let own = from_turn.positions()?;
            if own.is_empty()? {
                continue;
            }
            let used = (access.statement, access.access, place.array());
            let Some(version) = from_turn.version()? else { return Ok(None) };
            if found.versions.iter().any(|(other, own)| *other == used && *own != version) {
                return Ok(None);
            }
            found.versions.push((used, version));
            found.in_turns.extend(count.inside.contains(&access.statement).then(|| own.clone()));
            found.all.push(own);
        }
        Ok(Some(found))
    }
}

/// Where values are, counted from where the turn begins: `p − a r`.
struct Positions {
    /// By access.
    all: Vec<Set>,
    /// Of those in the loop.
    in_turns: Vec<Set>,
    versions: Vec<(ValueUse, i64)>,
}

fn are_within(positions: &Set, (lowest, highest): (&PwAff, &PwAff)) -> Result<bool> {
    let sizes = positions.params()?;
    Ok(positions.has_least(0)?
        && positions.has_most(0)?
        && sizes.is_subset(&positions.dim_min(0)?.at_least(lowest)?)?
        && sizes.is_subset(&highest.at_least(&positions.dim_max(0)?)?)?)
}

/// What some positions are at least and at most, each a function of the sizes without cases: where there are cases for small sizes, that of one which bounds all of them.
fn bounds(positions: &[Set], context: &Set) -> Result<Option<(PwAff, PwAff)>> {
    let Some(first) = positions.first() else { return Ok(None) };
    let all = positions[1..].iter().try_fold(first.clone(), |all, own| all.union(own))?;
    if !all.has_least(0)? || !all.has_most(0)? {
        return Ok(None);
    }
    let (sizes, least, most) = (all.params()?, all.dim_min(0)?.coalesce()?, all.dim_max(0)?.coalesce()?);
    let lowest = first_of(&least, context, |piece| sizes.is_subset(&least.at_least(piece)?))?;
    Ok(lowest.zip(first_of(&most, context, |piece| sizes.is_subset(&piece.at_least(&most)?))?))
}

/// The first case of a function with some property when it is taken for all sizes.
fn first_of(function: &PwAff, context: &Set, holds: impl Fn(&PwAff) -> Result<bool>) -> Result<Option<PwAff>> {
    for (_, piece) in function.pieces()? {
        if context.is_subset(&piece.domain()?)? && holds(&piece)? {
            return Ok(Some(piece));
        }
    }
    Ok(None)
}

/// By how much positions move for each turn that is left: one number above 0 for all places, each of which is one row with a remainder.
fn slope(uses: &[(&PlacedAccess, &Placed)]) -> Option<i64> {
    let mut found = None;
    for (_, place) in uses {
        let [row] = place.rows() else { return None };
        let own = *row.coefficients.first()?;
        if matches!(row.form, RowForm::Fits { .. }) || own <= 0 || found.is_some_and(|other| other != own) {
            return None;
        }
        found = Some(own);
    }
    found
}

/// How many turns of a loop at the top of a program are left.
struct TurnCount<'s> {
    time: &'s Loop,
    /// The statements in front of it, and in it.
    before: Vec<StatementId>,
    inside: Vec<StatementId>,
    /// The last value of the counter, where there is a turn: `{ [t] }`.
    last: Set,
    /// How many turns there are: `{ [r] }`.
    all: Set,
    none: Set,
}

impl<'s> TurnCount<'s> {
    fn of(scop: &'s Scop, time: LoopId, context: &Set) -> Result<Option<TurnCount<'s>>> {
        let at = scop.body.iter().position(|node| matches!(node, Node::Loop(l) if l.id == time));
        let Some((at, Node::Loop(l))) = at.map(|at| (at, &scop.body[at])) else { return Ok(None) };
        if l.step.abs() != 1 || l.parallel {
            return Ok(None);
        }
        let ctx = context.context();
        let turns = turns(ctx, scop, time)?.unnamed()?.intersect_params(context)?;
        if !turns.has_least(0)? || !turns.has_most(0)? {
            return Ok(None);
        }
        let (least, most) = (turns.dim_min(0)?, turns.dim_max(0)?);
        let more = most.sub(&least)?.add(&PwAff::read(ctx, "{ [(1)] }")?)?;
        let none = Set::read(ctx, "{ [0] }")?;
        let without = none.intersect_params(&context.subtract(&turns.params()?)?)?;
        let all = more.graph()?.union(&without)?;
        let last = if l.step > 0 { most.graph()? } else { least.graph()? };
        let (mut before, mut inside) = (Vec::new(), Vec::new());
        statements(&scop.body[..at], &mut before);
        statements(&l.body, &mut inside);
        Ok(Some(TurnCount { time: l, before, inside, last, all, none }))
    }

    /// `{ [i] -> [r] }` for the operations that have names: turns left when that begins in which a statement runs.
    fn left(&self, statement: StatementId, name: &Map) -> Result<Map> {
        let operations = name.domain()?;
        if !self.inside.contains(&statement) {
            return operations.with_each_of(if self.before.contains(&statement) { &self.all } else { &self.none });
        }
        let first: Vec<i64> = (0..name.dimensions()?.0).map(|k| i64::from(k == 0)).collect();
        let counter = linear_map(name.context(), first.len(), [&first[..]])?;
        let left = if self.time.step > 0 { "last - t + 1" } else { "t - last + 1" };
        let left = Map::read(name.context(), &format!("{{ [t, last] -> [{left}] }}"))?;
        counter.flat_range_product(&operations.with_each_of(&self.last)?)?.apply_range(&left)
    }
}

/// What an access finds, from where the turn begins.
struct FromTurn<'a> {
    /// `{ [i] -> [v, x] }`.
    name: &'a Map,
    /// `{ [i] -> [r] }`.
    left: Map,
    place: &'a Placed,
}

impl FromTurn<'_> {
    /// All `p − a r`.
    fn positions(&self) -> Result<Set> {
        let row = &self.place.rows()[0];
        let shift = self.name.domain()?.with_each_of(&row.shift.graph()?)?;
        let named = self.name.flat_range_product(&self.left)?.flat_range_product(&shift)?;
        let factors = [&row.coefficients[..], &[-row.coefficients[0], 1]].concat();
        named.range()?.apply(&linear_map(named.context(), factors.len(), [&factors[..]])?)
    }

    /// `v − r`, if that is one number.
    fn version(&self) -> Result<Option<i64>> {
        let named = self.name.flat_range_product(&self.left)?;
        let others = vec![0; self.place.rows()[0].coefficients.len() - 1];
        let apart = [&[1], &others[..], &[-1]].concat();
        let all = named.range()?.apply(&linear_map(named.context(), apart.len(), [&apart[..]])?)?;
        Ok(all.dim_min_value(0)?.filter(|least| all.dim_max_value(0).ok().flatten() == Some(*least)))
    }
}

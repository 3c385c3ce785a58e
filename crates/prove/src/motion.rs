//! When cells are copied: that copies in front of a loop, or a turn before their use, bring what copies at each instance would.
//!
//! For a plan proved for each instance by itself ([`crate::verify_locals`]), and C the parameter values of its instances, it is shown of an
//! array copied *outside* some loops, whose changing parameters are V:
//!
//! 1. its map, and the cells that have places, are copied in or back, are the same for all values of V in C;
//! 2. nothing beside the region in these loops names the array, or may lead to it; nothing writes it, if the region only reads it;
//! 3. each time the loop is reached, the region is at some of its turns; in front of the outermost loop that is tested.
//!
//! So each turn would copy the cells in that the turn before left in place: what is copied back is written at every turn or was copied in.
//! Of an array in *rotating* buffers:
//!
//! 4. the same holds of the innermost loop;
//! 5. nothing but the counter and its products with sizes changes from turn to turn, and no cell that is fetched a turn early, but the late ones, is copied back by a turn that may still be under way ([`turns_under_way`]).
//!
//! 6. the counter k is not negative, so that `k / |s|` mod b numbers the buffers in turn, for its step s, and each turn gets to the region.
//!
//! Turns of a loop that is parallel have no order: nothing moves.
//!
//! Source: US 8,661,422 moves copies without a proof.

use crate::local::PlacedLocals;
use polyfold_compact::{
    Local, Motion, Plan, changing, entered, is_alone, reached, turns, turns_later, turns_under_way, written_back,
};
use polyfold_flow::Model;
use polyfold_isl::{PwAff, Result, Set};
use polyfold_scop::{ArrayId, LoopAround, Surroundings};

/// What stands around all copies of a plan.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// How many loops are inside, innermost first.
    pub loops: usize,
    /// In front of them: the parameter values for which the region is reached; `None`: it always is.
    pub entered: Option<Set>,
    /// Whether the outermost loop may have turns where the region is not reached.
    pub may_pass_by: bool,
}

/// The same plan with other motions, one for each local array, if these are right. `known`: parameter values that instances may have.
/// `loose`: arrays that may be the memory of others.
///
/// # Errors
/// When the work bound is reached.
pub fn verify_motions(
    model: &Model,
    placed: &PlacedLocals,
    motions: Vec<Motion>,
    known: &Set,
    loose: &[ArrayId],
) -> Result<Option<PlacedLocals>> {
    let plan = placed.plan();
    let model = model.clone().within(&plan.context)?;
    let depth = motions.iter().map(Motion::depth).max().unwrap_or(0);
    if depth == 0 {
        return Ok((motions.len() == plan.locals.len()).then(|| placed.with(motions, Frame::default())));
    }
    let Some(around) = model.scop.surroundings.as_deref() else { return Ok(None) };
    let Some(loops) = around.loops.get(..depth) else { return Ok(None) };
    let facts = Facts { model: &model, plan, motions: &motions, around, loose };
    if around.parallel || motions.len() != plan.locals.len() || !facts.holds_outside(&loops[depth - 1], known)? {
        return Ok(None);
    }
    for inner in (1..depth).filter(|inner| facts.motions.iter().any(|motion| motion.depth() == *inner)) {
        let Some(reached) = facts.reached(&loops[..inner])? else { return Ok(None) };
        if !facts.in_front(inner)?.is_subset(&reached.0)? {
            return Ok(None);
        }
    }
    for number in 0..motions.len() {
        if !facts.may_move(number)? {
            return Ok(None);
        }
    }
    let Some((reached, may_pass_by)) = facts.reached(loops)? else { return Ok(None) };
    let always = facts.in_front(depth)?.is_subset(&reached)?;
    let entered = reached.gist_params(&facts.known_in_front(depth)?)?;
    let frame = Frame { loops: depth, entered: (!always).then_some(entered), may_pass_by: may_pass_by && !always };
    Ok(Some(placed.with(motions, frame)))
}

struct Facts<'a> {
    model: &'a Model<'a>,
    plan: &'a Plan,
    motions: &'a [Motion],
    around: &'a Surroundings,
    loose: &'a [ArrayId],
}

impl Facts<'_> {
    /// What is known in front of so many of the loops, where sizes are what the plan asks for.
    fn in_front(&self, depth: usize) -> Result<Set> {
        self.known_in_front(depth)?.intersect(&self.model.where_all_hold(&self.around.positive)?)
    }

    /// What is known in front of so many of the loops, the values of the others' counters included.
    fn known_in_front(&self, depth: usize) -> Result<Set> {
        let (inside, outside) = self.around.loops.split_at(depth);
        let mut known = self.model.where_all_hold(inside.last().map_or(&[][..], |around| &around.known))?;
        for around in outside {
            if let Some(turns) = turns(self.model, around)? {
                known = known.intersect(&turns)?;
            }
        }
        Ok(known)
    }

    /// Parameter values for which one of the turns of some loops, given from the innermost, gets to the region, and whether there may be turns
    /// for others; `None`: that is not known.
    fn reached(&self, loops: &[LoopAround]) -> Result<Option<(Set, bool)>> {
        let Some((outermost, inner)) = loops.split_last() else { return Ok(None) };
        let mut is_sure = loops.iter().all(|around| around.guards.is_empty());
        for (k, around) in inner.iter().enumerate() {
            let turns = entered(self.model, around)?;
            is_sure &= turns.map_or(Ok(false), |turns| self.in_front(k + 1)?.is_subset(&turns))?;
        }
        match is_sure {
            true => Ok(entered(self.model, outermost)?.map(|turns| (turns, false))),
            false => Ok(reached(self.model, loops)?.map(|turns| (turns, true))),
        }
    }

    /// Whether the plan's condition is the same at all turns: it is tested in front.
    fn holds_outside(&self, around: &LoopAround, known: &Set) -> Result<bool> {
        let context = positive(self.plan)?.intersect(known)?;
        context.for_any(&changing(self.model, around))?.intersect(known)?.is_subset(&context)
    }

    fn may_move(&self, number: usize) -> Result<bool> {
        let local = &self.plan.locals[number];
        match &self.motions[number] {
            Motion::Inside => Ok(!self.is_copied_beside_buffers(local)?),
            Motion::Outside(depth) => self.may_be_outside(local, *depth),
            Motion::Rotating { buffers, late } => self.may_rotate(local, *buffers, late),
        }
    }

    /// Whether copies at each instance meet copies of the same array that are still under way.
    fn is_copied_beside_buffers(&self, local: &Local) -> Result<bool> {
        let rotates = |(other, motion): (&Local, &Motion)| {
            other.array == local.array && matches!(motion, Motion::Rotating { .. })
        };
        let is_beside = self.plan.locals.iter().zip(self.motions).any(rotates);
        Ok(is_beside && !(local.copies.into.is_empty()? && local.copies.back.is_empty()?))
    }

    /// Whether all buffers are as many.
    fn are_as_many(&self, buffers: usize) -> bool {
        self.motions
            .iter()
            .all(|motion| !matches!(motion, Motion::Rotating { buffers: other, .. } if *other != buffers))
    }

    /// 1 and 2.
    fn may_be_outside(&self, local: &Local, depth: usize) -> Result<bool> {
        let Some(loops) = depth.checked_sub(1).and_then(|_| self.around.loops.get(..depth)) else { return Ok(false) };
        Ok(is_alone(self.model, local.array, &loops[depth - 1], self.loose)
            && self.stays_the_same(local, &loops[depth - 1])?)
    }

    /// 1.
    fn stays_the_same(&self, local: &Local, around: &LoopAround) -> Result<bool> {
        let changing = changing(self.model, around);
        for cells in [&local.cells, &local.copies.into, &local.copies.back] {
            let own = cells.intersect_params(&self.plan.context)?;
            if !own.for_any(&changing)?.intersect_params(&self.plan.context)?.is_subset(&own)? {
                return Ok(false);
            }
        }
        let map = local.shape.map.wrap()?;
        map.for_any(&changing)?.is_equal(&map)
    }

    /// 4 to 6.
    fn may_rotate(&self, local: &Local, buffers: usize, late: &Set) -> Result<bool> {
        let Some(around) = self.around.loops.first() else { return Ok(false) };
        let is_right = (2..=3).contains(&buffers) && self.are_as_many(buffers);
        let counter = &self.model.parameters[around.counter.0];
        let natural = Set::read(self.plan.context.context(), &format!("[{counter}] -> {{ : {counter} >= 0 }}"))?;
        if !self.plan.context.is_subset(&natural)?
            || !around.guards.is_empty()
            || !is_right
            || !is_alone(self.model, local.array, around, self.loose)
            || !late.is_subset(&local.copies.into)?
        {
            return Ok(false);
        }
        let early = local.copies.into.subtract(late)?.intersect_params(&self.plan.context)?;
        if turns_later(self.model, around, &early, 1)?.is_none() {
            return Ok(false);
        }
        let Some(back) = written_back(self.plan, local)? else { return Ok(true) };
        let back = back.intersect_params(&self.plan.context)?;
        for turns in turns_under_way(buffers) {
            let Some(earlier) = turns_later(self.model, around, &back, -turns)? else { return Ok(false) };
            if !early.intersect(&earlier)?.is_empty()? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Parameter values of a plan for which no extent is 0 or below.
///
/// # Errors
/// When the work bound is reached.
pub fn positive(plan: &Plan) -> Result<Set> {
    let mut all = plan.context.clone();
    let one = |extent: &PwAff| PwAff::read(extent.context(), "{ [(1)] }");
    for extent in plan.locals.iter().flat_map(|local| &local.shape.extents) {
        all = all.intersect(&extent.at_least(&one(extent)?)?)?;
    }
    all.coalesce()
}

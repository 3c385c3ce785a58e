//! Why copies stay where they are, for the user: the first thing that keeps an array from moving.
//!
//! What is proved decides ([`crate::motion`]); this looks again at what the proof asks for, in its order, and only where somebody wants to know.

use crate::motion::Moves;
use polyfold_compact::{Local, Motion, changing, is_alone, late};
use polyfold_isl::{Error, Set};
use polyfold_plan::Compaction;
use polyfold_prove::PlacedLocals;
use polyfold_scop::{LoopAround, Surroundings};

/// What keeps an array's copies from moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stays {
    /// The region is written in several versions.
    Versions,
    /// Instances run at the same time.
    Parallel,
    /// The loop is not directly around the region, or is none whose turns are known.
    NoLoop,
    /// The loop's text may get no new lines.
    Text,
    /// Nothing of the array is copied.
    NoCopies,
    /// The copies stand in front of the loop.
    InFront,
    /// Something beside the region in the loop uses the array, or may.
    Beside,
    /// The loop's counter may be negative.
    Negative,
    /// The cells, or their places, are others at each turn.
    Cells,
    /// More than the counter changes from turn to turn.
    Sizes,
    /// It is not shown that some turn gets to the region, or that the plan holds at all turns.
    Turns,
    /// An `if` stands between the region and the loop.
    Guarded,
}

/// Why a local array, by its number, is not copied in front of one of the loops around, counted from the innermost.
///
/// # Errors
/// When the work bound is reached.
pub fn why_inside(compaction: &Compaction, moves: &Moves, number: usize, at: usize) -> Result<Stays, Error> {
    let found = match Place::find(compaction, moves, number, at) {
        Ok(found) => found,
        Err(stays) => return Ok(stays),
    };
    let (model, context) = (&compaction.model, &found.placed.plan().context);
    let changing = changing(model, found.around);
    for cells in [&found.local.cells, &found.local.copies.into, &found.local.copies.back] {
        let own = cells.intersect_params(context)?;
        if !own.for_any(&changing)?.intersect_params(context)?.is_subset(&own)? {
            return Ok(Stays::Cells);
        }
    }
    let map = found.local.shape.map.wrap()?;
    Ok(if map.for_any(&changing)?.is_equal(&map)? { Stays::Turns } else { Stays::Cells })
}

/// Why a local array, by its number, has one buffer.
///
/// # Errors
/// When the work bound is reached.
pub fn why_one_buffer(compaction: &Compaction, moves: &Moves, number: usize) -> Result<Stays, Error> {
    let found = match Place::find(compaction, moves, number, 0) {
        Ok(found) => found,
        Err(stays) => return Ok(stays),
    };
    if matches!(found.placed.motions()[number], Motion::Outside(_)) {
        return Ok(Stays::InFront);
    }
    let (model, plan) = (&compaction.model, found.placed.plan());
    let counter = &model.parameters[found.around.counter.0];
    let natural = Set::read(plan.context.context(), &format!("[{counter}] -> {{ : {counter} >= 0 }}"))?;
    if !plan.context.is_subset(&natural)? {
        return Ok(Stays::Negative);
    }
    if !found.around.guards.is_empty() {
        return Ok(Stays::Guarded);
    }
    let moves = late(model, plan, found.local, found.around, moves.buffers)?;
    Ok(if moves.is_none() { Stays::Sizes } else { Stays::Turns })
}

/// An array and a loop in front of which its copies might stand.
struct Place<'a> {
    placed: &'a PlacedLocals,
    local: &'a Local,
    around: &'a LoopAround,
}

impl<'a> Place<'a> {
    fn find(compaction: &'a Compaction, moves: &Moves, number: usize, at: usize) -> Result<Place<'a>, Stays> {
        let [placed] = &compaction.plans[..] else { return Err(Stays::Versions) };
        let surroundings: Option<&Surroundings> = compaction.model.scop.surroundings.as_deref();
        if surroundings.is_some_and(|around| around.parallel) {
            return Err(Stays::Parallel);
        }
        let around = surroundings.and_then(|around| around.loops.get(at)).ok_or(Stays::NoLoop)?;
        if moves.loops <= at {
            return Err(Stays::Text);
        }
        let local = placed.plan().locals.get(number).ok_or(Stays::NoCopies)?;
        let is_empty = |cells: &Set| cells.is_empty().unwrap_or(false);
        if is_empty(&local.copies.into) && is_empty(&local.copies.back) {
            return Err(Stays::NoCopies);
        }
        if !is_alone(&compaction.model, local.array, around, &moves.loose) {
            return Err(Stays::Beside);
        }
        Ok(Place { placed, local, around })
    }
}

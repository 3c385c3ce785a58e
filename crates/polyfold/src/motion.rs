//! Copies moved out of loops, or a turn ahead, as far as that is proved.
//!
//! Each local array that is copied goes in front of as many loops as may be; what stays inside gets rotating buffers if they are asked for.
//! Nothing here has to be right: what is not proved is tried with less.

use polyfold_compact::{Motion, Plan, late};
use polyfold_isl::{Error, ErrorKind};
use polyfold_plan::Compaction;
use polyfold_prove::{PlacedLocals, verify_motions};
use polyfold_scop::ArrayId;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// How many buffers rotate; below 2 none.
    pub buffers: usize,
    /// Arrays that may be memory of others that the region does not name.
    pub loose: Vec<ArrayId>,
    /// In front of how many of the loops around the region's text may get new lines, innermost first.
    pub loops: usize,
}

/// Moves the copies of a region that runs in one version, as far as one gets with so many elementary steps.
///
/// # Errors
/// When isl fails.
pub fn move_copies(compaction: &mut Compaction, moves: &Moves, max_operations: u64) -> Result<(), Error> {
    let known = compaction.known.clone();
    let model = compaction.model.clone();
    let [placed] = &mut compaction.plans[..] else { return Ok(()) };
    let moved = known.context().with_quota(max_operations, || {
        let attempt = |placed: &PlacedLocals, motions| verify_motions(&model, placed, motions, &known, &moves.loose);
        let plan = placed.plan().clone();
        for (number, local) in plan.locals.iter().enumerate() {
            if local.copies.into.is_empty()? && local.copies.back.is_empty()? {
                continue;
            }
            for depth in (1..=moves.loops).rev() {
                let mut motions = placed.motions().to_vec();
                motions[number] = Motion::Outside(depth);
                if let Some(moved) = attempt(placed, motions)? {
                    *placed = moved;
                    break;
                }
            }
        }
        let around = model.scop.surroundings.as_deref().and_then(|around| around.loops.first());
        let Some(around) = around.filter(|_| moves.buffers > 1 && moves.loops > 0) else { return Ok(()) };
        for array in arrays(&plan) {
            let mut motions = placed.motions().to_vec();
            for (number, local) in plan.locals.iter().enumerate().filter(|(_, local)| local.array == array) {
                let is_copied = !local.copies.into.is_empty()? || !local.copies.back.is_empty()?;
                if !is_copied || !matches!(motions[number], Motion::Inside) {
                    continue;
                }
                if let Some(late) = late(&model, &plan, local, around, moves.buffers)? {
                    motions[number] = Motion::Rotating { buffers: moves.buffers, late };
                }
            }
            if let Some(moved) = attempt(placed, motions)? {
                *placed = moved;
            }
        }
        Ok(())
    });
    match moved {
        Err(error) if error.kind == ErrorKind::Quota => Ok(()),
        other => other,
    }
}

/// The arrays of a plan, each once.
fn arrays(plan: &Plan) -> Vec<ArrayId> {
    let mut arrays: Vec<ArrayId> = plan.locals.iter().map(|local| local.array).collect();
    arrays.sort();
    arrays.dedup();
    arrays
}

//! Which loops have turns for strips.
//!
//! A loop is in strips if it has more turns than two of them for some sizes, and loops inside of it have few for all: such as the one over
//! the weights of a filter, which belongs to a turn.
//!
//! ```text
//! turns = 1 + max { t' − t : t, t' turns of the loop, each time that it is reached }
//! ```
//!
//! Loops where data decide what runs are in none.

use super::STRIP;
use polyfold_flow::Model;
use polyfold_isl::{Map, Result};
use polyfold_scop::{StatementId, StatementKind};

/// Loops inside of a loop in strips have so many turns at most.
const FEW_TURNS: i64 = 64;

/// Loops in which there are none but short ones, by how many are around them, and their statements in text order; without those where
/// data decide what runs.
pub(super) fn loops(model: &Model) -> Result<Vec<(usize, Vec<StatementId>)>> {
    let (scop, mut found) = (model.scop, Vec::new());
    for l in scop.loops() {
        let inside = |id: &StatementId| scop.statement(*id).loops.contains(&l.id);
        let own: Vec<StatementId> = (0..scop.statements.len()).map(StatementId).filter(inside).collect();
        let Some(first) = own.first() else { continue };
        let level = scop.statement(*first).loops.iter().position(|id| *id == l.id).unwrap_or(0);
        let decides = own.iter().any(|id| scop.statement(*id).kind == StatementKind::Condition);
        if !decides && has_short_loops(model, level, &own)? {
            found.push((level, own));
        }
    }
    Ok(found)
}

/// Whether loops inside of that at a level have few turns for all sizes.
fn has_short_loops(model: &Model, level: usize, statements: &[StatementId]) -> Result<bool> {
    for id in statements {
        for inner in level + 1..model.scop.statement(*id).loops.len() {
            if turns(model, *id, inner)?.is_none_or(|turns| turns > FEW_TURNS) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// How far apart turns of a statement's loop at a level are, each time that the loop is reached, and 1; `None`: there is no bound for all sizes.
fn turns(model: &Model, id: StatementId, level: usize) -> Result<Option<i64>> {
    let dates = model.statements[id.0].schedule.intersect_params(&model.context)?.range()?;
    let (dimensions, counter) = (dates.dimensions()?, 2 * level + 1);
    let names = |letter: &str| -> String {
        let own = (0..dimensions).map(|k| if k < counter { format!("t{k}") } else { format!("{letter}{k}") });
        own.collect::<Vec<_>>().join(", ")
    };
    let (from, to, ctx) = (names("a"), names("b"), dates.context());
    let pairs =
        Map::read(ctx, &format!("{{ [{from}] -> [{to}] }}"))?.intersect_domain(&dates)?.intersect_range(&dates)?;
    let apart = format!("{{ [[{from}] -> [{}]] -> [b{counter} - a{counter}] }}", to.replace('t', "u"));
    let apart = pairs.wrap()?.apply(&Map::read(ctx, &apart)?)?;
    Ok(apart.dim_max_value(0)?.and_then(|most| most.checked_add(1)))
}

/// Whether a loop has fewer turns than two strips for all sizes.
pub(super) fn is_short(model: &Model, (level, statements): (usize, &[StatementId])) -> Result<bool> {
    for id in statements {
        if turns(model, *id, level)?.is_none_or(|turns| turns > 2 * STRIP) {
            return Ok(false);
        }
    }
    Ok(true)
}

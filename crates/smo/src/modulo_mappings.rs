//! Levels for a class of statements that share one buffer, until no conflict is left.
//!
//! Paper: SMO §4.4, Algorithm 1 (FIND-MODULO-MAPPINGS). Every level satisfies something: with intra-statement conflicts left, a
//! statement's own polyhedron or what an axis separates; without, all that differ by constants.

use crate::budget::Budget;
use crate::level::{Level, next_level};
use crate::{Buffer, ConflictSet, Form, Member};
use polyfold_isl::Result;

/// A shared buffer of some statements.
pub(crate) struct Shared {
    pub(crate) buffer: Buffer,
    /// For each statement the moduli that it would need by itself, level by level.
    pub(crate) own: Vec<Vec<Form>>,
}

/// One buffer for a class of statements; `None` if the heuristic finds none.
pub(crate) fn shared_buffer(conflicts: &ConflictSet, class: &[usize], budget: &mut Budget) -> Result<Option<Shared>> {
    let most_levels = 2 * class.iter().map(|statement| conflicts.arity(*statement)).max().unwrap_or(0) + 2;
    let mut left = conflicts.among(class);
    let mut levels = Vec::new();
    while !left.is_empty() {
        let Some((level, still_left)) = next_level(conflicts, class, &left, budget)? else { return Ok(None) };
        levels.push(level);
        left = still_left;
        if levels.len() > most_levels {
            return Ok(None);
        }
    }
    Ok(Some(assemble(conflicts, class, levels)))
}

/// Levels of modulus 1 are left out: they address nothing.
fn assemble(conflicts: &ConflictSet, class: &[usize], levels: Vec<Level>) -> Shared {
    let one = Form::constant(conflicts.parameters().len(), 1);
    let levels: Vec<Level> = levels.into_iter().filter(|level| level.modulus != one).collect();
    let member = |(k, statement): (usize, &usize)| Member {
        statement: *statement,
        rows: levels.iter().map(|level| level.rows[k].clone()).collect(),
    };
    let members = class.iter().enumerate().map(member).collect();
    let own = (0..class.len()).map(|k| levels.iter().map(|level| level.own[k].clone()).collect()).collect();
    Shared { buffer: Buffer { moduli: levels.into_iter().map(|level| level.modulus).collect(), members }, own }
}

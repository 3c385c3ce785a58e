//! Whether reads find values of their own window.
//!
//! ```text
//! for each read of a cell, when each loop around the window's body is in one turn:
//!   some write of that cell surely happened before, in the same turns
//! ```
//!
//! Then the last write of the cell is one of these turns, too. Writes in branches are sure if data cannot prevent them ([`sure_writes`]). A window that is
//! there once, with no loop around it, has no other values.
//!
//! Example: in `for (i = 0; i < n; i++) { if (x[i] > 0) w[0] = x[i]; else w[0] = 0; for (j = 1; j < m; j++) w[j] = w[j - 1] + 1; }` w[0] is read at j = 1
//! behind a write at the same i, whatever data say.

use super::Reach;
use super::window::{Use, Window};
use polyfold_flow::{StatementModel, Write, sure_writes};
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::Certainty;
use std::collections::BTreeSet;

/// Whether all reads do.
pub(super) fn in_time(window: &Window, statements: &[StatementModel], context: &Set, reach: Reach) -> Result<bool> {
    if reach == Reach::Around && window.around == 0 && !window.scop.repeats {
        return Ok(true);
    }
    let in_branches = if reach == Reach::Around { sure_writes(window.scop) } else { BTreeSet::new() };
    let accesses = |used: &Use| -> Result<Map> {
        let model = &statements[used.statement.0];
        let cells = model.cells[used.number].intersect_params(context)?;
        model.schedule.reverse()?.apply_range(&cells)
    };
    let mut writes: Option<Map> = None;
    for used in window.uses.iter().filter(|used| is_sure(used, &statements[used.statement.0], &in_branches)) {
        let own = accesses(used)?;
        writes = Some(writes.map_or(Ok(own.clone()), |all| all.union(&own))?);
    }
    let Some(writes) = writes else { return Ok(false) };
    for read in window.uses.iter().filter(|used| used.access.is_read()) {
        let reads = accesses(read)?;
        let dates = reads.domain()?;
        let earlier = Map::lex_gt(&dates)?.intersect(&same_turns(&dates, window.around)?)?;
        let written = reads.apply_range(&writes.reverse()?)?.intersect(&earlier)?;
        if !dates.is_subset(&written.domain()?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_sure(used: &Use, model: &StatementModel, in_branches: &BTreeSet<Write>) -> bool {
    let Use { access, statement, number, .. } = used;
    let is_whole = access.is_write() && access.certainty == Certainty::Must && !access.condition.depends_on_data();
    is_whole && (model.certain || in_branches.contains(&(*statement, *number)))
}

/// `{ [date] -> [date'] }` in the same turns of so many loops: dates are `[position, counter, position, counter, …]`.
fn same_turns(dates: &Set, around: usize) -> Result<Map> {
    let names = |letter: &str, count: usize| -> Result<Vec<String>> {
        Ok((0..dates.dimensions()?).map(|k| if k < count { format!("t{k}") } else { format!("{letter}{k}") }).collect())
    };
    let (from, to) = (names("a", 2 * around)?.join(", "), names("b", 2 * around)?.join(", "));
    Map::read(dates.context(), &format!("{{ [{from}] -> [{to}] }}"))
}

//! Arrays whose values stay in one turn of the loops around.
//!
//! ```text
//! for each read of a cell, when each of the loops around is in one turn:
//!   some write of that cell surely happened before, in the same turns
//! ```
//!
//! Then the last write of the cell is one of these turns, too. Writes in branches are sure if data cannot prevent them ([`sure_writes`]).
//!
//! Example: in `for (i = 0; i < n; i++) { if (x[i] > 0) w[0] = x[i]; else w[0] = 0; for (j = 1; j < m; j++) w[j] = w[j - 1] + 1; }` w[0] is read at j = 1
//! behind a write at the same i, whatever data say.

use polyfold_flow::{StatementModel, Write};
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{Access, ArrayId, Certainty, Declaration, Scop, StatementId, Storage};
use std::collections::BTreeSet;

/// An access: of which statement, which of its accesses, and what it is.
pub(crate) type Use<'s> = (StatementId, usize, &'s Access);

/// Whether all reads find values of their own turns of so many loops, outermost first, which are around all accesses; `in_branches`: writes that are
/// sure though they stand in branches.
pub(crate) fn are_found(
    uses: &[Use],
    around: usize,
    in_branches: &BTreeSet<Write>,
    statements: &[StatementModel],
    context: &Set,
) -> Result<bool> {
    let accesses = |used: &Use| -> Result<Map> {
        let model = &statements[used.0.0];
        let cells = model.cells[used.1].intersect_params(context)?;
        model.schedule.reverse()?.apply_range(&cells)
    };
    let mut writes: Option<Map> = None;
    for used in uses.iter().filter(|used| is_sure(used, &statements[used.0.0], in_branches)) {
        let own = accesses(used)?;
        writes = Some(writes.map_or(Ok(own.clone()), |all| all.union(&own))?);
    }
    let Some(writes) = writes else { return Ok(false) };
    for read in uses.iter().filter(|(_, _, access)| access.is_read()) {
        let reads = accesses(read)?;
        let dates = reads.domain()?;
        let earlier = Map::lex_gt(&dates)?.intersect(&same_turns(&dates, around)?)?;
        let written = reads.apply_range(&writes.reverse()?)?.intersect(&earlier)?;
        if !dates.is_subset(&written.domain()?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_sure((statement, number, access): &Use, model: &StatementModel, in_branches: &BTreeSet<Write>) -> bool {
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

/// The accesses to an array: statements, the numbers of their accesses, and these.
pub(crate) fn accesses(scop: &Scop, array: ArrayId) -> Vec<Use<'_>> {
    let mut found = Vec::new();
    for (id, statement) in scop.statements.iter().enumerate() {
        let own = statement.accesses.iter().enumerate().filter(|(_, access)| access.array == array);
        found.extend(own.map(|(k, access)| (StatementId(id), k, access)));
    }
    found
}

/// Variables of its own that a function declares as such.
pub(crate) fn is_local(scop: &Scop, id: ArrayId) -> bool {
    let array = scop.array(id);
    let is_local = |d: &Declaration| d.storage == Storage::Local && d.allocation().is_none();
    array.is_temporary() && !array.linearised && array.declaration.as_ref().is_some_and(is_local)
}

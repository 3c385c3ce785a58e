//! Whether an access is of cells that the scop surely uses, sooner or later.
//!
//! ```text
//! { a(i) : i ∈ domain(S) }  ⊆  ∪ { b(i) : i ∈ domain(T) }        b: sure accesses to the same array
//! ```
//!
//! Example: where a loop reads all of `in[i][j]`, another one may read `in[i][j + 1]` for j < n − 1 whether or not data ask for it: that cell is there.
//!
//! Nothing is said of scops that call functions which may do anything: these may not return.

use crate::names::Names;
use crate::path::{Path, paths_to_statements};
use crate::space::Space;
use polyfold_isl::{Context, Result, Set};
use polyfold_scop::{Access, Certainty, Scop, StatementId};

/// Whether each operation of a statement accesses a cell that the scop surely uses, for all parameter values.
///
/// # Errors
/// When the work bound of `ctx` is reached.
pub fn is_of_used_cells(ctx: &Context, scop: &Scop, (id, access): (StatementId, &Access)) -> Result<bool> {
    let space = Space { ctx, scop, names: Names::of(scop) };
    let paths = paths_to_statements(&scop.body, scop.statements.len());
    let calls = scop.statements.iter().any(|s| s.is_effectful());
    if calls || access.subscripts.is_none() {
        return Ok(false);
    }
    let cells = |id: usize, access: &Access| -> Result<Set> {
        let statement = &scop.statements[id];
        space.domain(statement, &paths[id])?.apply(&space.access(statement, access)?)
    };
    let is_sure = |path: &Path, other: &Access| {
        let is_known = other.array == access.array && other.subscripts.is_some();
        let runs = path.guards.iter().all(|(condition, _)| !condition.depends_on_data());
        is_known && runs && other.certainty == Certainty::Must && !other.condition.depends_on_data()
    };
    let mut rest = cells(id.0, access)?;
    for (other, statement) in scop.statements.iter().enumerate() {
        for own in statement.accesses.iter().filter(|own| is_sure(&paths[other], own)) {
            rest = rest.subtract(&cells(other, own)?)?;
            if rest.is_empty()? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

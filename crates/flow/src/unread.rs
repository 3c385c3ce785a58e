//! Statements of which no value is ever read.
//!
//! [`dead_code`](crate::dead_code) looks at whole arrays. Where an array is read, a statement that writes it may still be dead:
//! each of its values is overwritten before anybody reads it, for all sizes that the model is about. Grids that are both filled and of which one is written in
//! each step before it is read are the common case. The dead filling costs more than its time: at its date both grids are full.
//!
//! Example: in `for i: p[i] = x[i]; for i: q[i] = x[i]; for t: { for i: q[i] = p[i]; for i: p[i] = q[i]; }` nobody reads what the
//! second loop writes.
//!
//! Limits: looks at temporaries that are written surely, by no function that got an address, whose subscripts stay in their extents, and of which each read
//! gets what this run of the scop wrote: what a run leaves in an array the next one could read otherwise.

use crate::accesses::{dataflow, union};
use crate::dead::{DeadCode, dead_code};
use crate::model::Model;
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{ArrayId, Scop, StatementId, StatementKind};
use std::collections::BTreeSet;

impl DeadCode {
    /// Adds the statements whose values nobody reads, and what is computed for these alone, in the model of the scop without what is dead
    /// already.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn add_unread(&mut self, model: &Model) -> Result<()> {
        if model.unordered.is_some() {
            return Ok(());
        }
        for id in (0..model.scop.statements.len()).map(StatementId) {
            if is_unread(model, id)? {
                self.statements.push(id);
            }
        }
        // What was computed for these alone is dead, too.
        let DeadCode { arrays, statements } = dead_code(&self.remove_from(model.scop));
        self.arrays.extend(arrays);
        self.statements.extend(statements);
        self.arrays.sort_unstable();
        self.arrays.dedup();
        self.statements.sort_unstable();
        self.statements.dedup();
        Ok(())
    }
}

/// Whether several statements write one temporary array: only then a value may be overwritten before anybody reads it.
pub fn may_be_unread(scop: &Scop) -> bool {
    let mut written = BTreeSet::new();
    scop.statements.iter().any(|statement| {
        let writes = statement.accesses.iter().filter(|access| access.is_write());
        let arrays: BTreeSet<ArrayId> = writes.map(|access| access.array).collect();
        let mut plain = arrays.into_iter().filter(|id| scop.array(*id).is_temporary() && !scop.array(*id).is_scalar());
        plain.any(|id| !written.insert(id))
    })
}

fn is_unread(model: &Model, id: StatementId) -> Result<bool> {
    let statement = model.scop.statement(id);
    let mut writes = statement.accesses.iter().filter(|access| access.is_write()).peekable();
    if statement.kind != StatementKind::Assignment || writes.peek().is_none() {
        return Ok(false);
    }
    let few = at_few_sizes(model, id)?;
    for write in writes {
        let array = write.array;
        if !is_known(model, array) {
            return Ok(false);
        }
        // It says the same for some sizes as for all, and takes less time.
        let flow = |sizes: &Set| dataflow(&model.accesses(array).map(|one| one.intersect_params(sizes))?);
        if let Some(few) = &few
            && gets_there(model, id, flow(few)?.as_ref())?
        {
            return Ok(false);
        }
        if reaches_a_read(model, id, array)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether dataflow tells all that may happen to an array.
fn is_known(model: &Model, id: ArrayId) -> bool {
    let (array, accesses) = (model.scop.array(id), model.accesses(id));
    let is_plain = array.is_temporary() && !array.is_scalar() && !model.leaves_bounds.contains(&id);
    is_plain && accesses.may_writes.is_empty() && accesses.held.is_empty()
}

/// Whether a read may get what a statement wrote, in this run of the scop or the next one.
fn reaches_a_read(model: &Model, id: StatementId, array: ArrayId) -> Result<bool> {
    let Some(reads) = union(&model.accesses(array).reads)? else { return Ok(false) };
    let Some(flow) = model.flow(array)? else { return Ok(true) };
    if !reads.wrap()?.is_subset(&flow.range()?)? {
        return Ok(true);
    }
    gets_there(model, id, Some(&flow))
}

/// Whether a value of a statement is one that flows.
fn gets_there(model: &Model, id: StatementId, flow: Option<&Map>) -> Result<bool> {
    let Some(flow) = flow else { return Ok(false) };
    let dates = model.statements[id.0].schedule.intersect_domain(&model.statements[id.0].domain)?.range()?;
    Ok(!flow.domain()?.intersect(&dates)?.is_empty()?)
}

/// Some sizes of the model for which a statement runs, one for each parameter; `None`: there are no parameters, or it never runs.
fn at_few_sizes(model: &Model, id: StatementId) -> Result<Option<Set>> {
    let running = model.statements[id.0].domain.params()?.intersect(&model.context)?;
    let names = running.parameter_names()?;
    let Some((values, _)) = running.sample()?.filter(|_| !names.is_empty()) else { return Ok(None) };
    let sizes: Vec<(&str, i64)> = names.iter().map(String::as_str).zip(values).collect();
    running.at(&sizes).map(Some)
}

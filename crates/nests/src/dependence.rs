//! When the operations of two statements run that depend on each other.
//!
//! ```text
//! { x -> y : S at date x and T at a later date y touch the same cell, and one of them writes it }
//! ```
//!
//! Statements that may do more than can be seen depend on all others. Values that are overwritten before anybody reads them count,
//! too: more than needed stays in order.

use crate::place::Places;
use polyfold_flow::{Model, union};
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{Access, ArrayId, StatementId};
use std::collections::BTreeSet;

/// Operations of `to` that depend on earlier ones of `from`.
#[derive(Clone, Debug)]
pub(crate) struct Dependence {
    /// The statement that comes first in the text.
    pub(crate) from: StatementId,
    /// The other.
    pub(crate) to: StatementId,
    /// Through which array; `None`: through what cannot be seen.
    pub(crate) array: Option<ArrayId>,
    /// Whether `to` reads what `from` may have written.
    pub(crate) is_flow: bool,
    /// Their dates.
    pub(crate) pairs: Map,
    /// Another one for each.
    pub(crate) number: usize,
}

/// All dependences of a program, and what is known of places of their ends.
#[derive(Debug)]
pub struct Dependences {
    pub(crate) all: Vec<Dependence>,
    pub(crate) places: Places,
}

/// All dependences of statements on others in front of them in the text; and on themselves and others behind them, if a loop is around
/// both.
///
/// # Errors
/// When the work bound is reached.
pub fn dependences(model: &Model) -> Result<Dependences> {
    let ids = (0..model.scop.statements.len()).map(StatementId);
    let all = ids.map(|id| Touched::of(model, id)).collect::<Result<Vec<_>>>()?;
    let mut found = Vec::new();
    for (k, to) in all.iter().enumerate() {
        let again = all[k..].iter().filter(|from| share_a_loop(model, from.id, to.id));
        for from in all[..k].iter().chain(again) {
            found.extend(between(from, to)?);
        }
    }
    found.iter_mut().enumerate().for_each(|(number, dependence)| dependence.number = number);
    let places = Places::new(&model.parameters, found.len());
    Ok(Dependences { all: found, places })
}

fn share_a_loop(model: &Model, one: StatementId, other: StatementId) -> bool {
    let outermost = |id| model.scop.statement(id).loops.first();
    outermost(one).is_some() && outermost(one) == outermost(other)
}

/// What a statement does, by date.
struct Touched {
    id: StatementId,
    /// Whether it may do more than can be seen.
    is_effectful: bool,
    dates: Set,
    cells: Vec<Cells>,
}

/// `{ [date] -> A[cell] }` for one array.
struct Cells {
    array: ArrayId,
    reads: Option<Map>,
    writes: Option<Map>,
    all: Map,
}

impl Touched {
    fn of(model: &Model, id: StatementId) -> Result<Touched> {
        let statement = model.scop.statement(id);
        let dates = model.statements[id.0].schedule.intersect_params(&model.context)?.range()?;
        let arrays: BTreeSet<ArrayId> = statement.accesses.iter().map(|access| access.array).collect();
        let mut cells = Vec::new();
        for array in arrays {
            let reads = touched(model, id, |access| access.array == array && access.is_read())?;
            let writes = touched(model, id, |access| access.array == array && access.is_write())?;
            let Some(all) = union(reads.iter().chain(&writes))? else { continue };
            cells.push(Cells { array, reads, writes, all });
        }
        Ok(Touched { id, is_effectful: statement.is_effectful(), dates, cells })
    }
}

fn touched(model: &Model, id: StatementId, is_meant: impl Fn(&Access) -> bool) -> Result<Option<Map>> {
    let (statement, modelled) = (model.scop.statement(id), &model.statements[id.0]);
    let mut relations = Vec::new();
    for k in (0..statement.accesses.len()).filter(|k| is_meant(&statement.accesses[*k])) {
        let cells = &modelled.cells[k];
        relations.push(modelled.schedule.reverse()?.apply_range(cells)?.intersect_params(&model.context)?);
    }
    union(&relations)
}

fn between(from: &Touched, to: &Touched) -> Result<Vec<Dependence>> {
    let dependence = |array, is_flow, pairs| Dependence { from: from.id, to: to.id, array, is_flow, pairs, number: 0 };
    if from.is_effectful || to.is_effectful {
        let pairs = in_order(&from.dates.with_each_of(&to.dates)?)?;
        return Ok(pairs.map(|pairs| dependence(None, false, pairs)).into_iter().collect());
    }
    let mut found = Vec::new();
    for cells in &from.cells {
        let Some(later) = to.cells.iter().find(|later| later.array == cells.array) else { continue };
        for (earlier, later, is_flow) in
            [(&cells.writes, &later.reads, true), (&Some(cells.all.clone()), &later.writes, false)]
        {
            let (Some(earlier), Some(later)) = (earlier, later) else { continue };
            let pairs = in_order(&earlier.apply_range(&later.reverse()?)?)?;
            found.extend(pairs.map(|pairs| dependence(Some(cells.array), is_flow, pairs)));
        }
    }
    Ok(found)
}

/// The pairs of dates of which the first is earlier; `None`: there are none.
fn in_order(pairs: &Map) -> Result<Option<Map>> {
    let pairs = pairs.intersect(&Map::lex_lt(&pairs.domain()?)?)?;
    Ok(if pairs.is_empty()? { None } else { Some(pairs) })
}

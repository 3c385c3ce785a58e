//! References of a region to an array, and the cells that they touch.
//!
//! ```text
//! footprint of r  =  { x : some operation of the region touches x by r }        depends on the region's instance
//! ```
//!
//! Example: in `for (i = 0; i < n; i++) B[i] = A[2*i+n][3*i];` the reference to A has the footprint `{ [2i + n, 3i] : 0 <= i < n }`,
//! strides included.
//!
//! Source: US 8,661,422.
//!
//! Invariant: where data decides, a footprint is never too small.

use polyfold_flow::Model;
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{ArrayId, StatementId};

/// One reference in the text.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Whose.
    pub statement: StatementId,
    /// Which of the statement's accesses.
    pub access: usize,
    /// Whether it writes.
    pub writes: bool,
    /// `{ S[i] -> [x] }`.
    pub cells: Map,
    /// `{ [x] }`, not empty.
    pub footprint: Set,
}

/// The references to an array that may happen, for parameters in `context`.
///
/// # Errors
/// When the work bound is reached.
pub fn references(model: &Model, array: ArrayId, context: &Set) -> Result<Vec<Reference>> {
    let mut found = Vec::new();
    for (k, (statement, own)) in model.scop.statements.iter().zip(&model.statements).enumerate() {
        for (at, access) in statement.accesses.iter().enumerate().filter(|(_, access)| access.array == array) {
            let cells = own.cells[at].intersect_params(context)?.without_range_name()?;
            let footprint = cells.range()?.coalesce()?;
            if !footprint.is_empty()? {
                found.push(Reference {
                    statement: StatementId(k),
                    access: at,
                    writes: access.is_write(),
                    cells,
                    footprint,
                });
            }
        }
    }
    Ok(found)
}

/// The union of some footprints; `None` for none.
///
/// # Errors
/// When the work bound is reached.
pub fn union_of<'a>(sets: impl IntoIterator<Item = &'a Set>) -> Result<Option<Set>> {
    let mut all: Option<Set> = None;
    for set in sets {
        all = Some(match all {
            None => set.clone(),
            Some(others) => others.union(set)?,
        });
    }
    all.map(|all| all.coalesce()).transpose()
}

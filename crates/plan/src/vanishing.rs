//! Where arrays of one buffer stand so that copies between them vanish.
//!
//! `b[i + 1] = a[i];` copies a cell onto itself where b stands one cell in front of a. Of values by name it is the same with their
//! turns: in a wave equation with three grids,
//!
//! ```text
//! for t: { next[i] = f(now, old);  old[i] = now[i];  now[i] = next[i]; }
//! ```
//!
//! `old` holds under the name (v, i) what `now` holds under (v + 1, i): moved by one turn both copies vanish, and two grids are left.
//!
//! Invariant: these are wishes, the prover decides.
//!
//! Paper: SMO (POPL'16) §1, Figure 1(c).

use crate::search::StorageSearch;
use polyfold_flow::{NamedAccess, ValueClass};
use polyfold_isl::{Error, Map};
use polyfold_scop::{ArrayId, StatementId};

/// Copies between two arrays, or classes of values.
pub(crate) struct Copied {
    pub(crate) from: ArrayId,
    pub(crate) to: ArrayId,
    /// The cell that is read minus the cell that is written, in all turns of the loops.
    pub(crate) distance: Vec<i64>,
}

impl StorageSearch<'_> {
    /// The copies between what may share a buffer, at distances that do not change, the nearest first: where several shifts do as well, subscripts are plainest without one.
    pub(crate) fn copied(&self) -> Result<Vec<Copied>, Error> {
        let mut found = Vec::new();
        for copy in self.copies() {
            if self.classes.is_empty() {
                found.extend(copy.distance().map(|distance| Copied { from: copy.from, to: copy.to, distance }));
            }
            let of = |array: ArrayId| self.classes.iter().filter(move |class| class.array == array);
            for from in of(copy.from) {
                for to in of(copy.to) {
                    let distance = distance(named(from, copy.statement), named(to, copy.statement))?;
                    found.extend(distance.map(|distance| Copied { from: from.id, to: to.id, distance }));
                }
            }
        }
        found.sort_by_key(|copied| copied.distance.iter().fold(0, |sum, d| d.saturating_abs().saturating_add(sum)));
        Ok(found)
    }
}

/// What a statement touches in a class.
fn named(class: &ValueClass, statement: StatementId) -> Option<&NamedAccess> {
    class.accesses.iter().find(|access| access.statement == statement)
}

/// The name that is read minus the name that is written, if it is the same for all operations that touch both classes.
fn distance(read: Option<&NamedAccess>, written: Option<&NamedAccess>) -> Result<Option<Vec<i64>>, Error> {
    let (Some(read), Some(written)) = (read, written) else { return Ok(None) };
    let from_written: Map = written.name.reverse()?.apply_range(&read.name)?.unnamed()?;
    let distances = from_written.deltas()?;
    let mut all = Vec::new();
    for axis in 0..distances.dimensions()? {
        let (least, most) = (distances.dim_min_value(axis)?, distances.dim_max_value(axis)?);
        all.extend(least.filter(|_| least == most));
    }
    Ok((all.len() == distances.dimensions()?).then_some(all))
}

//! How many cells a result takes, and how few are worth a change.
//!
//! Of several answers for one scop (for all sizes, for those that the user assumes, for those that
//! macros give) the best one has, in this order: fewer arrays that disappoint, fewer cells for all
//! temporary arrays, fewer cases of sizes to distinguish.

use crate::optimize::{Optimized, Outcome};
use crate::search::StorageSearch;
use crate::sizes::{borrow, declared_cells};
use polyfold_isl::Error;
use polyfold_scop::{ArrayId, Scop};

/// Saving less than this share of an array's cells is not worth a change of the program.
pub(crate) const LEAST_SAVED_PERCENT: u64 = 3;

/// A buffer has to save one cell in so many.
pub(crate) const LEAST_SAVING: u64 = 10;

/// How few cells are worth the change from so many.
pub(crate) fn worth(cells: u64) -> u64 {
    cells.saturating_sub(cells.saturating_mul(LEAST_SAVED_PERCENT).div_ceil(100))
}

/// How few cells are worth a `%` in subscripts.
pub(crate) fn worth_computing(cells: u64) -> u64 {
    cells - cells.div_ceil(LEAST_SAVING)
}

/// A number of cells that the arrays need in any case: the values alive at once, as far as they were counted for
/// these arrays.
pub(crate) fn alive(search: &StorageSearch, ids: &[ArrayId]) -> u64 {
    match search.live.1 {
        Some(live) if search.live.0.iter().all(|id| ids.contains(id)) => live.total,
        _ => ids.iter().map(|id| search.floor(*id)).max().unwrap_or(0),
    }
}

/// Whether so many cells are worth a change from more.
pub fn is_worth_changing(from: u64, to: u64) -> bool {
    to <= worth(from)
}

impl Optimized {
    /// Smaller is better.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub(crate) fn rank(&self, scop: &Scop) -> Result<(usize, u64, usize), Error> {
        Ok((self.disappointing(), self.cells_at(scop, &self.sizes.values)?, self.cases()?))
    }

    /// Whether it is worth a test at run time: fewer cases alone are not.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub(crate) fn saves_more_than(&self, other: &Optimized, scop: &Scop) -> Result<bool, Error> {
        let sizes = &self.sizes.values;
        let (cells, more) = (self.cells_at(scop, sizes)?, other.cells_at(scop, sizes)?);
        Ok((self.disappointing(), cells) < (other.disappointing(), more))
    }

    pub(crate) fn disappointing(&self) -> usize {
        let is_disappointing = |outcome: &Outcome| matches!(outcome, Outcome::Kept { surprising: true, .. });
        self.outcomes.iter().filter(|(_, outcome)| is_disappointing(outcome)).count()
    }

    /// The cells that suffice for all temporary arrays at given sizes; more than any where one stays whose size is not known.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn cells_at(&self, scop: &Scop, sizes: &[(String, i64)]) -> Result<u64, Error> {
        let mut cells = 0u64;
        for (id, outcome) in self.outcomes.iter().filter(|(id, _)| scop.array(*id).is_temporary()) {
            cells = cells.saturating_add(match outcome {
                Outcome::Mapped { least, .. } if *sizes == self.sizes.values => *least,
                Outcome::Mapped { storage, .. } => storage.get().mapping.cells(&borrow(sizes))?.unwrap_or(u64::MAX),
                Outcome::Kept { .. } => declared_cells(scop, *id, sizes).unwrap_or(u64::MAX),
                Outcome::Shared { .. } | Outcome::Values { .. } | Outcome::Hosted { .. } | Outcome::Removed => 0,
            });
        }
        for buffer in &self.buffers {
            cells = cells.saturating_add(match *sizes == self.sizes.values {
                true => buffer.least,
                false => buffer.storage.get().mapping.cells(&borrow(sizes))?.unwrap_or(u64::MAX),
            });
        }
        Ok(cells)
    }

    fn cases(&self) -> Result<usize, Error> {
        let mapped = self.outcomes.iter().filter_map(|(_, outcome)| match outcome {
            Outcome::Mapped { storage, .. } => Some(&storage.get().mapping),
            _ => None,
        });
        let mut cases = 0;
        for mapping in mapped.chain(self.buffers.iter().map(|buffer| &buffer.storage.get().mapping)) {
            cases += mapping.cases()?;
        }
        Ok(cases)
    }

    /// Cells of what the counted temporaries live in now, each buffer once; `None` where a size has no value.
    ///
    /// # Errors
    /// When a size does not fit into 64 bits.
    pub fn cells_after(&self, scop: &Scop) -> Result<Option<u64>, Error> {
        let sizes = &self.sizes.values;
        let mut parts: Vec<Option<u64>> = self.buffers.iter().map(|buffer| Some(buffer.cells)).collect();
        for (id, outcome) in self.outcomes.iter().filter(|(id, _)| self.counted.contains(id)) {
            parts.push(match outcome {
                Outcome::Mapped { storage, .. } => storage.get().mapping.cells(&borrow(sizes))?,
                Outcome::Kept { .. } => declared_cells(scop, *id, sizes),
                Outcome::Shared { .. } | Outcome::Values { .. } | Outcome::Hosted { .. } | Outcome::Removed => Some(0),
            });
        }
        Ok(parts.into_iter().try_fold(0u64, |sum, part| sum.checked_add(part?)))
    }
}

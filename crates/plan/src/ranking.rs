//! Which of several answers for one scop is better: for all sizes, for those that the user assumes, for those that macros give.
//!
//! In this order: fewer arrays that disappoint, fewer cells for all temporary arrays, fewer cases of sizes to distinguish.

use crate::optimize::{Optimized, Outcome};
use crate::sizes::{borrow, declared_cells};
use polyfold_isl::Error;
use polyfold_scop::Scop;

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
}

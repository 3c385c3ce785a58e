//! How many cells the temporaries of a scop take, before and after.

use crate::optimize::{Optimized, Outcome};
use crate::sizes::{borrow, declared_cells};
use polyfold_isl::Error;
use polyfold_scop::Scop;

impl Optimized {
    /// Cells of the counted temporaries as declared, at the sizes counted at; `None` where an extent has no value.
    pub fn cells_before(&self, scop: &Scop) -> Option<u64> {
        let declared = self.counted.iter().map(|id| declared_cells(scop, *id, &self.sizes.values));
        declared.reduce(|sum, more| sum?.checked_add(more?)).unwrap_or(Some(0))
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

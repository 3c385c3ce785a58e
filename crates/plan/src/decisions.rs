//! What is decided so far for all arrays: where each lives, and the buffers of several.
//!
//! A search begins with some decisions and makes others of them; which are kept is said by their cells.

use crate::buffer::SharedBuffer;
use crate::optimize::Outcome;
use crate::search::StorageSearch;
use crate::sizes::{borrow, declared_cells};
use polyfold_alloc::{Mapping, Proposal};
use polyfold_isl::Error;
use polyfold_prove::Verified;
use polyfold_scop::ArrayId;
use std::collections::BTreeSet;

/// An outcome for each array, and the buffers that they name by index.
#[derive(Clone)]
pub(crate) struct Decisions {
    /// In the order of the scop.
    pub outcomes: Vec<(ArrayId, Outcome)>,
    /// Some may be in no use any more.
    pub buffers: Vec<SharedBuffer>,
    /// How many classes of values have ids.
    pub classes: usize,
}

impl Decisions {
    /// Each array by itself.
    pub(crate) fn alone(outcomes: Vec<(ArrayId, Outcome)>) -> Decisions {
        Decisions { outcomes, buffers: Vec::new(), classes: 0 }
    }

    pub(crate) fn set(&mut self, id: ArrayId, outcome: Outcome) {
        if let Some(place) = self.outcomes.iter_mut().find(|(other, _)| *other == id) {
            place.1 = outcome;
        }
    }

    /// Puts other storage in the place of that of arrays that share with no others, where there is some within the work bound.
    pub(crate) fn replace_alone(
        &mut self,
        search: &StorageSearch,
        other: impl Fn(ArrayId, &Verified<Proposal>) -> Result<Option<Verified<Proposal>>, Error>,
    ) {
        for (id, outcome) in &mut self.outcomes {
            let Outcome::Mapped { storage, .. } = outcome else { continue };
            if let Ok(Some(found)) = search.in_bound(1, [*id], || other(*id, storage)) {
                **storage = found;
            }
        }
    }

    /// Puts arrays into a new buffer, in the order of its members.
    pub(crate) fn share(&mut self, buffer: SharedBuffer) {
        for (member, id) in buffer.arrays.clone().into_iter().enumerate() {
            self.set(id, Outcome::Shared { buffer: self.buffers.len(), member });
        }
        self.buffers.push(buffer);
    }

    fn of<'d>(&'d self, ids: &'d [ArrayId]) -> impl Iterator<Item = &'d (ArrayId, Outcome)> {
        self.outcomes.iter().filter(|(id, _)| ids.contains(id))
    }

    /// The buffers that some arrays are in.
    pub(crate) fn buffers_of(&self, ids: &[ArrayId]) -> Vec<&SharedBuffer> {
        let mut places = BTreeSet::new();
        for (_, outcome) in self.of(ids) {
            if let Outcome::Shared { buffer, .. } = outcome {
                places.insert(*buffer);
            }
        }
        places.into_iter().map(|place| &self.buffers[place]).collect()
    }

    /// The cells of all storage that some arrays are in; more than any where one stays whose size is not known.
    pub(crate) fn cells(&self, search: &StorageSearch, ids: &[ArrayId]) -> u64 {
        let mut cells = 0u64;
        for (id, outcome) in self.of(ids) {
            cells = cells.saturating_add(match outcome {
                Outcome::Mapped { least, .. } => *least,
                Outcome::Kept { .. } => declared_cells(search.model.scop, *id, search.sizes).unwrap_or(u64::MAX),
                Outcome::Shared { .. } | Outcome::Values { .. } | Outcome::Hosted { .. } | Outcome::Removed => 0,
            });
        }
        self.used(ids).into_iter().fold(cells, |sum, buffer| sum.saturating_add(self.buffers[buffer].cells))
    }

    /// The buffers in which arrays, or their values, live.
    fn used(&self, ids: &[ArrayId]) -> BTreeSet<usize> {
        let mut used = BTreeSet::new();
        for (_, outcome) in self.of(ids) {
            match outcome {
                Outcome::Shared { buffer, .. } => used.extend([*buffer]),
                Outcome::Values { buffers, .. } => used.extend(buffers),
                Outcome::Mapped { .. } | Outcome::Kept { .. } | Outcome::Hosted { .. } | Outcome::Removed => {}
            }
        }
        used
    }

    /// The same at other sizes; `None`: something has more cells there than 64 bits can say, or no known size.
    pub(crate) fn cells_at(&self, search: &StorageSearch, ids: &[ArrayId], sizes: &[(String, i64)]) -> Option<u64> {
        let of = |mapping: &Mapping| mapping.cells(&borrow(sizes)).ok().flatten();
        let mut cells = 0u64;
        for (id, outcome) in self.of(ids) {
            cells = cells.checked_add(match outcome {
                Outcome::Mapped { storage, .. } => of(&storage.get().mapping)?,
                Outcome::Kept { .. } => declared_cells(search.model.scop, *id, sizes)?,
                Outcome::Shared { .. } | Outcome::Values { .. } | Outcome::Hosted { .. } | Outcome::Removed => 0,
            })?;
        }
        let mut buffers = self.used(ids).into_iter().map(|buffer| of(&self.buffers[buffer].storage.get().mapping));
        buffers.try_fold(cells, |sum, cells| sum.checked_add(cells?))
    }

    /// The cells that arrays need by themselves; `None` where they share with others, or as values.
    pub(crate) fn cells_by_themselves(&self, search: &StorageSearch, ids: &[ArrayId]) -> Option<u64> {
        let is_theirs = |outcome: &Outcome| match outcome {
            Outcome::Shared { buffer, .. } => self.buffers[*buffer].arrays.iter().all(|array| ids.contains(array)),
            Outcome::Mapped { .. } | Outcome::Kept { .. } => true,
            Outcome::Removed | Outcome::Values { .. } | Outcome::Hosted { .. } => false,
        };
        self.of(ids).all(|(_, outcome)| is_theirs(outcome)).then(|| self.cells(search, ids))
    }

    /// Keeps the buffers in which something lives.
    pub(crate) fn forget_unused_buffers(&mut self) {
        let ids: Vec<ArrayId> = self.outcomes.iter().map(|(id, _)| *id).collect();
        let used = self.used(&ids);
        let moved = |buffer: usize| used.range(..buffer).count();
        for (_, outcome) in &mut self.outcomes {
            match outcome {
                Outcome::Shared { buffer, .. } => *buffer = moved(*buffer),
                Outcome::Values { buffers, .. } => buffers.iter_mut().for_each(|k| *k = moved(*k)),
                Outcome::Mapped { .. } | Outcome::Hosted { .. } | Outcome::Removed | Outcome::Kept { .. } => {}
            }
        }
        let mut places = 0..;
        self.buffers.retain(|_| places.next().is_some_and(|place| used.contains(&place)));
    }
}

//! Mappings of as many cells that innermost loops go through with fewer strides and remainders.
//!
//! Which of several mappings of one size an engine proposes says nothing about the code. Of a mapping that is proved, these are tried:
//!
//! ```text
//! rows in another order      y[i][k mod 2]                  y[k mod 2][i]                  consecutive cells in a loop over i
//! a row turned around        A[(t − x) mod n]               A[(x − t) mod n]               grows with x
//! another axis alone         d[i mod h][(i + j) mod 3 h]    d[j mod h][(i + j) mod 3 h]    a loop over i stays in its row
//! ```
//!
//! and for buffers, rows that mix no coordinates ([`straight`](crate::straight)).
//!
//! Invariant: these are proposals, the prover decides.

use crate::buffer::SharedBuffer;
use crate::conflicts::facts_of;
use crate::decisions::Decisions;
use crate::movement::{Cost, Movement};
use crate::search::StorageSearch;
use crate::straight::straightened;
use crate::variants::Variant;
use polyfold_alloc::{Proposal, SharedProposal};
use polyfold_codegen::has_fixed_rows;
use polyfold_isl::Error;
use polyfold_live::DifferenceSet;
use polyfold_prove::{SharedFacts, Verified};
use polyfold_scop::ArrayId;

/// As many proofs are tried for one buffer.
const MOST_TRIALS: usize = 4;

/// Finds a better buffer.
type Find = fn(&StorageSearch, &SharedBuffer) -> Result<Option<SharedBuffer>, Error>;

/// Puts better mappings of the same size in the place of those decided.
pub(crate) fn improve_strides(search: &StorageSearch, decisions: &mut Decisions) {
    if search.options.method.is_some() {
        return;
    }
    decisions.replace_alone(search, |id, storage| search.with_better_strides(id, storage));
    for buffer in decisions.buffers.iter_mut().filter(|buffer| !buffer.holds_values) {
        let better = |buffer: &SharedBuffer, find: Find| {
            search.in_bound(buffer.arrays.len(), buffer.arrays.clone(), || find(search, buffer)).ok().flatten()
        };
        // One row after the other.
        while let Some(found) = better(buffer, straight) {
            *buffer = found;
        }
        if let Some(found) = better(buffer, shared) {
            *buffer = found;
        }
    }
}

impl StorageSearch<'_> {
    fn with_better_strides(
        &self,
        id: ArrayId,
        storage: &Verified<Proposal>,
    ) -> Result<Option<Verified<Proposal>>, Error> {
        let movements = self.movements(id);
        let Some(now) = Variant::of(&storage.get().mapping, &[storage.place()]) else { return Ok(None) };
        let better = cheaper(&now, &movements, now.cost(&movements));
        if movements.is_empty() || better.is_empty() {
            return Ok(None);
        }
        self.first_proved(storage.get(), better, now.cost(&movements), &self.differences(id)?)
    }

    /// How the array's own accesses move; nothing is known of classes of values.
    pub(crate) fn movements(&self, id: ArrayId) -> Vec<Movement> {
        let array = self.model.scop.array(id);
        if !self.classes.is_empty() || has_fixed_rows(array) {
            return Vec::new();
        }
        Movement::of(self.model.scop, id)
    }

    /// The first of some variants of a proposal that costs less than so much, and is proved.
    fn first_proved(
        &self,
        proposal: &Proposal,
        variants: Vec<Variant>,
        most: Cost,
        differences: &DifferenceSet,
    ) -> Result<Option<Verified<Proposal>>, Error> {
        let movements = self.movements(proposal.array);
        for variant in variants.into_iter().take(MOST_TRIALS) {
            let proposal = Proposal { mapping: variant.mapping(), ..proposal.clone() };
            let Some(storage) = self.proved(proposal, differences)? else { continue };
            let proved = Variant::of(&storage.get().mapping, &[storage.place()]);
            if proved.is_some_and(|proved| proved.cost(&movements) < most) {
                return Ok(Some(storage));
            }
        }
        Ok(None)
    }
}

/// The buffer with a better mapping of its common space.
fn shared(search: &StorageSearch, buffer: &SharedBuffer) -> Result<Option<SharedBuffer>, Error> {
    let proposal = buffer.storage.get();
    let movements = in_common_space(search, buffer);
    let Some(now) = Variant::of_buffer(buffer) else { return Ok(None) };
    let better = cheaper(&now, &movements, now.cost(&movements));
    let proposals = better.into_iter().map(|variant| SharedProposal { mapping: variant.mapping(), ..proposal.clone() });
    first_cheaper(search, buffer, proposals.collect())
}

/// The buffer without coordinates that its rows mix.
fn straight(search: &StorageSearch, buffer: &SharedBuffer) -> Result<Option<SharedBuffer>, Error> {
    first_cheaper(search, buffer, straightened(buffer.storage.get())?)
}

/// The first of some proposals that is proved, has no more cells, and costs less.
fn first_cheaper(
    search: &StorageSearch,
    buffer: &SharedBuffer,
    proposals: Vec<SharedProposal>,
) -> Result<Option<SharedBuffer>, Error> {
    let cost = |buffer: &SharedBuffer| Variant::of_buffer(buffer).map(|own| own.cost(&in_common_space(search, buffer)));
    let Some(now) = cost(buffer).filter(|_| !proposals.is_empty()) else { return Ok(None) };
    let facts = facts_of(search.model, &buffer.arrays, search.known)?;
    let facts = SharedFacts { members: &facts, context: &search.model.context };
    for proposal in proposals.into_iter().take(MOST_TRIALS) {
        let found = SharedBuffer::proved(search, proposal, &facts, buffer.cells.saturating_add(1))?;
        if let Some(found) = found.filter(|found| cost(found).is_some_and(|cost| cost < now)) {
            return Ok(Some(SharedBuffer { least: buffer.least.min(found.cells), ..found }));
        }
    }
    Ok(None)
}

/// How the accesses of all arrays move in a buffer's common space.
pub(crate) fn in_common_space(search: &StorageSearch, buffer: &SharedBuffer) -> Vec<Movement> {
    let in_space = buffer.storage.get().members.iter().flat_map(|member| {
        let own = search.movements(member.array).into_iter();
        own.map(|movement| movement.at(&member.rows))
    });
    in_space.collect()
}

/// Those of a mapping's variants that cost less than so much, the cheapest first.
fn cheaper(now: &Variant, movements: &[Movement], most: Cost) -> Vec<Variant> {
    let with_other_axes = std::iter::once(now.clone()).chain(now.other_axes());
    let mut all: Vec<Variant> = with_other_axes.flat_map(|variant| variant.arranged(movements)).collect();
    all.sort_by_key(|variant| variant.cost(movements));
    all.retain(|variant| variant.cost(movements) < most);
    all
}

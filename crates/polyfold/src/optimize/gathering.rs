//! Arrays, or classes of values, gathered into one buffer.
//!
//! Each gets a place in a common space ([`Aligned`]), one after the other, as long as the buffer grows by less than it would need
//! alone. Then the engines propose mappings for the union of all differences, and the prover settles every pair.
//!
//! Paper: SMO (POPL'16) §4. Deviation: members are added greedily, by the cells that come out.

use super::precision::{finer, finest};
use super::search::StorageSearch;
use super::share::SharedBuffer;
use super::sizes::borrow;
use polyfold_alloc::{Aligned, Mapping, Method, Problem, SharedMember, SharedProposal, Sizes, propose};
use polyfold_isl::{Error, PwAff, Set};
use polyfold_lattice::ModularMapping;
use polyfold_live::{CrossDifferences, DifferenceSet, Lifetimes, conflicts};
use polyfold_prove::{MemberFacts, SharedFacts, Verified, verify_shared};
use polyfold_scop::ArrayId;

/// What may share a buffer: an array, or a class of values.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) id: ArrayId,
    /// Cells that it needs alone.
    pub(super) cells: u64,
}

/// Arrays on their way into one buffer.
pub(super) struct Gathering<'a> {
    search: &'a StorageSearch<'a>,
    /// Whether rows that mix dimensions are looked at when members are added.
    drift: bool,
    lifetimes: Vec<Lifetimes>,
    facts: Vec<MemberFacts>,
    aligned: Aligned,
    /// What the members need apart.
    pub(super) apart: u64,
}

impl<'a> Gathering<'a> {
    /// The first candidate, and those after it that fit in.
    pub(super) fn of(search: &'a StorageSearch, candidates: &[Candidate], drift: bool) -> Result<Gathering<'a>, Error> {
        let ids: Vec<ArrayId> = candidates.iter().map(|candidate| candidate.id).collect();
        let mut all = Lifetimes::together(search.model, &ids)?.into_iter().zip(candidates);
        let (lifetimes, first) = all.next().expect("there are candidates");
        let own = differences(search, first.id, &lifetimes)?;
        let at = borrow(search.sizes);
        let mut gathered = Gathering {
            search,
            drift,
            lifetimes: vec![lifetimes],
            aligned: Aligned::first(own.set(), Sizes { context: &search.model.context, at: &at, drift })?,
            facts: vec![MemberFacts { own, earlier: Vec::new() }],
            apart: first.cells,
        };
        for (lifetimes, candidate) in all {
            gathered.add(candidate, lifetimes)?;
        }
        Ok(gathered)
    }

    /// One more member, if it fits in.
    fn add(&mut self, candidate: &Candidate, lifetimes: Lifetimes) -> Result<(), Error> {
        let at = borrow(self.search.sizes);
        let sizes = Sizes { context: &self.search.model.context, at: &at, drift: self.drift };
        let own = differences(self.search, candidate.id, &lifetimes)?;
        let precision = own.conflicts().precision;
        let members = self.lifetimes.iter().zip(&self.facts);
        let earlier = members
            .map(|(earlier, facts)| {
                CrossDifferences::of(earlier, &lifetimes, finer(facts.own.conflicts().precision, precision))
            })
            .collect::<Result<Vec<_>, _>>()?;
        if earlier.iter().all(CrossDifferences::is_complete) {
            return Ok(());
        }
        let between: Vec<Option<&Set>> = earlier.iter().map(CrossDifferences::set).collect();
        let Some(aligned) = self.aligned.with(own.set(), &between, sizes)? else { return Ok(()) };
        let so_far = if self.facts.len() == 1 { self.apart } else { self.aligned.cells };
        if aligned.cells >= so_far.saturating_add(candidate.cells) {
            return Ok(());
        }
        self.lifetimes.push(lifetimes);
        self.facts.push(MemberFacts { own, earlier });
        self.aligned = aligned;
        self.apart = self.apart.saturating_add(candidate.cells);
        Ok(())
    }

    pub(super) fn members(&self) -> Vec<ArrayId> {
        self.facts.iter().map(|member| member.own.subject().array()).collect()
    }

    /// The smallest proved buffer of fewer than `most` cells.
    pub(super) fn buffer(&self, most: u64) -> Result<Option<SharedBuffer>, Error> {
        let mut best: Option<SharedBuffer> = None;
        let facts = SharedFacts { members: &self.facts, context: &self.search.model.context };
        for proposal in self.proposals()? {
            let cells = proposal.mapping.cells(&borrow(self.search.sizes))?.unwrap_or(u64::MAX);
            let least = best.as_ref().map_or(most, |best| best.cells);
            if cells >= least {
                continue;
            }
            if !self.is_bounded(&proposal.mapping)? {
                continue;
            }
            if let Ok(storage) = verify_shared(proposal, &facts)?
                && self.is_printable(&storage)?
            {
                let arrays = self.members().into_iter().map(|id| self.search.owner(id)).collect();
                let holds_values = !self.search.classes.is_empty();
                best = Some(SharedBuffer { arrays, holds_values, storage, cells });
            }
        }
        Ok(best)
    }

    /// Whether the buffer's extents are bounded by those of its arrays: a size that no array has, as the number of steps, must
    /// not decide how much memory is needed.
    fn is_bounded(&self, mapping: &Mapping) -> Result<bool, Error> {
        let (model, ctx) = (self.search.model, self.search.ctx);
        let mut most = PwAff::read(ctx, "{ [(1)] }")?;
        for id in self.members() {
            let Some(declared) = model.declared_cells(self.search.owner(id)) else { return Ok(true) };
            let declared = declared.intersect_params(&model.context)?;
            for axis in 0..declared.dimensions()? {
                most = most.add(&declared.dim_max(axis)?)?.add(&PwAff::read(ctx, "{ [(1)] }")?)?;
            }
        }
        let Mapping::Modular(mapping) = mapping else { return Ok(true) };
        for modulus in &mapping.moduli {
            if !model.context.is_subset(&most.at_least(modulus)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_printable(&self, storage: &Verified<SharedProposal>) -> Result<bool, Error> {
        for member in 0..self.facts.len() {
            if !self.search.is_printable(storage.place(member))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn proposals(&self) -> Result<Vec<SharedProposal>, Error> {
        let (search, members) = (self.search, self.members());
        let at = borrow(search.sizes);
        let available = search.available(members[0]);
        let problem = Problem {
            extents: &search.extents(members[0]),
            differences: &self.aligned.differences,
            context: &search.model.context,
            declared: None,
            available: &available,
            variables: &search.variables(),
            growing: &search.growing(members[0])?,
            sizes: &at,
            floor: members.iter().map(|id| search.floor(*id)).max().unwrap_or(1),
        };
        let members: Vec<SharedMember> = (members.iter().zip(&self.aligned.shifts))
            .map(|(array, shift)| SharedMember { array: *array, shift: shift.clone() })
            .collect();
        let found = propose(Method::Lattice, &problem)?;
        let mut proposals = Vec::new();
        for (mapping, method) in found {
            let written = match mapping {
                Mapping::Modular(mapping) => self.written(mapping, &available)?.map(Mapping::Modular),
                Mapping::Linear(_) => Some(mapping),
            };
            if let Some(mapping) = written {
                proposals.push(SharedProposal { members: members.clone(), mapping, method });
            }
        }
        Ok(proposals)
    }

    /// The mapping with constants for moduli that would make arrays of constant size one of variable size; `None` where a
    /// modulus has no largest value.
    fn written(&self, mut mapping: ModularMapping, available: &[String]) -> Result<Option<ModularMapping>, Error> {
        for modulus in &mut mapping.moduli {
            if modulus.parameters()?.iter().all(|parameter| available.contains(parameter)) {
                continue;
            }
            let largest = modulus.intersect_params(&self.search.model.context)?.graph()?.without_parameters()?;
            let Some(most) = largest.dim_max_value(0)? else { return Ok(None) };
            *modulus = PwAff::read(self.search.ctx, &format!("{{ [({most})] }}"))?;
        }
        Ok(Some(mapping))
    }
}

pub(super) fn differences(search: &StorageSearch, id: ArrayId, lifetimes: &Lifetimes) -> Result<DifferenceSet, Error> {
    let precision = finest(search.model, id)?;
    DifferenceSet::of(search.ctx, conflicts(lifetimes, precision)?, search.extents(id).len())
}

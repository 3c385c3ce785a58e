//! Which arrays share a buffer.
//!
//! Arrays of one element type are gathered one after the other, as long as their common buffer needs fewer cells than
//! they do apart. What each would need alone is known by then and stays the yardstick: a buffer is taken only if it saves
//! a tenth.
//!
//! Paper: SMO (POPL'16). Deviation: which arrays share is decided by the sizes that come out, not by whether conflicts between
//! them could be separated (§4.5), which can cost memory: two arrays that are small alone may fit together badly.

use super::Outcome;
use super::search::StorageSearch;
use super::sizes::{borrow, declared_cells};
use polyfold_alloc::{Aligned, Method, Problem, SharedMember, SharedProposal, Sizes, propose};
use polyfold_isl::{Error, PwAff, Set};
use polyfold_lattice::ModularMapping;
use polyfold_live::{CrossDifferences, DifferenceSet, Lifetimes, Precision, conflicts};
use polyfold_prove::{MemberFacts, SharedFacts, Verified, verify_shared};
use polyfold_scop::{ArrayId, Storage};

/// A buffer has to save one cell in so many.
const LEAST_SAVING: u64 = 10;

/// A proved buffer of several arrays.
#[derive(Clone, Debug)]
pub struct SharedBuffer {
    /// The proved mapping.
    pub storage: Verified<SharedProposal>,
    /// Its cells at the sizes counted at.
    pub cells: u64,
}

/// Moves arrays into common buffers where that saves cells; work past the bound leaves the rest as it is.
pub(super) fn share(search: &StorageSearch, outcomes: &mut [(ArrayId, Outcome)]) -> Vec<SharedBuffer> {
    let mut buffers = Vec::new();
    let Ok(kinds) = search.in_bound(outcomes.len(), || kinds(search, outcomes)) else { return buffers };
    for mut left in kinds {
        while left.len() > 1 {
            let Ok((taken, buffer)) = search.in_bound(left.len(), || Gathering::of(search, &left)?.finish()) else {
                break;
            };
            if let Some(buffer) = buffer {
                for (member, id) in buffer.storage.get().members.iter().map(|m| m.array).enumerate() {
                    let shared = Outcome::Shared { buffer: buffers.len(), member };
                    outcomes.iter_mut().filter(|(other, _)| *other == id).for_each(|(_, o)| *o = shared.clone());
                }
                buffers.push(buffer);
            }
            left.retain(|candidate| !taken.contains(&candidate.id));
        }
    }
    buffers
}

/// An array that may share.
#[derive(Clone, Debug)]
struct Candidate {
    id: ArrayId,
    /// Cells that it needs alone.
    cells: u64,
}

/// What arrays must have in common: the words of their type, their dimensions, whether they have a run-time size.
type Kind<'a> = (&'a str, usize, bool);

/// Arrays that may share with each other: temporaries of one type, each written before it is read.
fn kinds(search: &StorageSearch, outcomes: &[(ArrayId, Outcome)]) -> Result<Vec<Vec<Candidate>>, Error> {
    let mut kinds: Vec<(Kind, Vec<Candidate>)> = Vec::new();
    for (id, outcome) in outcomes {
        let Some(cells) = cells_alone(search, *id, outcome) else { continue };
        let array = search.model.scop.array(*id);
        let is_fixed = search.options.text.fixed.iter().any(|(fixed, _)| fixed == id);
        let Some(declaration) =
            array.declaration.as_ref().filter(|d| d.storage == Storage::Local && !d.inside_scop && !is_fixed)
        else {
            continue;
        };
        if search.model.accesses(*id).cells()?.is_none() || Lifetimes::of(search.model, *id)?.exposed().is_some() {
            continue;
        }
        let is_variable = search.available(*id).len() == search.model.parameters.len();
        let kind = (declaration.specifiers.as_str(), array.extents.len(), is_variable);
        let candidate = Candidate { id: *id, cells };
        match kinds.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, members)) => members.push(candidate),
            None => kinds.push((kind, vec![candidate])),
        }
    }
    Ok(kinds.into_iter().map(|(_, members)| members).collect())
}

/// `None` for an array that must stay, or is next to nothing alone.
fn cells_alone(search: &StorageSearch, id: ArrayId, outcome: &Outcome) -> Option<u64> {
    match outcome {
        Outcome::Mapped { storage, .. } if storage.rows().is_empty() => None,
        Outcome::Mapped { storage, .. } => storage.get().mapping.cells(&borrow(search.sizes)).ok()?,
        Outcome::Kept { surprising: false, .. } if search.model.scop.array(id).is_temporary() => {
            declared_cells(search.model.scop, id, search.sizes)
        }
        _ => None,
    }
}

/// Arrays on their way into one buffer.
struct Gathering<'a> {
    search: &'a StorageSearch<'a>,
    lifetimes: Vec<Lifetimes>,
    facts: Vec<MemberFacts>,
    aligned: Aligned,
    /// What the members need apart.
    apart: u64,
}

impl<'a> Gathering<'a> {
    /// The first candidate, and those after it that fit in.
    fn of(search: &'a StorageSearch, candidates: &[Candidate]) -> Result<Gathering<'a>, Error> {
        let ids: Vec<ArrayId> = candidates.iter().map(|candidate| candidate.id).collect();
        let mut all = Lifetimes::together(search.model, &ids)?.into_iter().zip(candidates);
        let (lifetimes, first) = all.next().expect("there are candidates");
        let own = differences(search, first.id, &lifetimes)?;
        let at = borrow(search.sizes);
        let mut gathered = Gathering {
            search,
            lifetimes: vec![lifetimes],
            aligned: Aligned::first(own.set(), Sizes { context: &search.model.context, at: &at })?,
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
        let sizes = Sizes { context: &self.search.model.context, at: &at };
        let own = differences(self.search, candidate.id, &lifetimes)?;
        let precision = own.conflicts().precision;
        let members = self.lifetimes.iter().zip(&self.facts);
        let earlier = members
            .map(|(earlier, facts)| {
                CrossDifferences::of(earlier, &lifetimes, finer(facts.own.conflicts().precision, precision))
            })
            .collect::<Result<Vec<_>, _>>()?;
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

    fn members(&self) -> Vec<ArrayId> {
        self.facts.iter().map(|member| member.own.subject().array()).collect()
    }

    /// The arrays gathered, and their buffer if one was proved that saves enough.
    fn finish(self) -> Result<(Vec<ArrayId>, Option<SharedBuffer>), Error> {
        let buffer = if self.facts.len() < 2 { None } else { self.buffer()? };
        Ok((self.members(), buffer))
    }

    fn buffer(&self) -> Result<Option<SharedBuffer>, Error> {
        let mut best: Option<SharedBuffer> = None;
        let facts = SharedFacts { members: &self.facts, context: &self.search.model.context };
        for proposal in self.proposals()? {
            let cells = proposal.mapping.cells(&borrow(self.search.sizes))?.unwrap_or(u64::MAX);
            let least = best.as_ref().map_or(self.apart - self.apart / LEAST_SAVING, |best| best.cells);
            if cells >= least {
                continue;
            }
            if let Ok(storage) = verify_shared(proposal, &facts)?
                && self.is_printable(&storage)?
            {
                best = Some(SharedBuffer { storage, cells });
            }
        }
        Ok(best)
    }

    fn is_printable(&self, storage: &Verified<SharedProposal>) -> Result<bool, Error> {
        for member in 0..self.facts.len() {
            if !self.search.is_printable(storage.rows(member))? {
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
            extents: &search.model.scop.array(members[0]).extents,
            differences: &self.aligned.differences,
            context: &search.model.context,
            declared: None,
            available: &available,
            variables: &search.variables(),
            sizes: &at,
            floor: members.iter().map(|id| search.floor(*id)).max().unwrap_or(1),
        };
        let members: Vec<SharedMember> = (members.iter().zip(&self.aligned.shifts))
            .map(|(array, shift)| SharedMember { array: *array, shift: shift.clone() })
            .collect();
        let found = propose(Method::Lattice, &problem)?;
        let mut proposals = Vec::new();
        for (mapping, method) in found {
            if let Some(mapping) = self.written(mapping, &available)? {
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

fn differences(search: &StorageSearch, id: ArrayId, lifetimes: &Lifetimes) -> Result<DifferenceSet, Error> {
    let precision = search.precisions(id)?.into_iter().fold(Precision::Cell, finer);
    let dimensions = search.model.scop.array(id).extents.len();
    DifferenceSet::of(search.ctx, conflicts(lifetimes, precision)?, dimensions)
}

fn finer(a: Precision, b: Precision) -> Precision {
    if a == Precision::Value { a } else { b }
}

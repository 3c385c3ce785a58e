//! Arrays, or classes of values, gathered into one buffer.
//!
//! Each gets a place in a common space ([`Aligned`]), one after the other, as long as the buffer grows by less than it would need
//! alone. Then the engines propose mappings for the union of all differences, and the prover settles every pair.
//!
//! What saves little keeps another one from its best place: of two grids each with its next values, h, h', v, v', the pairs (h, h') and (v, v') need n + 2 and n + 1 cells;
//! where v' joins h and h', which saves one cell, v is left alone, and all need 3 n + 1. So a member may have to save half of what it needs ([`Joining`]).
//!
//! Paper: SMO (POPL'16) §4. Deviation: members are added greedily, by the cells that come out.

use crate::buffer::{SharedBuffer, with_available_sizes};
use crate::conflicts::between;
use crate::ranges::number;
use crate::search::StorageSearch;
use crate::sizes::borrow;
use polyfold_alloc::{Aligned, Mapping, Method, Problem, SharedMember, SharedProposal, Sizes, propose};
use polyfold_isl::{Error, PwAff};
use polyfold_live::{CrossDifferences, Lifetimes};
use polyfold_prove::{MemberFacts, SharedFacts};
use polyfold_scop::ArrayId;

/// What may share a buffer: an array, or a class of values.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) id: ArrayId,
    /// Cells that it needs alone.
    pub(crate) cells: u64,
}

/// When a member is added to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joining {
    /// If that saves a cell.
    ForACell,
    /// If that saves half of the cells that it needs alone.
    ForHalf,
}

impl Joining {
    /// Others have to grow by fewer cells than this, where the member needs `cells` alone.
    fn most(self, cells: u64) -> u64 {
        match self {
            Joining::ForACell => cells,
            Joining::ForHalf => cells.div_ceil(2),
        }
    }
}

/// Arrays on their way into one buffer.
pub(crate) struct Gathering<'a> {
    search: &'a StorageSearch<'a>,
    joining: Joining,
    /// Whether rows that mix dimensions are looked at when members are added.
    drift: bool,
    lifetimes: Vec<Lifetimes>,
    facts: Vec<MemberFacts>,
    aligned: Aligned,
    /// What the members need apart.
    pub(crate) apart: u64,
}

impl<'a> Gathering<'a> {
    /// The first candidate, and those after it that fit in.
    pub(crate) fn of(search: &'a StorageSearch, candidates: &[Candidate], drift: bool) -> Result<Gathering<'a>, Error> {
        Gathering::joining(search, candidates, (drift, Joining::ForACell))
    }

    /// The same, where members join on a condition.
    pub(crate) fn joining(
        search: &'a StorageSearch,
        candidates: &[Candidate],
        (drift, joining): (bool, Joining),
    ) -> Result<Gathering<'a>, Error> {
        let ids: Vec<ArrayId> = candidates.iter().map(|candidate| candidate.id).collect();
        let mut all = Lifetimes::together(search.model, &ids)?.into_iter().zip(candidates);
        let (lifetimes, first) = all.next().expect("there are candidates");
        let own = search.differences_of(&lifetimes)?;
        let at = borrow(search.sizes);
        let mut gathered = Gathering {
            search,
            joining,
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
        let own = self.search.differences_of(&lifetimes)?;
        let precision = own.conflicts().precision;
        let earlier = between(&self.lifetimes, &self.facts, &lifetimes, (precision, self.search.known))?;
        if earlier.iter().all(CrossDifferences::is_complete) {
            return Ok(());
        }
        let between = earlier.iter().map(CrossDifferences::set).collect::<Result<Vec<_>, _>>()?;
        let wanted = self.where_copies_vanish(candidate.id)?;
        let so_far = if self.facts.len() == 1 { self.apart } else { self.aligned.cells };
        let most = so_far.saturating_add(self.joining.most(candidate.cells));
        let Some(aligned) = self.aligned.with(own.set(), &between, &wanted, most, sizes)? else { return Ok(()) };
        self.lifetimes.push(lifetimes);
        self.facts.push(MemberFacts { own, earlier });
        self.aligned = aligned;
        self.apart = self.apart.saturating_add(candidate.cells);
        Ok(())
    }

    /// Shifts of one more array for which statements copy cells between it and a member onto themselves.
    fn where_copies_vanish(&self, id: ArrayId) -> Result<Vec<Vec<PwAff>>, Error> {
        let mut wanted = Vec::new();
        for copy in self.search.copied()? {
            for (member, shift) in self.members().into_iter().zip(&self.aligned.shifts) {
                let sign = match (copy.from, copy.to) {
                    (from, to) if (from, to) == (member, id) => 1,
                    (from, to) if (from, to) == (id, member) => -1,
                    _ => continue,
                };
                let apart = |(at, d): (&PwAff, &i64)| at.add(&number(self.search.ctx, sign * d)?);
                wanted.push(shift.iter().zip(&copy.distance).map(apart).collect::<Result<_, _>>()?);
            }
        }
        Ok(wanted)
    }

    pub(crate) fn members(&self) -> Vec<ArrayId> {
        self.facts.iter().map(|member| member.own.subject().array()).collect()
    }

    /// The smallest proved buffer of fewer than `most` cells; rows instead of a line, where there is slack for them.
    pub(crate) fn buffer(&self, most: u64) -> Result<Option<SharedBuffer>, Error> {
        let (lines, rows): (Vec<_>, Vec<_>) =
            self.proposals()?.into_iter().partition(|proposal| matches!(proposal.mapping, Mapping::Linear(_)));
        let rows = self.smallest(rows, most)?;
        let slack_for =
            |line: &SharedBuffer, rows: &SharedBuffer| rows.cells <= self.search.options.slack.most(line.cells);
        let line = self.smallest(lines, rows.as_ref().map_or(most, |rows| rows.cells))?;
        Ok(match (line, rows) {
            (Some(line), Some(rows)) if slack_for(&line, &rows) => Some(SharedBuffer { least: line.cells, ..rows }),
            (line, rows) => line.or(rows),
        })
    }

    /// A buffer of fewer than so many cells, if it is proved.
    pub(crate) fn proved(&self, proposal: SharedProposal, most: u64) -> Result<Option<SharedBuffer>, Error> {
        let facts = SharedFacts { members: &self.facts, context: &self.search.model.context };
        SharedBuffer::proved(self.search, proposal, &facts, most)
    }

    fn smallest(&self, proposals: Vec<SharedProposal>, most: u64) -> Result<Option<SharedBuffer>, Error> {
        let mut best: Option<SharedBuffer> = None;
        for proposal in proposals {
            let most = best.as_ref().map_or(most, |best| best.cells);
            best = self.proved(proposal, most)?.or(best);
        }
        Ok(best)
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
            .map(|(array, shift)| SharedMember::shifted(*array, shift.clone()))
            .collect();
        let found = propose(Method::Lattice, &problem)?;
        let mut proposals = Vec::new();
        for (mapping, method) in found {
            let written = match mapping {
                Mapping::Modular(mapping) => with_available_sizes(search, mapping, &available)?.map(Mapping::Modular),
                Mapping::Linear(_) => Some(mapping),
            };
            if let Some(mapping) = written {
                proposals.push(SharedProposal { members: members.clone(), mapping, method });
            }
        }
        Ok(proposals)
    }
}

//! Storage for several arrays at once, by the engines for conflict sets.
//!
//! The arrays' conflict set goes to an engine, and its buffers come back as proposals ([`levels`](super::levels)): the prover settles every
//! pair once more, with conflicts that are not rounded to polyhedra. A buffer is taken where it saves a tenth of what its arrays need
//! as decided so far, and more than a row if it brings back copies that vanish now.
//!
//! Engines are asked in the order of their cost, until what is found is within a tenth of the values alive at once.
//!
//! Paper: SMO (POPL'16) §4, with cells for values ([`program_conflicts`](crate::program_conflicts)).

use super::Outcome;
use super::buffer::SharedBuffer;
use super::copying::{moved, vanishing};
use super::gathering::Candidate;
use super::levels::proposal;
use super::search::StorageSearch;
use super::sizes::borrow;
use super::worth::{alive, cells_now, worth, worth_computing};
use crate::program_conflicts::{conflicts_of, facts_of};
use polyfold_alloc::{Mapping, Method, Proposal, SharedMember, SharedProposal};
use polyfold_isl::Error;
use polyfold_lattice::ModularMapping;
use polyfold_prove::{MemberFacts, SharedFacts, verify};
use polyfold_scop::ArrayId;
use polyfold_smo::{Apart, ConflictSet, Engine, Outcome as Solved, Solution};

/// Which engines are asked.
pub(super) struct Asked {
    /// The cheaper first.
    engines: &'static [Engine],
    /// Whether also about arrays that can share with none.
    alone: bool,
}

impl Asked {
    /// All of them, where the user names none: `joint` asks `smo`, too.
    pub(super) const AUTO: Asked = Asked { engines: &[Engine::Fast, Engine::Joint], alone: false };

    /// The one that the user names; `None`: it is for arrays alone.
    pub(super) fn by_name(method: Method) -> Option<Asked> {
        let engines: &[Engine] = match method {
            Method::Fast => &[Engine::Fast],
            Method::Joint => &[Engine::Joint],
            Method::Smo => &[Engine::Smo],
            Method::SuccessiveModulo | Method::Lattice | Method::Optimal => return None,
        };
        Some(Asked { engines, alone: true })
    }

    /// The engines that are asked about some arrays: about one alone, where that is not asked for, only in more
    /// than two dimensions, since lattices are sought in planes.
    fn about(&self, search: &StorageSearch, ids: &[ArrayId]) -> &'static [Engine] {
        match ids {
            [id] if !self.alone => {
                if search.extents(*id).len() > 2 {
                    self.engines
                } else {
                    &[]
                }
            }
            _ => self.engines,
        }
    }
}

/// Moves arrays into the buffers that engines find, where that saves cells; work past the bound leaves the rest as it is. `kinds`
/// are arrays that may share with each other.
pub(super) fn ask(
    search: &StorageSearch,
    asked: &Asked,
    kinds: &[Vec<Candidate>],
    outcomes: &mut [(ArrayId, Outcome)],
    buffers: &mut Vec<SharedBuffer>,
) {
    for kind in kinds {
        let ids: Vec<ArrayId> = kind.iter().map(|candidate| candidate.id).collect();
        let is_least = |outcomes: &[(ArrayId, Outcome)], buffers: &[SharedBuffer]| {
            cells_now(search, &ids, outcomes, buffers).is_some_and(|cells| worth_computing(cells) < alive(search, &ids))
        };
        if is_least(outcomes, buffers) {
            continue;
        }
        let engines = asked.about(search, &ids);
        if engines.is_empty() {
            continue;
        }
        let question = search.in_bound(ids.len(), ids.iter().copied(), || Question::of(search, &ids, asked.alone));
        let Ok(Some(question)) = question else { continue };
        let apart = search.in_bound(ids.len(), ids.iter().copied(), || Apart::of(&question.conflicts, &question.sizes));
        let Ok(Some(apart)) = apart else { continue };
        for engine in engines {
            if is_least(outcomes, buffers) {
                break;
            }
            let answer = || question.answer(search, apart.improved_by(*engine)?, outcomes, buffers);
            let taken = search.in_bound(ids.len(), ids.iter().copied(), answer);
            taken.into_iter().flatten().for_each(|(members, found)| take(&members, found, outcomes, buffers));
        }
    }
}

fn take(members: &[ArrayId], found: Found, outcomes: &mut [(ArrayId, Outcome)], buffers: &mut Vec<SharedBuffer>) {
    for (id, outcome) in outcomes.iter_mut() {
        let Some(member) = members.iter().position(|other| other == id) else { continue };
        *outcome = match &found {
            Found::Alone(alone) => alone.clone(),
            Found::Shared(_) => Outcome::Shared { buffer: buffers.len(), member },
        };
    }
    if let Found::Shared(buffer) = found {
        buffers.push(*buffer);
    }
}

/// Proved storage.
enum Found {
    Alone(Outcome),
    Shared(Box<SharedBuffer>),
}

/// Arrays, and which of their cells may not share one.
struct Question {
    facts: Vec<MemberFacts>,
    conflicts: ConflictSet,
    sizes: Vec<i64>,
}

impl Question {
    /// `None`: nothing conflicts, or, where arrays alone are not asked about, everything does.
    fn of(search: &StorageSearch, ids: &[ArrayId], alone: bool) -> Result<Option<Question>, Error> {
        let mut facts = facts_of(search.model, ids)?;
        if !alone && ids.len() > 1 {
            facts = about(&facts, &able_to_share(&facts));
        }
        let pairs = conflicts_of(search.model, &facts)?;
        if pairs.is_empty() {
            return Ok(None);
        }
        let conflicts = ConflictSet::new(search.model.context.clone(), &pairs)?;
        let sizes = conflicts.sizes(&borrow(search.sizes))?;
        Ok(sizes.map(|sizes| Question { facts, conflicts, sizes }))
    }

    /// An engine's buffers that save enough, each with its arrays.
    fn answer(
        &self,
        search: &StorageSearch,
        solution: Solution,
        outcomes: &[(ArrayId, Outcome)],
        buffers: &[SharedBuffer],
    ) -> Result<Vec<(Vec<ArrayId>, Found)>, Error> {
        let Solved::Proved(allocation) = solution.outcome else { return Ok(Vec::new()) };
        let mut taken = Vec::new();
        for buffer in &allocation.value().buffers {
            let Some(proposal) = proposal(search, &self.conflicts, &self.facts, (buffer, solution.engine))? else {
                continue;
            };
            let members: Vec<ArrayId> = proposal.members.iter().map(|member| member.array).collect();
            let Some(now) = cells_now(search, &members, outcomes, buffers) else { continue };
            let Some(found) = proved(search, proposal, &about(&self.facts, &members), now)? else { continue };
            if !brings_back_copies(search, &found, &present(&members, outcomes, buffers), now)? {
                taken.push((members, found));
            }
        }
        Ok(taken)
    }
}

/// The arrays some of whose cells may share one with a cell of another.
fn able_to_share(facts: &[MemberFacts]) -> Vec<ArrayId> {
    let able = facts.iter().flat_map(|facts| &facts.earlier).filter(|between| !between.is_complete());
    let mut ids: Vec<ArrayId> = able.flat_map(|between| [between.arrays().0, between.arrays().1]).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Those of some arrays, in the order of all.
fn about(facts: &[MemberFacts], members: &[ArrayId]) -> Vec<MemberFacts> {
    let is_member = |facts: &&MemberFacts| members.contains(&facts.own.subject().array());
    let about = |facts: &MemberFacts| {
        let earlier = facts.earlier.iter().filter(|between| members.contains(&between.arrays().0));
        MemberFacts { own: facts.own.clone(), earlier: earlier.cloned().collect() }
    };
    facts.iter().filter(is_member).map(about).collect()
}

/// Storage for arrays that need `now` cells, if it is proved and saves enough.
fn proved(
    search: &StorageSearch,
    proposal: SharedProposal,
    facts: &[MemberFacts],
    now: u64,
) -> Result<Option<Found>, Error> {
    if let [own] = facts {
        return alone(search, proposal, own, now);
    }
    let facts = SharedFacts { members: facts, context: &search.model.context };
    for proposal in moved(search, &proposal)?.into_iter().chain([proposal]) {
        if let Some(buffer) = SharedBuffer::proved(search, proposal, &facts, worth_computing(now) + 1)? {
            return Ok(Some(Found::Shared(Box::new(buffer))));
        }
    }
    Ok(None)
}

/// The buffers that some arrays are in as decided so far.
fn present<'b>(
    members: &[ArrayId],
    outcomes: &[(ArrayId, Outcome)],
    buffers: &'b [SharedBuffer],
) -> Vec<&'b SharedBuffer> {
    let is_theirs = |place: &usize| {
        let mut theirs = outcomes.iter().filter(|(id, _)| members.contains(id));
        theirs.any(|(_, outcome)| matches!(outcome, Outcome::Shared { buffer, .. } if buffer == place))
    };
    (0..buffers.len()).filter(is_theirs).map(|place| &buffers[place]).collect()
}

/// Whether new storage saves no more than a row, and has copies that vanish in the present buffers.
fn brings_back_copies(
    search: &StorageSearch,
    found: &Found,
    present: &[&SharedBuffer],
    now: u64,
) -> Result<bool, Error> {
    let Found::Shared(buffer) = found else { return Ok(false) };
    if now - buffer.cells > buffer.row(search)? {
        return Ok(false);
    }
    let mut vanish_now = 0;
    for buffer in present {
        vanish_now += vanishing(search, &buffer.storage.get().members)?;
    }
    Ok(vanishing(search, &buffer.storage.get().members)? < vanish_now)
}

/// Storage for one array, as [`proved`].
fn alone(
    search: &StorageSearch,
    proposal: SharedProposal,
    facts: &MemberFacts,
    now: u64,
) -> Result<Option<Found>, Error> {
    let SharedProposal { mut members, mapping: Mapping::Modular(levels), method } = proposal else { return Ok(None) };
    let SharedMember { array, rows, .. } = members.remove(0);
    let mapping = Mapping::Modular(ModularMapping { rows, moduli: levels.moduli });
    let cells = mapping.cells(&borrow(search.sizes))?.unwrap_or(u64::MAX);
    if cells > worth(now) {
        return Ok(None);
    }
    if search.is_larger_when_skewed(&mapping, [array])? {
        return Ok(None);
    }
    let Ok(storage) = verify(Proposal { array, mapping, method }, &facts.own, &search.model.context)? else {
        return Ok(None);
    };
    let computes = storage.place().takes_remainders();
    if (computes && cells > worth_computing(now)) || !search.is_printable(storage.place())? {
        return Ok(None);
    }
    Ok(Some(Found::Alone(Outcome::Mapped { storage: Box::new(storage), least: cells })))
}

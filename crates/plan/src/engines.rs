//! Storage for several arrays at once, by the engines for conflict sets.
//!
//! The arrays' conflict set goes to an engine, and its buffers come back as proposals ([`levels`](crate::levels)): the prover settles every
//! pair once more, with conflicts that are not rounded to polyhedra. A buffer is taken where it saves a tenth of its
//! arrays' cells as declared, and at least one of those as decided so far.
//!
//! Paper: SMO (POPL'16) §4, with cells for values ([`program_conflicts`](crate::conflicts)).

use crate::buffer::SharedBuffer;
use crate::cells::worth_computing;
use crate::coalescing::moved;
use crate::conflicts::{conflicts_of, facts_of};
use crate::decisions::Decisions;
use crate::levels::proposal;
use crate::optimize::Outcome;
use crate::search::StorageSearch;
use crate::sizes::{borrow, declared_cells};
use polyfold_alloc::{Mapping, Method, Proposal, SharedMember, SharedProposal};
use polyfold_isl::Error;
use polyfold_lattice::ModularMapping;
use polyfold_prove::{MemberFacts, SharedFacts};
use polyfold_scop::ArrayId;
use polyfold_smo::{Apart, ConflictSet, Engine, Outcome as Solved, Solution};

/// Which engines are asked.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    /// The cheaper first.
    pub(crate) engines: &'static [Engine],
    /// Whether, of several, also about arrays that can share with none.
    alone: bool,
}

impl Asked {
    /// All of them, where the user names none: `joint` asks `smo`, too.
    pub(crate) const AUTO: Asked = Asked { engines: &[Engine::Fast, Engine::Joint], alone: false };

    /// The one that the user names; `None`: it is for arrays alone.
    pub(crate) fn by_name(method: Method) -> Option<Asked> {
        let engines: &[Engine] = match method {
            Method::Fast => &[Engine::Fast],
            Method::Joint => &[Engine::Joint],
            Method::Smo => &[Engine::Smo],
            Method::SuccessiveModulo | Method::Lattice | Method::Optimal => return None,
        };
        Some(Asked { engines, alone: true })
    }
}

/// What engines answer about some arrays: each is asked once, whatever its answer is then compared with.
pub(crate) struct Answers<'q> {
    question: &'q Question,
    apart: Apart<'q>,
    /// `None`: it ran out of work.
    known: Vec<(Engine, Option<Solution>)>,
}

impl<'q> Answers<'q> {
    /// `None`: the work bound is reached, or there is no storage at all.
    pub(crate) fn of(search: &StorageSearch, question: &'q Question) -> Option<Answers<'q>> {
        let apart = question.in_bound(search, || Apart::of(&question.conflicts, &question.sizes)).ok()??;
        Some(Answers { question, apart, known: Vec::new() })
    }

    fn by(&mut self, search: &StorageSearch, engine: Engine) -> Option<&Solution> {
        let place = match self.known.iter().position(|(other, _)| *other == engine) {
            Some(place) => place,
            None => {
                let solution = self.question.in_bound(search, || self.apart.improved_by(engine)).ok();
                self.known.push((engine, solution));
                self.known.len() - 1
            }
        };
        self.known[place].1.as_ref()
    }

    /// Moves arrays into an engine's buffers, where that saves enough; work past the bound leaves the rest as it is.
    pub(crate) fn improve(&mut self, search: &StorageSearch, engine: Engine, decisions: &mut Decisions) {
        let question = self.question;
        let Some(solution) = self.by(search, engine) else { return };
        let taken = question.in_bound(search, || question.taken(search, solution, decisions));
        for (members, found) in taken.into_iter().flatten() {
            match found {
                Found::Alone(outcome) => members.iter().for_each(|id| decisions.set(*id, outcome.clone())),
                Found::Shared(buffer) => decisions.share(*buffer),
            }
        }
    }
}

/// Proved storage.
enum Found {
    Alone(Outcome),
    Shared(Box<SharedBuffer>),
}

/// Arrays, and which of their cells may not share one.
pub(crate) struct Question {
    ids: Vec<ArrayId>,
    facts: Vec<MemberFacts>,
    conflicts: ConflictSet,
    sizes: Vec<i64>,
}

impl Question {
    /// `None`: nothing conflicts, or, where arrays alone are not asked about, everything does; or the work bound is reached.
    pub(crate) fn of(search: &StorageSearch, ids: &[ArrayId], asked: &Asked) -> Option<Question> {
        let question = search.in_bound(ids.len(), ids.iter().copied(), || Question::read(search, ids, asked.alone));
        question.ok().flatten()
    }

    fn read(search: &StorageSearch, ids: &[ArrayId], alone: bool) -> Result<Option<Question>, Error> {
        let mut facts = facts_of(search.model, ids, search.known)?;
        if !alone && ids.len() > 1 {
            facts = about(&facts, &able_to_share(&facts));
        }
        let pairs = conflicts_of(search.model, &facts)?;
        if pairs.is_empty() {
            return Ok(None);
        }
        let conflicts = ConflictSet::new(search.model.context.clone(), &pairs)?;
        let sizes = conflicts.sizes(&borrow(search.sizes))?;
        Ok(sizes.map(|sizes| Question { ids: ids.to_vec(), facts, conflicts, sizes }))
    }

    fn in_bound<T>(&self, search: &StorageSearch, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        search.in_bound(self.ids.len(), self.ids.iter().copied(), work)
    }

    /// An engine's buffers that save enough, each with its arrays.
    fn taken(
        &self,
        search: &StorageSearch,
        solution: &Solution,
        decisions: &Decisions,
    ) -> Result<Vec<(Vec<ArrayId>, Found)>, Error> {
        let Solved::Proved(allocation) = &solution.outcome else { return Ok(Vec::new()) };
        let mut taken = Vec::new();
        for buffer in &allocation.value().buffers {
            let Some(proposal) = proposal(search, &self.conflicts, &self.facts, (buffer, solution.engine))? else {
                continue;
            };
            let members: Vec<ArrayId> = proposal.members.iter().map(|member| member.array).collect();
            let Some(now) = decisions.cells_by_themselves(search, &members) else { continue };
            let most = worth_computing(declared(search, &members).unwrap_or(now)).min(now.saturating_sub(1));
            if let Some(found) = proved(search, proposal, &about(&self.facts, &members), most)? {
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

fn declared(search: &StorageSearch, ids: &[ArrayId]) -> Option<u64> {
    ids.iter().try_fold(0u64, |sum, id| sum.checked_add(declared_cells(search.model.scop, *id, search.sizes)?))
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

/// Storage for arrays of at most so many cells, if it is proved.
fn proved(
    search: &StorageSearch,
    proposal: SharedProposal,
    facts: &[MemberFacts],
    most: u64,
) -> Result<Option<Found>, Error> {
    if let [own] = facts {
        return alone(search, proposal, own, most);
    }
    let facts = SharedFacts { members: facts, context: &search.model.context };
    for proposal in moved(search, &proposal)?.into_iter().chain([proposal]) {
        if let Some(buffer) = SharedBuffer::proved(search, proposal, &facts, most.saturating_add(1))? {
            return Ok(Some(Found::Shared(Box::new(buffer))));
        }
    }
    Ok(None)
}

/// Storage for one array, as [`proved`].
fn alone(
    search: &StorageSearch,
    proposal: SharedProposal,
    facts: &MemberFacts,
    most: u64,
) -> Result<Option<Found>, Error> {
    let SharedProposal { mut members, mapping: Mapping::Modular(levels), method } = proposal else { return Ok(None) };
    let SharedMember { array, rows, .. } = members.remove(0);
    let mapping = Mapping::Modular(ModularMapping { rows, moduli: levels.moduli });
    let cells = mapping.cells(&borrow(search.sizes))?.unwrap_or(u64::MAX);
    if cells > most || search.is_larger_when_skewed(&mapping, [array])? {
        return Ok(None);
    }
    let storage = search.proved(Proposal { array, mapping, begins: Vec::new(), method }, &facts.own)?;
    Ok(storage.map(|storage| Found::Alone(Outcome::Mapped { storage: Box::new(storage), least: cells })))
}

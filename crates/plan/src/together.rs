//! Which storage several arrays get: the smallest of what sharing by shifts, the engines and values by name find.
//!
//! An engine's buffers are tried on the arrays gathered so far, and on the arrays apart, since a buffer that some of them
//! share already may stand in the way of a smaller one for others. Cheap ways come first; what holds no more than the values alive
//! at once ends the search. Values by name, which make programs longer, have to save more than other storage does.
//!
//! Fewer cells win, but for copies: what brings back copies that are gone has to save more than a row.

use crate::cells::{alive, worth};
use crate::coalescing::vanishing;
use crate::decisions::Decisions;
use crate::engines::{Answers, Asked, Question};
use crate::gathering::Candidate;
use crate::search::StorageSearch;
use crate::{share, values};
use polyfold_isl::Error;
use polyfold_scop::ArrayId;

/// Asks the engines about each array by itself, where it needs more cells than its values alive at once. Their rows mix
/// dimensions, which has to be worth it.
pub(crate) fn improve_alone(search: &StorageSearch, decisions: &mut Decisions) {
    if search.options.method.is_some() {
        return;
    }
    let may_improve = |c: &Candidate| worth(c.cells) >= alive(search, &[c.id]);
    let kinds = || share::kinds(search, search.alone, &may_improve);
    let kinds = search.in_bound(search.alone.len(), [], kinds).unwrap_or_default();
    for candidate in kinds.iter().flatten() {
        let kind = Kind { search, ids: vec![candidate.id], asked: Asked::AUTO };
        let mut found = decisions.clone();
        kind.by_engines(&mut found);
        if kind.cells(&found) <= worth(kind.cells(decisions)) {
            *decisions = found;
        }
    }
}

/// Shares buffers between arrays of a kind, and between their values. `kinds` are arrays that may share with each other.
pub(crate) fn move_together(search: &StorageSearch, kinds: &[Vec<Candidate>], decisions: &mut Decisions) {
    match search.options.method.and_then(Asked::by_name) {
        Some(asked) => kinds.iter().for_each(|kind| Kind::of(search, kind, asked).by_engines(decisions)),
        None => {
            share::share(search, kinds, decisions);
            kinds.iter().for_each(|kind| Kind::of(search, kind, Asked::AUTO).by_all(decisions));
        }
    }
}

/// Saving less than one cell in so many is not worth a longer program.
const LEAST_PART: u64 = 100;

/// Engines take work on more arrays that grows with the square of their number: not worth it for less than one cell in so many.
pub(crate) const FEW: usize = 4;
const LEAST_OF_MANY: u64 = 50;

/// Arrays that may share with each other, and the engines to ask.
struct Kind<'a> {
    search: &'a StorageSearch<'a>,
    ids: Vec<ArrayId>,
    asked: Asked,
}

impl<'a> Kind<'a> {
    fn of(search: &'a StorageSearch, candidates: &[Candidate], asked: Asked) -> Kind<'a> {
        Kind { search, ids: candidates.iter().map(|candidate| candidate.id).collect(), asked }
    }

    fn cells(&self, decisions: &Decisions) -> u64 {
        decisions.cells(self.search, &self.ids)
    }

    fn is_least(&self, decisions: &Decisions) -> bool {
        self.cells(decisions) <= alive(self.search, &self.ids)
    }

    /// Whether fewer cells are possible; of many arrays, so many fewer that they are worth the work.
    fn may_improve(&self, decisions: &Decisions) -> bool {
        let (cells, alive) = (self.cells(decisions), alive(self.search, &self.ids));
        let least = if self.ids.len() > FEW { cells / LEAST_OF_MANY } else { 0 };
        cells.saturating_sub(alive) > least
    }

    /// Whether sharing is worth the work at sizes at which all of the program runs, beyond what each array could need alone.
    fn may_share_where_all_run(&self) -> bool {
        let Some(values) = self.search.alive_where_all_run(&self.ids) else { return true };
        let (apart, together) = values.iter().fold((0, 0), |sums, of| (sums.0 + of.alone, sums.1 + of.at_peak));
        apart - together > apart / LEAST_OF_MANY
    }

    fn question(&self) -> Option<Question> {
        Question::of(self.search, &self.ids, &self.asked)
    }

    /// What the engines find for the arrays apart.
    fn by_engines(&self, decisions: &mut Decisions) {
        let question = if self.is_least(decisions) { None } else { self.question() };
        if let Some(mut answers) = question.as_ref().and_then(|question| Answers::of(self.search, question)) {
            for engine in self.asked.engines {
                answers.improve(self.search, *engine, decisions);
            }
        }
    }

    /// The smallest that engines and values by name make of the arrays gathered, and of them apart.
    fn by_all(&self, decisions: &mut Decisions) {
        if !self.may_improve(decisions) || !self.may_share_where_all_run() {
            return;
        }
        let gathered = decisions.clone();
        let (engines, question) = (self.asked.engines, self.several().then(|| self.question()).flatten());
        let mut answers = question.as_ref().and_then(|question| Answers::of(self.search, question));
        for engine in engines {
            for start in [decisions.clone(), self.apart(&gathered)] {
                let Some(answers) = answers.as_mut().filter(|_| self.may_improve(decisions)) else { break };
                let mut found = start;
                answers.improve(self.search, *engine, &mut found);
                self.take(found, decisions);
            }
        }
        if self.may_be_worth_names(decisions) {
            let mut found = gathered;
            values::take_apart(self.search, &self.ids, &mut found);
            if found.classes > decisions.classes {
                for engine in engines {
                    answers.iter_mut().for_each(|answers| answers.improve(self.search, *engine, &mut found));
                }
                self.take(found, decisions);
            }
        }
    }

    /// One alone has been asked about before.
    fn several(&self) -> bool {
        self.ids.len() > 1
    }

    /// Whether values by name could save enough, of these arrays' cells and of all. In memory from `malloc` there are none.
    fn may_be_worth_names(&self, decisions: &Decisions) -> bool {
        if self.ids.iter().any(|id| self.search.model.may_be_empty(*id)) {
            return false;
        }
        let (cells, alive) = (self.cells(decisions), alive(self.search, &self.ids));
        let temporaries = decisions.outcomes.iter().map(|(id, _)| *id).filter(|id| self.search.is_temporary(*id));
        let all = decisions.cells(self.search, &temporaries.collect::<Vec<_>>());
        worth(cells) >= alive && cells.saturating_sub(alive).saturating_mul(LEAST_PART) >= all
    }

    /// The arrays apart, the others as they are.
    fn apart(&self, decisions: &Decisions) -> Decisions {
        let mut apart = decisions.clone();
        for (id, outcome) in self.search.alone.iter().filter(|(id, _)| self.ids.contains(id)) {
            apart.set(*id, outcome.clone());
        }
        apart
    }

    /// Takes what was found if it is better.
    fn take(&self, found: Decisions, decisions: &mut Decisions) {
        let (cells, now) = (self.cells(&found), self.cells(decisions));
        if cells >= now || self.grows_faster(&found, decisions) {
            return;
        }
        let brings_back = || self.brings_back_copies(&found, decisions, now - cells);
        if matches!(self.search.in_bound(1, [], brings_back), Ok(false)) {
            *decisions = found;
        }
    }

    /// Whether what was found has more cells than what is decided where sizes are larger.
    fn grows_faster(&self, found: &Decisions, decisions: &Decisions) -> bool {
        let sizes = self.search.scaled_sizes();
        let cells = |decisions: &Decisions| decisions.cells_at(self.search, &self.ids, &sizes);
        cells(found).zip(cells(decisions)).is_some_and(|(found, now)| found > now)
    }

    /// Whether what was found saves no more than a row, and has fewer copies that vanish.
    fn brings_back_copies(&self, found: &Decisions, decisions: &Decisions, saved: u64) -> Result<bool, Error> {
        let mut row = 0;
        for buffer in found.buffers_of(&self.ids) {
            row = row.max(buffer.row(self.search)?);
        }
        Ok(saved <= row && self.vanishing(found)? < self.vanishing(decisions)?)
    }

    fn vanishing(&self, decisions: &Decisions) -> Result<usize, Error> {
        let buffers = decisions.buffers_of(&self.ids);
        buffers.iter().map(|buffer| vanishing(self.search, &buffer.storage.get().members)).sum()
    }
}

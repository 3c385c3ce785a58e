//! Sizes at which a program does all that it does: what arrays cannot share there is not looked for at smaller ones.
//!
//! At n = 100 the last ten of 60 stages, each of which leaves out a row at both ends, run nowhere. Their arrays hold no values then, and
//! seem to fit in with all others. But storage is right for all sizes, and a buffer with room for two windows at larger ones has it at
//! these, too. Where stages have but a few cells, the one or two that each has too many look like a part worth having.
//!
//! So what sharing could save is also counted at sizes at which all statements run: what arrays need apart at least, and what together.
//! Only of many arrays, of which any two have to be compared.

use crate::gathering::Candidate;
use crate::search::StorageSearch;
use crate::sizes::{Sizes, borrow, estimate};
use crate::together::FEW;
use polyfold_isl::{Error, Set};
use polyfold_live::{LiveCount, max_live};
use polyfold_scop::ArrayId;
use std::cell::OnceCell;

/// Values alive at once where all statements run, once somebody asks.
#[derive(Default)]
pub(crate) struct AllRunning(OnceCell<Option<LiveCount>>);

/// So large all sizes are at least, and larger if not all statements run then.
const USUAL: i64 = 100;

/// At larger sizes statements are not waited for.
const LARGEST: i64 = 1000;

/// Counting takes at most this many steps.
const MOST_STEPS: u64 = 100_000_000;

/// Values of one array where all statements run.
#[derive(Clone, Copy)]
pub(crate) struct AliveWhereAllRun {
    /// The most that are alive at once.
    pub(crate) alone: u64,
    /// Those alive at a moment at which all arrays have the most.
    pub(crate) at_peak: u64,
}

impl StorageSearch<'_> {
    /// Of each of some arrays; `None`: they are few, or all statements run at the sizes, or counting at others takes too long.
    pub(crate) fn alive_where_all_run(&self, ids: &[ArrayId]) -> Option<Vec<AliveWhereAllRun>> {
        if ids.len() <= FEW {
            return None;
        }
        let count = self.all_running.0.get_or_init(|| count(self)).as_ref()?;
        let of = |id: &ArrayId| {
            let place = self.live.0.iter().position(|counted| counted == id)?;
            Some(AliveWhereAllRun { alone: count.each[place], at_peak: count.at_peak[place] })
        };
        ids.iter().map(of).collect()
    }

    /// The same of candidates.
    pub(crate) fn candidates_where_all_run(&self, candidates: &[Candidate]) -> Option<Vec<AliveWhereAllRun>> {
        let ids: Vec<ArrayId> = candidates.iter().map(|candidate| candidate.id).collect();
        self.alive_where_all_run(&ids)
    }
}

fn count(search: &StorageSearch) -> Option<LiveCount> {
    let sizes = sizes_where_all_run(search).ok()??;
    let values: Vec<i64> = sizes.values.iter().map(|(_, value)| *value).collect();
    let counted = max_live(search.model.scop, search.live.0, &values, MOST_STEPS).ok();
    counted.or_else(|| estimate(search.model, search.live.0, &sizes, u64::MAX))
}

/// The sizes of the search, or larger ones at which all statements run, and not only just; `None`: all run at these, or there are none.
fn sizes_where_all_run(search: &StorageSearch) -> Result<Option<Sizes>, Error> {
    let running = running(search)?;
    let at_least = |least: i64| -> Vec<(String, i64)> {
        search.sizes.iter().map(|(name, value)| (name.clone(), least.max(*value))).collect()
    };
    let mut least = USUAL;
    while !are_all_in(&running, &borrow(&at_least(least)))? {
        least += least / 4;
        if least > LARGEST {
            return Ok(None);
        }
    }
    let least = if least > USUAL { least + least / 4 } else { least };
    let values = at_least(least);
    Ok((values != search.sizes).then_some(Sizes { values, examples: Vec::new() }))
}

/// For each statement, the sizes at which it runs, if there are any.
fn running(search: &StorageSearch) -> Result<Vec<Set>, Error> {
    let mut all = Vec::new();
    for statement in &search.model.statements {
        let sizes = statement.domain.params()?.intersect(&search.model.context)?;
        all.extend((!sizes.is_empty()?).then_some(sizes));
    }
    Ok(all)
}

/// Whether some sizes are in all of several sets.
pub(super) fn are_all_in(sets: &[Set], sizes: &[(&str, i64)]) -> Result<bool, Error> {
    for set in sets {
        if set.at(sizes)?.is_empty()? {
            return Ok(false);
        }
    }
    Ok(true)
}

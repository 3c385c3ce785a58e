//! What would make innermost loops faster, for the report.
//!
//! Storage that is as small as it can be may have loops that no compiler makes fast. That was asked
//! for. Which option would spare it, the user can't guess.
//!
//! * More cells make subscripts plainer: a knapsack in `v[(8 * i - j) mod (cap + 9)]` could be in
//!   `v[i mod 2][j]` with `--room 86`.
//! * Strips ([`polyfold_nests::strips`]) let loops over small circular buffers become vectors, with
//!   some 130 cells more for each array.
//!
//! Invariant: of what more cells do, all is proved, and nothing is taken. `--schedule strips` proves
//! what it does itself.

use crate::decisions::Decisions;
use crate::optimize::{Options, Outcome};
use crate::plainer::{Gain, shared};
use crate::search::StorageSearch;
use crate::slack::Slack;
use polyfold_isl::Error;
use polyfold_nests::{dependences, strips};
use polyfold_prove::{Placed, RowForm};
use polyfold_scop::{ArrayId, StatementId};
use std::collections::BTreeSet;

/// Storage that is plainer in innermost loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlackHint {
    /// The arrays in it.
    pub arrays: Vec<ArrayId>,
    /// How many percent more cells than suffice that takes.
    pub percent: u64,
    /// All of its cells, at the sizes counted at.
    pub cells: u64,
}

/// More slack than this is not looked for.
pub(crate) const MOST_PERCENT: u64 = 100;

/// Storage with fewer cells mostly is in strips or registers, of which its cost tells nothing.
pub(crate) const FEWEST_CELLS: u64 = 32;

/// How many percent more some cells are than those that suffice, rounded up.
pub(crate) fn percent_more(cells: u64, least: u64) -> u64 {
    let percent = (u128::from(cells.saturating_sub(least)) * 100).div_ceil(u128::from(least.max(1)));
    u64::try_from(percent).unwrap_or(u64::MAX)
}

/// What slack would do for storage that is decided, unless the user says how much there is; statements in `gone` will be removed.
pub(crate) fn hints(search: &StorageSearch, gone: &[StatementId], decisions: &Decisions) -> Vec<SlackHint> {
    if search.options.slack != Slack::Usual {
        return Vec::new();
    }
    let options = Options { slack: Slack::Percent(MOST_PERCENT), ..search.options.clone() };
    let wider = StorageSearch { options: &options, ..*search };
    let mut hints = Vec::new();
    let mut say = |arrays: Vec<ArrayId>, least: u64, found: Option<Gain>| {
        let Some(Gain { cells, .. }) = found.filter(|found| found.in_innermost_loops) else { return };
        hints.push(SlackHint { arrays, percent: percent_more(cells, least), cells });
    };
    for (id, outcome) in &decisions.outcomes {
        let Outcome::Mapped { storage, least } = outcome else { continue };
        if *least >= FEWEST_CELLS {
            let found = search.in_bound(1, [*id], || wider.plainer(*id, storage, *least, gone));
            say(vec![*id], *least, found.unwrap_or_default().map(|(_, gain)| gain));
        }
    }
    for buffer in decisions.buffers.iter().filter(|buffer| !buffer.holds_values && buffer.least >= FEWEST_CELLS) {
        let found = search.in_bound(buffer.arrays.len(), buffer.arrays.clone(), || shared(&wider, buffer));
        say(buffer.arrays.clone(), buffer.least, found.unwrap_or_default().map(|(_, gain)| gain));
    }
    hints
}

/// Larger buffers have segments, which are vectorised.
const MOST_CELLS: i64 = 63;

/// The short circular buffers whose writes and reads would be in loops of their own.
pub(crate) fn strip_hints(search: &StorageSearch, decisions: &Decisions) -> Vec<ArrayId> {
    if !search.options.in_strips || search.options.method.is_some() {
        return Vec::new();
    }
    let small = decisions.outcomes.iter().filter(|(_, outcome)| is_short_buffer(outcome, decisions)).map(|(id, _)| *id);
    let small: Vec<ArrayId> = small.collect();
    if small.is_empty() {
        return small;
    }
    search.in_bound(1, [], || helped(search, &small)).unwrap_or_default()
}

fn is_short_buffer(outcome: &Outcome, decisions: &Decisions) -> bool {
    let Some([row]) = outcome.place(&decisions.buffers).map(Placed::rows) else { return false };
    let cells = row.modulus.as_constant().ok().flatten();
    let is_circular = !matches!(row.form, RowForm::Fits { .. });
    is_circular && cells.is_some_and(|cells| (2..=MOST_CELLS).contains(&cells))
}

/// Those that statements of different groups use.
fn helped(search: &StorageSearch, small: &[ArrayId]) -> Result<Vec<ArrayId>, Error> {
    let (model, scop) = (search.model, search.model.scop);
    let loops = strips(model, &dependences(model)?, &BTreeSet::new())?.unwrap_or_default();
    let is_helped = |id: &&ArrayId| {
        let uses = |group: &Vec<_>| group.iter().any(|s| scop.statement(*s).accesses.iter().any(|a| a.array == **id));
        loops.iter().any(|groups| groups.iter().filter(|group| uses(group)).count() > 1)
    };
    Ok(small.iter().filter(is_helped).copied().collect())
}

//! Room that would make innermost loops plainer, for the report.
//!
//! Storage that is as small as it can be may have loops that no compiler makes fast: subscripts that wrap around every few turns, or cells that one iteration
//! writes in front of another one's reads. That is what was asked for; how many more cells would spare it, the user cannot guess.
//!
//! Example: a knapsack in `v[(8 * i - j) mod (cap + 9)]` could be in `v[i mod 2][j]` with `--room 86`.
//!
//! Invariant: what is said was proved; nothing of it is taken.

use crate::decisions::Decisions;
use crate::optimize::{Options, Outcome};
use crate::plainer::{Gain, shared};
use crate::room::Room;
use crate::search::StorageSearch;
use polyfold_scop::{ArrayId, StatementId};

/// Storage that is plainer in innermost loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoomHint {
    /// The arrays in it.
    pub arrays: Vec<ArrayId>,
    /// How many percent more cells than suffice that takes.
    pub percent: u64,
    /// All of its cells, at the sizes counted at.
    pub cells: u64,
}

/// More room than this is not looked for.
pub(crate) const MOST_PERCENT: u64 = 100;

/// Storage with fewer cells mostly is in strips or registers, of which its cost tells nothing.
pub(crate) const FEWEST_CELLS: u64 = 32;

/// How many percent more some cells are than those that suffice, rounded up.
pub(crate) fn percent_more(cells: u64, least: u64) -> u64 {
    let percent = (u128::from(cells.saturating_sub(least)) * 100).div_ceil(u128::from(least.max(1)));
    u64::try_from(percent).unwrap_or(u64::MAX)
}

/// What room would do for storage that is decided, unless the user says how much there is; statements in `gone` will be removed.
pub(crate) fn hints(search: &StorageSearch, gone: &[StatementId], decisions: &Decisions) -> Vec<RoomHint> {
    if search.options.room != Room::Usual {
        return Vec::new();
    }
    let options = Options { room: Room::Percent(MOST_PERCENT), ..search.options.clone() };
    let roomy = StorageSearch { options: &options, ..*search };
    let mut hints = Vec::new();
    let mut say = |arrays: Vec<ArrayId>, least: u64, found: Option<Gain>| {
        let Some(Gain { cells, .. }) = found.filter(|found| found.in_innermost_loops) else { return };
        hints.push(RoomHint { arrays, percent: percent_more(cells, least), cells });
    };
    for (id, outcome) in &decisions.outcomes {
        let Outcome::Mapped { storage, least } = outcome else { continue };
        if *least >= FEWEST_CELLS {
            let found = search.in_bound(1, [*id], || roomy.plainer(*id, storage, *least, gone));
            say(vec![*id], *least, found.unwrap_or_default().map(|(_, gain)| gain));
        }
    }
    for buffer in decisions.buffers.iter().filter(|buffer| !buffer.holds_values && buffer.least >= FEWEST_CELLS) {
        let found = search.in_bound(buffer.arrays.len(), buffer.arrays.clone(), || shared(&roomy, buffer));
        say(buffer.arrays.clone(), buffer.least, found.unwrap_or_default().map(|(_, gain)| gain));
    }
    hints
}

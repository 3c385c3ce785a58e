//! How many more cells than suffice storage may have where its subscripts are plainer then.
//!
//! Example: with the usual slack 197 cells may become 200, and 102 may become 112; 3 stay, and 600
//! may become 618.
//!
//! What is small has the others' slack, too. A hundredth of what they have is next to nothing for
//! the whole, and may be much for storage that is small:
//!
//! ```text
//! percent = min over sizes of (cells of the others at the sizes / own cells at the sizes)
//! ```
//!
//! Example: beside 48 000 cells of `diff` a buffer of 1 200 may have 480 more, and become `n` by `n`
//! of 40 by 40.
//!
//! Storage that stays small however large sizes get has no such slack. It holds a window or a table,
//! and its subscripts are cheap.
//!
//! Deviation: what others have is counted in cells, of elements that are no smaller. So it may be
//! less than a hundredth of all bytes. Each small storage gets a hundredth by itself.
//!
//! Invariant: the percent hold at the sizes counted at, and where all are scaled. An array that stays
//! as it is gives no slack.

use crate::decisions::Decisions;
use crate::hints::{FEWEST_CELLS, MOST_PERCENT};
use crate::optimize::Outcome;
use crate::search::StorageSearch;
use polyfold_scop::ArrayId;

/// More cells than suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slack {
    /// If the user does not say.
    Usual,
    /// So many percent.
    Percent(u64),
}

/// Of any storage, in percent.
const USUAL: u64 = 3;

/// Of storage that gets no more than a few cells in this way.
const USUAL_OF_FEW: u64 = 10;
const FEW: u64 = 16;

/// Of storage that is small, whatever the percent.
const NEXT_TO_NOTHING: u64 = 4;
const FEWEST: u64 = 8;

impl Slack {
    /// Not a single cell.
    pub const NONE: Slack = Slack::Percent(0);

    /// As many cells storage may have where `cells` suffice.
    pub fn most(self, cells: u64) -> u64 {
        let part = |percent: u64| {
            let part = u128::from(cells) * u128::from(percent) / 100;
            u64::try_from(part).unwrap_or(u64::MAX)
        };
        let more = match self {
            Slack::Percent(percent) => part(percent),
            Slack::Usual => part(USUAL).max(part(USUAL_OF_FEW).min(FEW)),
        };
        cells.saturating_add(more)
    }

    /// The same of what leaves innermost loops next to no strides and remainders: in storage of eight cells or more, four are next to nothing.
    pub fn most_of_plain(self, cells: u64) -> u64 {
        match self {
            Slack::Usual if cells >= FEWEST => self.most(cells).max(cells.saturating_add(NEXT_TO_NOTHING)),
            _ => self.most(cells),
        }
    }
}

/// No fewer than the usual slack.
const LEAST_PERCENT: u64 = 4;

/// How much slack the other storage gives to that of some arrays; `None`: no more than there is usually.
pub(crate) fn slack_beside(search: &StorageSearch, decisions: &Decisions, arrays: &[ArrayId]) -> Option<Slack> {
    if search.options.slack != Slack::Usual {
        return None;
    }
    if decisions.cells_at(search, arrays, &search.all_scaled_sizes())? < FEWEST_CELLS {
        return None;
    }
    let bytes = |id: ArrayId| search.model.scop.array(search.owner(id)).element_bytes;
    let own_bytes = arrays.iter().map(|id| bytes(*id)).max().flatten()?;
    let is_other = |id: ArrayId, outcome: &Outcome| {
        !arrays.contains(&id) && !matches!(outcome, Outcome::Kept { .. }) && bytes(id).is_some_and(|b| b >= own_bytes)
    };
    let others = decisions.outcomes.iter().filter(|(id, outcome)| is_other(*id, outcome));
    let others: Vec<ArrayId> = others.map(|(id, _)| *id).collect();
    let mut percent = MOST_PERCENT;
    for sizes in [search.sizes.to_vec(), search.scaled_sizes()] {
        let cells = |ids: &[ArrayId]| decisions.cells_at(search, ids, &sizes);
        percent = percent.min(cells(&others)?.checked_div(cells(arrays)?)?);
    }
    (percent >= LEAST_PERCENT).then_some(Slack::Percent(percent))
}

#[cfg(test)]
mod tests {
    use super::Slack;

    #[test]
    fn a_few_cells_are_more_percent() {
        let most = |cells| Slack::Usual.most(cells);
        assert_eq!([3, 9, 10, 102, 160, 197, 800, 1000].map(most), [3, 9, 11, 112, 176, 213, 824, 1030]);
        assert_eq!([3, 7, 8, 9, 102, 1000].map(|cells| Slack::Usual.most_of_plain(cells)), [3, 7, 12, 13, 112, 1030]);
        assert_eq!(Slack::Percent(5).most_of_plain(9), 9);
        assert_eq!((Slack::NONE.most(1000), Slack::Percent(35).most(100)), (1000, 135));
        assert_eq!((most(u64::MAX), Slack::Percent(u64::MAX).most(u64::MAX)), (u64::MAX, u64::MAX));
    }
}

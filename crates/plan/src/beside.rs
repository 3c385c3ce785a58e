//! Room for storage that is small beside the other storage of a scop.
//!
//! A hundredth of what the others have is next to nothing for the whole, and may be much for storage that is small:
//!
//! ```text
//! percent = min over sizes of (cells of the others at the sizes / own cells at the sizes)
//! ```
//!
//! Example: beside 48 000 cells of `diff` a buffer of 1 200 may have 480 more, and become `n` by `n` of 40 by 40.
//!
//! Deviation: what others have is counted in cells, of elements that are no smaller; so it may be less than a hundredth of all bytes.
//! Each small storage gets a hundredth by itself: several together get more.
//!
//! Storage that stays small however large sizes get has none: what it holds is a window or a table, and its subscripts are cheap.
//!
//! Invariant: the percent hold at the sizes counted at, and where all are larger. An array that stays as it is gives no room.

use crate::decisions::Decisions;
use crate::hints::{FEWEST_CELLS, MOST_PERCENT};
use crate::optimize::Outcome;
use crate::room::Room;
use crate::search::StorageSearch;
use polyfold_scop::ArrayId;

/// No fewer than the usual room.
const LEAST_PERCENT: u64 = 4;

/// How much room the other storage gives to that of some arrays; `None`: no more than there is usually.
pub(crate) fn room_beside(search: &StorageSearch, decisions: &Decisions, arrays: &[ArrayId]) -> Option<Room> {
    if search.options.room != Room::Usual {
        return None;
    }
    if decisions.cells_at(search, arrays, &search.all_larger_sizes())? < FEWEST_CELLS {
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
    for sizes in [search.sizes.to_vec(), search.larger_sizes()] {
        let cells = |ids: &[ArrayId]| decisions.cells_at(search, ids, &sizes);
        percent = percent.min(cells(&others)?.checked_div(cells(arrays)?)?);
    }
    (percent >= LEAST_PERCENT).then_some(Room::Percent(percent))
}

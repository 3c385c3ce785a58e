//! Buffers in which innermost loops keep their vectors.
//!
//! Arrays share where each takes the cells that another one leaves, often a cell behind what is still needed. Where the loop that does so has several statements, that may cost
//! its vectors (`vectors`), which can be most of a program's speed; and often as many cells do, or a row more:
//!
//! ```text
//! minhi[i][j] in mid_shared[i][j − 1], mid[i][j] in mid_shared[i][j + 1]      a median of bytes, 480 × 641 cells
//! minhi[i][j] in mid_shared[i − 1][j], mid[i][j] in mid_shared[i][j]          479 × 640 cells, seven times as fast
//! ```
//!
//! So the arrays of such a buffer are gathered once more, with the pairs of cells that are to be apart for that among their conflicts. What is found is taken if there is room for it; else it is
//! said what room would do. What comes after that keeps these pairs apart.
//!
//! Invariant: a larger set of conflicts proves no less.

use crate::buffer::SharedBuffer;
use crate::decisions::Decisions;
use crate::gathering::{Candidate, Gathering};
use crate::hints::percent_more;
use crate::known_conflicts::{Apart, KnownConflicts};
use crate::program_conflicts::facts_of;
use crate::room::Room;
use crate::search::StorageSearch;
use crate::share::cells_alone;
use crate::vectors::apart_in_vectors;
use polyfold_alloc::Mapping;
use polyfold_isl::Error;
use polyfold_prove::{SharedFacts, verify_shared};
use polyfold_scop::ArrayId;

/// Arrays whose sharing costs vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorHint {
    /// The arrays in one buffer.
    pub arrays: Vec<ArrayId>,
    /// How many percent more cells than suffice would spare that, and all of them then; `None`: more than 100, or none were found.
    pub room: Option<(u64, u64)>,
}

/// More percent are not said.
const MOST_PERCENT: u64 = 100;

/// What a buffer is in vectors.
enum Found {
    /// Its loops keep them, if these cells are apart.
    Kept(Apart),
    /// So they do in another one.
    Other(Box<SharedBuffer>, Apart),
    /// There is no room for that, if it was found.
    Lost(Option<u64>),
}

/// Buffers in which loops keep their vectors in the place of those decided, where there is room; what is known then, and where there is none.
pub(crate) fn keep_vectors(
    search: &StorageSearch,
    decisions: &mut Decisions,
) -> Result<(KnownConflicts, Vec<VectorHint>), Error> {
    let (mut apart, mut hints) = (Apart::new(), Vec::new());
    if search.options.method.is_none() {
        for buffer in decisions.buffers.iter_mut().filter(|buffer| !buffer.holds_values) {
            let times = 2 * buffer.arrays.len();
            match search.in_bound(times, buffer.arrays.clone(), || in_vectors(search, buffer)) {
                Ok(Found::Kept(pairs)) => apart.extend(pairs),
                Ok(Found::Other(other, pairs)) => {
                    *buffer = *other;
                    apart.extend(pairs);
                }
                Ok(Found::Lost(cells)) if search.options.room == Room::Usual => {
                    let room = cells.map(|cells| (percent_more(cells, buffer.least), cells));
                    hints.push(VectorHint { arrays: buffer.arrays.clone(), room });
                }
                Ok(Found::Lost(_)) | Err(_) => {}
            }
        }
    }
    Ok((search.known.keeping_apart(&apart)?, hints))
}

fn in_vectors(search: &StorageSearch, buffer: &SharedBuffer) -> Result<Found, Error> {
    let pairs = apart_in_vectors(search.model, &buffer.arrays)?;
    let known = search.known.keeping_apart(&pairs)?;
    let facts = facts_of(search.model, &buffer.arrays, &known)?;
    let facts = SharedFacts { members: &facts, context: &search.model.context };
    if pairs.is_empty() || verify_shared(buffer.storage.get().clone(), &facts)?.is_ok() {
        return Ok(Found::Kept(pairs));
    }
    let apart = StorageSearch { known: &known, ..*search };
    let Some(found) = gathered(&apart, buffer)? else { return Ok(Found::Lost(None)) };
    let mapping = &found.storage.get().mapping;
    let has_room = found.cells <= search.options.room.most(buffer.least)
        && search.has_room_when_larger(mapping, &buffer.storage.get().mapping);
    Ok(if has_room { Found::Other(Box::new(found), pairs) } else { Found::Lost(Some(found.cells)) })
}

/// All arrays of a buffer in another one, by rows, of up to twice the cells.
fn gathered(search: &StorageSearch, buffer: &SharedBuffer) -> Result<Option<SharedBuffer>, Error> {
    let outcome = |id: &ArrayId| search.alone.iter().find(|(other, _)| other == id);
    let candidates: Option<Vec<Candidate>> = (buffer.arrays.iter())
        .map(|id| Some(Candidate { id: *id, cells: cells_alone(search, *id, &outcome(id)?.1)? }))
        .collect();
    let Some(candidates) = candidates else { return Ok(None) };
    let gathering = Gathering::of(search, &candidates, false)?;
    if gathering.members() != buffer.arrays {
        return Ok(None);
    }
    let most = Room::Percent(MOST_PERCENT).most(buffer.least).saturating_add(1).min(gathering.apart);
    let found = gathering.buffer(most)?.filter(|found| matches!(found.storage.get().mapping, Mapping::Modular(_)));
    Ok(found.map(|found| SharedBuffer { least: buffer.least.min(found.cells), ..found }))
}

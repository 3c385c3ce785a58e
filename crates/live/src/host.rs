//! What a temporary array needs to know of an array whose values cross the scop's border, to live in it.
//!
//! Such a *host* must hold its own values behind the scop. A read of every cell in its *room* at END, behind all dates, stands
//! for that, as a write at START does for what it holds before the scop and is read in it (see [`Lifetimes`]).
//!
//! ```text
//! room = { w >= 0 : the scop surely writes w }
//! D    = { x − w : cell x of the guest conflicts with cell w of the host }
//! ```
//!
//! Cell x of the guest may live at x + δ iff `x + δ ∈ room` for every x, and `0 ∉ D + δ`. A cell that the scop does not surely
//! write may keep what it held before, all along, so it is no room for anybody; one that it does is a cell of the host indeed,
//! whatever the declaration says of its extent: at sizes for which it is none, the source has no meaning in C. Cells in front of a
//! pointer (`out[i - 2]`) are no room, since a guest's subscript may have no sign: there `out[u - 2]` wraps around.
//!
//! Example: in `t[i] = x[i]` for all i, then `out[i] = t[i]` for all i, with t in out, the value of `out[i]` lives from its write
//! to END, t's `t[i]` from its write to the write of `out[i]`: D = {−(n−1) … n−1} without 0, and δ = 0 will do.
//!
//! There is no room where calls may look at the host or leave the function (what is behind them is not surely written then), where
//! iterations may run at once (START and END would have to be put into a partial order), and where rows are addressed beyond
//! their ends, so that two names may mean one cell.

use crate::{CrossDifferences, Lifetimes, Precision, Subject};
use polyfold_flow::{Model, union};
use polyfold_isl::{Result, Set};
use polyfold_scop::ArrayId;

/// An array whose values cross the scop's border, with the lifetimes that this gives them.
pub struct Host {
    lifetimes: Lifetimes,
    room: Option<Set>,
}

impl Host {
    /// A host, and arrays that may be its guests, with dates that can be compared.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn with_guests(model: &Model, host: ArrayId, guests: &[ArrayId]) -> Result<(Host, Vec<Lifetimes>)> {
        let room = room(model, host)?;
        let ids: Vec<ArrayId> = std::iter::once(host).chain(guests.iter().copied()).collect();
        let mut all = Lifetimes::together(model, &ids)?;
        let own = all.remove(0);
        let lifetimes = match &room {
            None => own,
            Some(room) => own.read_at_end(room)?,
        };
        Ok((Host { lifetimes, room }, all))
    }

    /// Which array.
    pub fn array(&self) -> ArrayId {
        self.lifetimes.subject().array()
    }

    /// Cells that others may use while they hold nothing of the host's; `None`: there are none.
    pub fn room(&self) -> Option<&Set> {
        self.room.as_ref()
    }

    /// What stands between a guest and the host.
    ///
    /// # Errors
    /// When the guest's dates cannot be compared with the host's, or the work bound is reached.
    pub fn stay_of(&self, guest: &Lifetimes) -> Result<Stay> {
        Ok(Stay {
            guest: guest.subject().clone(),
            is_fresh: guest.exposed().is_none(),
            differences: CrossDifferences::of(guest, &self.lifetimes, Precision::Value)?,
            room: self.room.clone(),
        })
    }
}

/// What is known of a temporary array and its host.
#[derive(Clone, Debug)]
pub struct Stay {
    guest: Subject,
    is_fresh: bool,
    differences: CrossDifferences,
    room: Option<Set>,
}

impl Stay {
    /// The guest.
    pub fn guest(&self) -> &Subject {
        &self.guest
    }

    /// Whether every cell of the guest is written before it is read.
    pub fn is_fresh(&self) -> bool {
        self.is_fresh
    }

    /// `x − w` for conflicting cells x of the guest and w of the host's room.
    pub fn differences(&self) -> &CrossDifferences {
        &self.differences
    }

    /// The host's cells in which others may live at times; `None`: there are none.
    pub fn room(&self) -> Option<&Set> {
        self.room.as_ref()
    }
}

/// The cells that the scop surely writes, if nobody but the scop can see what they hold meanwhile.
fn room(model: &Model, host: ArrayId) -> Result<Option<Set>> {
    let is_seen = model.scop.statements.iter().any(|s| s.is_effectful());
    if is_seen || model.unordered.is_some() || !model.has_one_name_for_each_cell(host)? {
        return Ok(None);
    }
    match union(&model.accesses(host).must_writes)? {
        None => Ok(None),
        Some(writes) => writes.range()?.intersect(&model.cells_from_zero(host)?)?.coalesce().map(Some),
    }
}

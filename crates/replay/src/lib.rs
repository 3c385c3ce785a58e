//! The independent oracle: runs a scop at given sizes and judges what the rest of the workspace claims.
//!
//! It knows nothing of sets, schedules or lattices. [`Trace::run`] interprets the loop tree with C's meaning and
//! writes down every access; the other functions count over that list:
//!
//! * [`Trace::values`] and [`Trace::max_live`]: what is alive when, and the floor under every mapping;
//! * [`Trace::conflicts`] and [`Trace::differences`]: which cells may not share, by definition;
//! * [`replay_mapping`], [`replay_shared`], [`replay_values`] and [`replay_moving`]: executes the trace on the contracted memory, *without* any
//!   notion of conflict, and reports the first read that does not find the value it wants.
//! * [`Trace::reordered`]: the same operations in another order, if every read still gets its value.
//! * [`terms::agree`]: two programs run over terms, and leave the same ones behind.
//!
//! Limits: one size and one outcome of the data-dependent conditions at a time; an access whose subscripts are not
//! affine is counted in [`Trace::unknown_accesses`] and otherwise ignored; a write to a part of a cell counts as a
//! write of the whole.

mod conflict;
mod evaluate;
mod lifetime;
mod memory;
mod reorder;
mod run;
pub mod terms;
mod trace;

pub use conflict::Precision;
pub use lifetime::Value;
pub use memory::{Clobber, Home, Slot, replay_mapping, replay_moving, replay_shared, replay_values};
pub use reorder::Misordered;
pub use run::ReplayError;
pub use trace::{Cell, Event, Operation, START, Trace, Turn};

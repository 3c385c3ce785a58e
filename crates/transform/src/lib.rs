//! Passes: functions from a program to a program.
//!
//! A pass does one thing and has the field's name for it. It knows no other pass, and it may be
//! wrong: what it makes is judged, by execution over terms (`replay`) and by a validator (`prove`).
//!
//! | pass | what it does |
//! |---|---|
//! | [`apply_storage`] | accesses go to the cells that a storage mapping gives them |
//! | [`sweep`] | statements whose results nobody reads go |

mod apply_storage;
mod sweep;

pub use apply_storage::{Coordinate, Storage, apply_storage};
pub use sweep::sweep;

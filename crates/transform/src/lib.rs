//! Passes: functions from a program to a program.
//!
//! A pass does one thing and has the field's name for it. It knows no other pass, and it may be
//! wrong: what it makes is judged, by execution over terms (`replay`) and by a validator (`prove`).
//!
//! | pass | what it does |
//! |---|---|
//! | [`apply_storage`] | accesses go to the cells that a storage mapping gives them |
//! | [`sweep`] | statements whose results nobody reads go |
//! | [`privatize`] | a variable is declared where its values live |
//! | [`without_unread`] | variables that statements declare and nobody reads go |

mod apply_storage;
mod drop_copies;
mod privatize;
mod sum;
mod sweep;
mod unread;

pub use apply_storage::{Coordinate, Remainder, Storage, apply_storage};
pub use drop_copies::copies_to_themselves;
pub use privatize::privatize;
pub use sweep::sweep;
pub use unread::without_unread;

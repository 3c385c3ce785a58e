//! Orders of execution that somebody gives: read, and checked against what a program's values need.
//!
//! ```text
//! θ = { S0[i, j] -> [i, j, 0]; S1[i, j] -> [i, j + 2, 1] }        operations of smaller dates come first
//! ```
//!
//! A schedule is right if no two operations that depend on each other change places: one writes a cell that the other reads or
//! writes; or run at once, where a dimension of the dates is parallel. Where a given schedule is wrong, two operations show it.
//!
//! Paper: the GeCoS note on memory (2014) starts from schedules like these; dependences after Feautrier (1991).
//!
//! Invariant: only [`check`] makes a [`Legal`] schedule.

mod given;
mod legal;
mod of_text;
mod renewed;
mod together;

pub use given::{Fault, Given};
pub use legal::{Dependence, Legal, Operation, Turn, Violation, check, dependent_at_once};
pub use of_text::Unlike;
pub use renewed::renewed;
pub use together::{OfPieces, Together};

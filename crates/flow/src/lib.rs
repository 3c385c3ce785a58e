//! The polyhedral view of a scop, and what flows where in it.
//!
//! [`Model::build`] turns the tree of a [`Scop`](polyfold_scop::Scop) into integer sets and relations: iteration
//! domains, a schedule that gives every operation a date, and for each array the relations from dates to cells
//! read and written. [`dataflow`], [`first_writes`] and [`last_reads`] answer Bee §3.1's questions on it.
//!
//! Dates are vectors `[position, iterator, position, iterator, …]`, ordered lexicographically; the iterator of
//! a downward loop counts negated. Inside one date every read precedes the writes.

mod accesses;
mod bounds;
mod brief;
mod by_iteration;
mod context;
mod copies;
mod dead;
mod defined;
mod distinct;
mod exclusion;
mod expansion;
mod extremum;
mod grids;
mod lifetime;
mod lower;
mod model;
mod names;
mod parity;
mod path;
mod space;
mod sure;
mod turns;
mod unordered;
mod unread;
mod within;

pub use accesses::{Accesses, dataflow, first_writes, last_reads, union};
pub use brief::has_few_turns;
pub use by_iteration::Grain;
pub use copies::{Copy, copies};
pub use dead::{DeadCode, dead_code};
pub use distinct::constant_difference;
pub use exclusion::{Cause, Exclusion};
pub use expansion::{Expansion, NamedAccess, ValueClass, Versions, statements, time_loops};
pub use grids::{Ends, GridNest, Grids, grids};
pub use model::{Model, StatementModel, join_text};
pub use names::acceptable as isl_name;
pub use sure::{Write, sure_writes};
pub use turns::turns;
pub use unread::may_be_unread;
pub use within::{Bounded, stays_within};

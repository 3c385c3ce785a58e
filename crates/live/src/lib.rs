//! Lifetimes, conflicts, difference sets, and how many values are alive at once.
//!
//! Two cells conflict when one is written while the other holds a value that is still read
//! ([`conflicts`]); what a storage mapping needs to know is the set of their differences
//! ([`DifferenceSet`]). [`max_live`] counts the floor under every mapping.
//!
//! Paper: Bee §3.2.

mod conflict;
mod count;
mod cross;
mod difference;
mod host;
mod lifetime;
mod order;
mod subject;

pub use conflict::{Conflicts, Precision, conflicts, conflicts_between};
pub use count::{Coordinate, CountError, History, LiveCount, Operation, Value, history, max_live, max_live_in_order};
pub use cross::CrossDifferences;
pub use difference::DifferenceSet;
pub use host::{Host, Stay};
pub use lifetime::{Lifetimes, end_reads};
pub use subject::Subject;

//! Other orders of execution for a scop, and the memory that they need.

mod grown;

pub use grown::{grown, growths};

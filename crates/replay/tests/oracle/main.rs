//! The oracle itself on trial: hand-counted programs, and its parts against each other.

#![allow(missing_docs)]

mod builder;
mod known_values;
mod random_traces;

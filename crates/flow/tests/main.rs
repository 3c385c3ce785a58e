//! What flows where, worked out by hand.

mod expansion;
mod grids;
mod pipeline;
mod support;

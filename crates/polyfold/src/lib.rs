//! polyfold: ordinary C with loops and arrays in, C that computes the same in less memory out, with a proof.
//!
//! This crate joins the rooms: [`optimize`] takes one scop from analysis to a proved decision for each array. The
//! command line around it is the only place with files, processes and clocks.

pub mod analyze;
pub mod applied;
pub mod behind;
pub mod compact;
pub mod conflicts;
pub mod decided;
mod drawing;
pub mod driver;
pub mod execution;
pub mod fuse;
pub mod grown;
pub mod judged;
mod known_conflicts;
pub mod lattice;
pub mod local_examples;
pub mod local_summary;
pub mod motion;
pub mod motion_reasons;
pub mod optimize;
pub mod program_conflicts;
pub mod reasons;
pub mod story;
pub mod summary;
pub mod tiles;
mod windows;

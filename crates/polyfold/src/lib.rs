//! polyfold: ordinary C with loops and arrays in, C that computes the same in less memory out, with a proof.
//!
//! [`polyfold_plan`] finds the storage. This crate reports what was found, and its command line is the only place with
//! files, processes and clocks.

pub mod analyze;
pub mod conflicts;
mod drawing;
pub mod driver;
pub mod execution;
pub mod fuse;
pub mod lattice;
pub mod local_examples;
pub mod local_summary;
pub mod motion;
pub mod motion_reasons;
pub mod reasons;
pub mod story;
pub mod summary;
pub mod tiles;

/// Most of the time goes into the many small numbers that libisl makes. This allocator is for C, too,
/// and takes a tenth to a quarter less of it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

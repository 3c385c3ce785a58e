//! Random affine C programs for testing the whole pipeline.
//!
//! [`program`] makes a function with one scop: a chain of stages that fill and change local arrays, and a last one
//! that makes outputs of them. Every program is in bounds and fully defined at every size from 1: a stage leaves its
//! arrays with a value in every cell, and a read that could leave the array stands behind a condition.
//!
//! [`shrink`] switches [`Feature`]s off and lowers [`Options::max_statements`] while a program still fails: each stage
//! draws random numbers of its own, so the rest stays much as it was.
//!
//! ```
//! use polyfold_testgen::{Options, program};
//! let made = program(7, &Options::default());
//! assert!(made.source.contains("void kernel_7("));
//! assert_eq!(made.source, program(7, &Options::default()).source);
//! ```
//!
//! [`mutants`] makes programs with one mistake, for judging those who judge.
//!
//! Limits: sizes start at 1; elements are `unsigned`, `unsigned long`, `double` or `float`; floating values are
//! positive; no calls but one that returns its argument, no pointers but
//! those to memory from `malloc`, no labels. The text is free of warnings up to `-O2`; at `-O3` gcc takes some cells to
//! be uninitialised, as it does not know that sizes are positive.

mod array;
mod by_size;
mod choices;
mod draft;
mod memory;
mod mutants;
mod nest;
mod options;
mod orders;
mod program;
mod random;
mod read;
mod recurrences;
mod shrink;
mod stages;
mod sums;
mod text;
mod tiled;
mod windows;

pub use choices::choices_file;
pub use mutants::{Mutant, mutants};
pub use options::{Feature, Options};
pub use orders::orders_file;
pub use program::{PREAMBLE, Program, file, program};
pub use recurrences::recurrences_file;
pub use shrink::shrink;
pub use sums::sums_file;
pub use tiled::tiled_file;
pub use windows::{Rows, windows_file};

//! Cl@k: modular mappings for a set of differences. Knows no programs.
//!
//! A *modular mapping* sends a point x to `(M x) mod b`, row by row; its kernel is a lattice, and it is valid for a
//! set of differences DS iff the kernel meets DS in 0 only ("strictly admissible"). The memory it needs is the
//! product of b. Sets and moduli may depend on parameters.
//!
//! Paper: Bee §4.

mod bound;
mod clique;
mod differences;
mod family;
mod mapping;
mod optimum;
mod successive;
mod trial;

pub use clique::{Slab, clique_bounds};
pub use differences::{Differences, MOST_POINTS};
pub use family::families;
pub use mapping::ModularMapping;
pub use optimum::{Search, longest_first, smallest_lattice};
pub use successive::{successive_moduli, successive_moduli_in_every_order};

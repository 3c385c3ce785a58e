//! Cl@k: modular mappings for a set of differences. Knows no programs.
//!
//! A *modular mapping* sends a point x to `(M x) mod b`, row by row; its kernel is a lattice, and it is valid for a
//! set of differences DS iff the kernel meets DS in 0 only ("strictly admissible"). The memory it needs is the
//! product of b. Sets and moduli may depend on parameters.
//!
//! Paper: Bee §4.

mod affine_basis;
mod body;
mod bound;
mod clique;
mod differences;
mod exactness;
mod family;
mod folding;
mod hermite;
mod heuristics;
mod integers;
mod lattice;
mod linear;
mod lp;
mod mapping;
mod matrix;
mod minima;
mod optimal;
mod optimum;
mod polynomial;
mod reduction;
mod samples;
mod scan;
mod simplest;
mod smith;
mod successive;
mod trial;

pub use affine_basis::{Affine, AffineBasis, affine_bases};
pub use body::{Body, Facet, MOST_DIMENSIONS};
pub use clique::{Slab, clique_bounds};
pub use differences::Differences;
pub use family::families;
pub use folding::Folding;
pub use hermite::{Hermite, hermite_form};
pub use heuristics::{Basis, Candidate, Heuristic, best_heuristic, best_of, heuristic_mappings};
pub use lattice::Lattice;
pub use linear::{LinearMapping, linear_mappings};
pub use lp::Rational;
pub use mapping::ModularMapping;
pub use matrix::Matrix;
pub use minima::{Minimum, completed_basis, is_weakly_admissible, successive_minima};
pub use optimal::{Optimum, improved, optimal_mapping};
pub use optimum::{Search, longest_first, smallest_lattice};
pub use polynomial::Polynomial;
pub use reduction::reduced_basis;
pub use scan::{MOST_POINTS, Scanner};
pub use simplest::{complexity, simplest_mapping};
pub use smith::{Smith, smith_form};
pub use successive::{successive_moduli, successive_moduli_in_every_order};

pub(crate) use lp::{LinearProgram, Outcome};

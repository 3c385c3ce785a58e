//! Small dense local arrays for the cells that one statement, the *region*, touches.
//!
//! ```text
//! copy in    L[f(x)] = A[x]      for x in `in`
//! compute    A[e] becomes L[f(e)]
//! copy back  A[x] = L[f(x)]      for x in `back`
//! ```
//!
//! [`plan`] finds for every array the cells that are copied ([`Copies`]) and what local arrays hold them: references that share no cells are
//! kept apart, overlapping ones get one array, or several with the cells that are only read twice, or with the writer owning
//! them (`partition`); each array's cells are put into a box by the lattice they lie on, unimodular coordinates and folds, or into a
//! line by remainders ([`Shape`]).
//!
//! What is found is a proposal: `prove` shows that each map is single-valued, injective and inside its extents, and that the copies
//! cover what is read.
//!
//! Source: US 8,661,422.
//!
//! Limits: all values that the region writes to arrays not declared in it count as needed behind it.

mod best;
mod copies;
mod fold;
mod lattice;
mod modular;
mod motion;
mod partition;
mod plan;
mod reached;
mod reference;
mod reindex;
mod sample;
mod shape;
mod text;

pub use best::Measured;
pub use copies::{Copies, copies, exposed};
pub use fold::Fold;
pub use lattice::Lattice;
pub use motion::{Motion, changing, is_alone, late, turns_later, turns_under_way, written_back};
pub use partition::How;
pub use plan::{Kept, Local, Overlap, Plan, Request, Served, Why, meaningful, plan, running};
pub use reached::{entered, reached, turns};
pub use reference::{Reference, references, union_of};
pub use sample::{Choice, Size, Tiles, Values, first_instances, points, sizes};
pub use shape::{Shape, Step};

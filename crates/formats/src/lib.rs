//! Programs as data that other tools exchange: OpenScop, and whole problems in isl notation.
//!
//! Both formats say the same things of a piece of a program, a [`Problem`]: sizes, arrays, and for each statement its domain,
//! dates, accesses and text. A problem is made from a scop ([`Problem::of`]) or read from a file ([`openscop::read`],
//! [`isl_text::read`]), and becomes a file again ([`openscop::write`], [`isl_text::write`]), loops in C ([`loops`]) or a function
//! ([`function`]).
//!
//! ```text
//! C ── frontend, flow ──> Problem <──> OpenScop, isl notation
//!                            └── isl's loops ──> C ── like any other program
//! ```
//!
//! So that nothing behind needs to know of formats, what is read becomes C text first.
//!
//! Invariant: what is written was read back, and had the same meaning.

mod body;
mod extents;
mod fault;
mod function;
pub mod isl_text;
mod leaves;
mod loops;
mod of_scop;
pub mod openscop;
mod pieces;
mod problem;
mod sizes;
mod text;

pub use fault::Fault;
pub use function::function;
pub use loops::loops;
pub use of_scop::Refusal;
pub use pieces::{At, Obstacle};
pub use problem::{Access, AccessKind, Array, Parameter, Place, Problem, Role, Statement};

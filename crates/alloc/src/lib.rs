//! Engines that propose where an array's cells may live, and the layout of what they propose.
//!
//! Nothing here is trusted: an engine may be clever and wrong, the `prove` room decides.

mod align;
mod engine;
mod layout;
mod mixed;

pub use align::{Aligned, Sizes};
pub use engine::{Method, Problem, propose};
pub use layout::lay_out;
use polyfold_lattice::ModularMapping;
use polyfold_scop::ArrayId;

/// An unproved storage mapping for one array: cell `c` lives at `(M c) mod b` of a buffer of shape b.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// Whose cells.
    pub array: ArrayId,
    /// Rows in the order of the buffer's dimensions, outermost first; no row has the constant modulus 1, so an
    /// array that becomes one cell has no rows.
    pub mapping: ModularMapping,
    /// Who proposes it.
    pub method: Method,
}

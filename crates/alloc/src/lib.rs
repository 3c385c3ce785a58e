//! Engines that propose where an array's cells may live, and the layout of what they propose.
//!
//! ```text
//! cell x lives at (M x) mod b,    in a shared buffer at (M (x + δ)) mod b
//! ```
//!
//! Nothing here is trusted: an engine may be clever and wrong, the `prove` room decides.
//!
//! Paper: Bee §2, steps 3 and 4; SMO (POPL'16) §4.1 for δ.

mod align;
mod engine;
mod layout;
mod linear;
mod mapping;
mod mixed;

pub use align::{Aligned, Sizes};
pub use engine::{Method, Problem, propose};
pub use layout::lay_out;
pub use mapping::Mapping;
use polyfold_isl::PwAff;
use polyfold_scop::ArrayId;

/// An unproved buffer for several arrays: cell x of a member lives at `(M (x + δ)) mod b`.
#[derive(Clone, Debug)]
pub struct SharedProposal {
    /// Whose cells.
    pub members: Vec<SharedMember>,
    /// M and b, one for all members: with moduli of their own they would collide even where each is right for itself.
    pub mapping: Mapping,
    /// Who proposes it.
    pub method: Method,
}

/// Unproved places for arrays in another one, whose values cross the scop's border: cell x of a guest lives at x + δ.
#[derive(Clone, Debug)]
pub struct HostedProposal {
    /// In whose cells.
    pub host: ArrayId,
    /// Whose cells live there.
    pub guests: Vec<SharedMember>,
}

/// An array in a shared buffer, or in a host.
#[derive(Clone, Debug)]
pub struct SharedMember {
    /// Whose cells.
    pub array: ArrayId,
    /// What is added to a cell's coordinates ("δ" in SMO §4.1), a function of the sizes each.
    pub shift: Vec<PwAff>,
}

/// An unproved storage mapping for one array: cell `c` lives at `(M c) mod b` of a buffer of shape b.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// Whose cells.
    pub array: ArrayId,
    /// No row has the constant modulus 1, so an array that becomes one cell has no rows.
    pub mapping: Mapping,
    /// Who proposes it.
    pub method: Method,
}

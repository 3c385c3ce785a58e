//! Engines that propose where an array's cells may live, and the layout of what they propose.
//!
//! ```text
//! cell x lives at (M x + s) mod b,    in a shared buffer at (M (P x + δ)) mod b
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
pub use engine::{Method, Problem, Smallest, propose, propose_axes, propose_besides, propose_smallest};
pub use layout::{lay_out, layout};
pub use mapping::Mapping;
use polyfold_isl::PwAff;
use polyfold_scop::ArrayId;

/// An unproved buffer for several arrays: cell x of a member stands at `P x + δ` in their common space, and lives at
/// `(M (P x + δ)) mod b`.
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
    /// P: for each coordinate of the common space the coefficients of a cell's own.
    pub rows: Vec<Vec<i64>>,
    /// What is added to them ("δ" in SMO §4.1), a function of the sizes each.
    pub shift: Vec<PwAff>,
}

impl SharedMember {
    /// An array whose own coordinates are those of the common space, but for a shift.
    pub fn shifted(array: ArrayId, shift: Vec<PwAff>) -> SharedMember {
        let rows = (0..shift.len()).map(|k| (0..shift.len()).map(|j| i64::from(j == k)).collect()).collect();
        SharedMember { array, rows, shift }
    }

    /// Whether P is the identity.
    pub fn is_shifted_only(&self) -> bool {
        let is_unit = |(k, row): (usize, &Vec<i64>)| {
            row.len() == self.rows.len() && row.iter().enumerate().all(|(j, c)| *c == i64::from(j == k))
        };
        self.rows.iter().enumerate().all(is_unit)
    }
}

/// An unproved storage mapping for one array: cell `c` lives at `(M c + s) mod b` of a buffer of shape b.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// Whose cells.
    pub array: ArrayId,
    /// No row has the constant modulus 1, so an array that becomes one cell has no rows.
    pub mapping: Mapping,
    /// s, a function of the sizes for each row that has a modulus; empty: 0. What shares a cell does not depend on it.
    pub begins: Vec<PwAff>,
    /// Who proposes it.
    pub method: Method,
}

//! Proofs that a storage mapping is valid for all parameter values, or a witness that it is not.
//!
//! [`verify`] and [`verify_shared`] are the only ways to a [`Verified`] proposal, and code generation takes nothing but the
//! [`Placed`] of one, or the [`PlacedValues`] that [`verify_names`] makes of several.
//!
//! A mapping `x -> (M x) mod b` is valid iff no two conflicting cells meet, which is: no difference d ∈ DS has
//! `M d = (q₁ b₁, …, q_p b_p)` for integers q. With parametric b that product is outside Presburger arithmetic; but
//! where `|m_k d| < (K+1) b_k` for all d ∈ DS, only finitely many q remain, and each case is affine:
//!
//! ```text
//! 1.  { d ∈ DS : |m_k d| >= (K_k + 1) b_k } = ∅        bounds the quotients
//! 2.  { d ∈ DS : m_k d = q_k b_k for all k } = ∅       for every q with |q_k| <= K_k
//! ```
//!
//! The rows are settled one after the other, a row with bounded quotients first: the next row's quotients need to be
//! bounded only where the first row's equation holds. Example: `[i][j mod 3]` on anti-diagonals, where |d_j| may be as large
//! as the array, but not for d_i = 0.
//!
//! All emptiness tests are exact, over all parameter values of the context.
//!
//! Limits: quotients up to 8; a mapping that needs more is refused as unproved, never accepted.

mod basis;
mod naming;
mod quotient;
mod range;
mod shared;
mod witness;

pub use basis::admissible_from;
pub use naming::{PlacedAccess, PlacedValues, verify_names};
pub use quotient::{Admissibility, admissibility};
pub use range::{Row, RowForm};
pub use shared::{MemberFacts, SharedFacts, verify_shared};
pub use witness::Witness;

use polyfold_alloc::{Proposal, SharedProposal};
use polyfold_isl::{PwAff, Result, Set};
use polyfold_lattice::ModularMapping;
use polyfold_live::DifferenceSet;
use polyfold_scop::ArrayId;

/// A value that a proof stands for; only [`verify`] and [`verify_shared`] make one.
#[derive(Clone, Debug)]
pub struct Verified<T> {
    value: T,
    /// For each array.
    places: Vec<Placed>,
    scope: Set,
}

impl<T> Verified<T> {
    /// What was proved.
    pub fn get(&self) -> &T {
        &self.value
    }

    /// Parameter values for which it was proved.
    pub fn scope(&self) -> &Set {
        &self.scope
    }
}

impl Verified<Proposal> {
    /// How each row of the mapping can be computed; proved with it.
    pub fn rows(&self) -> &[Row] {
        self.places[0].rows()
    }

    /// The array's place.
    pub fn placed(&self) -> Placed {
        self.places[0].clone()
    }
}

impl Verified<SharedProposal> {
    /// How each row can be computed for a member; proved with the mapping.
    pub fn rows(&self, member: usize) -> &[Row] {
        self.places[member].rows()
    }

    /// A member's place.
    pub fn placed(&self, member: usize) -> Placed {
        self.places[member].clone()
    }
}

/// Where the cells of one array live; only a [`Verified`] proposal gives it.
#[derive(Clone, Debug)]
pub struct Placed {
    array: ArrayId,
    shared: Option<ArrayId>,
    rows: Vec<Row>,
    scope: Set,
}

impl Placed {
    /// Whose cells.
    pub fn array(&self) -> ArrayId {
        self.array
    }

    /// The first of the arrays that share the buffer, if others do.
    pub fn shared(&self) -> Option<ArrayId> {
        self.shared
    }

    /// How each row of the mapping can be computed.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Parameter values for which it was proved.
    pub fn scope(&self) -> &Set {
        &self.scope
    }
}

/// Why a mapping was not proved.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// Two conflicting cells meet.
    Clash(Option<Witness>),
    /// A modulus is not positive, or not defined, for some parameters.
    BadModulus,
    /// The quotients are not bounded by a small number.
    Unproved,
    /// What is to prove it is about another array, or not about all of these sizes.
    Unrelated,
}

/// Whether every modulus is defined and positive for all parameters in `context`.
///
/// # Errors
/// When the work bound is reached.
pub fn has_positive_moduli(mapping: &ModularMapping, context: &Set) -> Result<bool> {
    let one = PwAff::read(context.context(), "{ [(1)] }")?;
    for modulus in &mapping.moduli {
        if !context.is_subset(&modulus.at_least(&one)?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The cells that the program touches, for parameters in the context.
fn touched(differences: &DifferenceSet, context: &Set) -> Result<Set> {
    match differences.subject().touched() {
        Some(cells) => cells.intersect_params(context)?.unnamed(),
        None => differences.set().subtract(differences.set()),
    }
}

/// Proves a proposal for all parameters in `context`, or refuses it. The differences must be the array's own, and known for
/// all of these parameters.
///
/// # Errors
/// When the work bound is reached.
pub fn verify(
    proposal: Proposal,
    differences: &DifferenceSet,
    context: &Set,
) -> Result<std::result::Result<Verified<Proposal>, Refusal>> {
    let subject = differences.subject();
    if subject.array() != proposal.array || !context.is_subset(subject.context())? {
        return Ok(Err(Refusal::Unrelated));
    }
    if !has_positive_moduli(&proposal.mapping, context)? {
        return Ok(Err(Refusal::BadModulus));
    }
    let relevant = differences.set().intersect_params(context)?;
    match admissibility(&proposal.mapping, &relevant)? {
        Admissibility::Admissible => {}
        Admissibility::Unbounded => return Ok(Err(Refusal::Unproved)),
        Admissibility::Clash(difference) => {
            return Ok(Err(Refusal::Clash(witness::find(differences.conflicts(), &difference)?)));
        }
    }
    let cells = touched(differences, context)?;
    let mut rows = range::forms(&proposal.mapping, &[cells], context)?.remove(0);
    range::find_own_extents(&mut rows, subject.declared(), context)?;
    let scope = context.clone();
    let place = Placed { array: proposal.array, shared: None, rows, scope: scope.clone() };
    Ok(Ok(Verified { value: proposal, places: vec![place], scope }))
}

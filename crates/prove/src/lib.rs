//! Proofs that a storage mapping is valid for all parameter values, or a witness that it is not.
//!
//! [`verify`], [`verify_shared`] and [`verify_hosted`] are the only ways to a [`Verified`] proposal, and code generation takes nothing but the
//! [`Placed`] of one, or the [`PlacedValues`] that [`verify_names`] makes of several. How these may be written is proved by [`apart_loops`],
//! [`scalar_cells`], [`shift_registers`], [`tile_windows`] and [`sliding_windows`].
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
mod border;
mod common;
mod growth;
mod hosted;
mod iterations;
mod linear;
mod local;
mod motion;
mod naming;
mod own_values;
mod position;
mod quotient;
mod range;
mod scalar_cells;
mod shared;
mod shift_register;
mod sliding;
mod tile_window;
mod touched;
pub mod validate;
mod witness;

pub use basis::admissible_from;
pub use border::{Copies, copies_change_nothing};
pub use common::CommonSpace;
pub use hosted::{GuestFacts, HostedFacts, Inside, verify_hosted};
pub use iterations::{ApartLoops, apart_loops};
pub use linear::LinearRow;
pub use local::{LocalFault, PlacedLocals, verify_locals};
pub use motion::{Frame, positive, verify_motions};
pub use naming::{PlacedAccess, PlacedValues, verify_names};
pub use polyfold_flow::Versions;
pub use position::{Position, Variable};
pub use quotient::{Admissibility, admissibility};
pub use range::{Row, RowForm};
pub use scalar_cells::{ScalarCell, scalar_cells};
pub use shared::{MemberFacts, SharedFacts, verify_shared};
pub use shift_register::{Reach, ShiftRegister, shift_registers};
pub use sliding::{SlidingWindow, sliding_windows};
pub use tile_window::{Carried, Origin, TileWindow, tile_windows};
pub use touched::Storage;
pub use witness::{Clash, Witness};

use linear::LinearProof;
use polyfold_alloc::{HostedProposal, Mapping, Proposal, SharedProposal};
use polyfold_isl::{PwAff, Result, Set};
use polyfold_lattice::{Affine, LinearMapping, ModularMapping};
use polyfold_live::DifferenceSet;
use polyfold_scop::ArrayId;

/// A value that a proof stands for; only [`verify`], [`verify_shared`] and [`verify_hosted`] make one.
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
    /// The array's place.
    pub fn place(&self) -> &Placed {
        &self.places[0]
    }
}

impl Verified<SharedProposal> {
    /// A member's place.
    pub fn place(&self, member: usize) -> &Placed {
        &self.places[member]
    }
}

impl Verified<HostedProposal> {
    /// A guest's place.
    pub fn place(&self, guest: usize) -> &Placed {
        &self.places[guest]
    }
}

/// Where the cells of one array live; only a [`Verified`] proposal gives it.
#[derive(Clone, Debug)]
pub struct Placed {
    array: ArrayId,
    shared: Option<ArrayId>,
    layout: Layout,
    scope: Set,
}

#[derive(Clone, Debug)]
enum Layout {
    /// One per dimension of the buffer.
    Rows(Vec<Row>),
    Linear(LinearRow),
    Inside(Inside),
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

    /// How each row with an affine modulus can be computed, in the order of the buffer's dimensions; none of a place that has a
    /// [`linear`](Placed::linear) row or is [`inside`](Placed::inside) another array.
    pub fn rows(&self) -> &[Row] {
        match &self.layout {
            Layout::Rows(rows) => rows,
            Layout::Linear(_) | Layout::Inside(_) => &[],
        }
    }

    /// Where it is in another array, if it has no storage of its own.
    pub fn inside(&self) -> Option<&Inside> {
        match &self.layout {
            Layout::Inside(inside) => Some(inside),
            Layout::Rows(_) | Layout::Linear(_) => None,
        }
    }

    /// The only row, if it is one whose coefficients and modulus grow with a size.
    pub fn linear(&self) -> Option<&LinearRow> {
        match &self.layout {
            Layout::Rows(_) | Layout::Inside(_) => None,
            Layout::Linear(row) => Some(row),
        }
    }

    /// Whether all cells live in one.
    pub fn is_one_cell(&self) -> bool {
        matches!(&self.layout, Layout::Rows(rows) if rows.is_empty())
    }

    /// Whether some row reads a coordinate.
    pub fn reads(&self, coordinate: usize) -> bool {
        match &self.layout {
            Layout::Rows(rows) => rows.iter().any(|row| row.coefficients[coordinate] != 0),
            Layout::Linear(row) => row.coefficients[coordinate] != Affine { constant: 0, slope: 0 },
            Layout::Inside(_) => true,
        }
    }

    /// Whether finding a cell takes a remainder.
    pub fn takes_remainders(&self) -> bool {
        self.linear().is_some() || self.rows().iter().any(|row| !matches!(row.form, RowForm::Fits { .. }))
    }

    /// The number of coordinates that its rows read; `None` if there are no rows.
    pub fn coordinates(&self) -> Option<usize> {
        match &self.layout {
            Layout::Rows(rows) => rows.first().map(|row| row.coefficients.len()),
            Layout::Linear(row) => Some(row.coefficients.len()),
            Layout::Inside(inside) => Some(inside.shift.len()),
        }
    }

    /// Parameter values for which it was proved.
    pub fn scope(&self) -> &Set {
        &self.scope
    }

    /// Whether cells of both are found alike in one buffer.
    fn is_like(&self, other: &Placed) -> Result<bool> {
        let (Layout::Rows(own), Layout::Rows(rows)) = (&self.layout, &other.layout) else {
            return Ok(self.array == other.array);
        };
        if self.array == other.array {
            return Ok(true);
        }
        let is_one_buffer = self.shared.is_some() && self.shared == other.shared && own.len() == rows.len();
        if !is_one_buffer || !self.scope.is_equal(&other.scope)? {
            return Ok(false);
        }
        for (row, other) in own.iter().zip(rows) {
            if !row.is_same(other)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Why a mapping was not proved.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// Two conflicting cells meet. Of one array alone it can be said which.
    Clash(Option<Clash>),
    /// A modulus is not positive, or not defined, for some parameters.
    BadModulus,
    /// The quotients are not bounded by a small number.
    Unproved,
    /// A cell would lie where its host has none, or holds a value that nobody replaces.
    NoRoom,
    /// A cell of a guest may be read before it is written: it would get what its host held.
    ReadFirst,
    /// A guest and its host do not have equally many dimensions, each with a shift.
    OtherDimensions,
    /// Cells of a guest would not all move by the same shift.
    NotShifted,
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

/// Whether moduli are positive wherever one of some arrays has cells; where none has any, they may be 0.
fn has_usable_moduli<'d>(
    mapping: &ModularMapping,
    differences: impl Iterator<Item = &'d DifferenceSet>,
    context: &Set,
) -> Result<bool> {
    let zero = PwAff::read(context.context(), "{ [(0)] }")?;
    for modulus in &mapping.moduli {
        if !context.is_subset(&modulus.at_least(&zero)?)? {
            return Ok(false);
        }
    }
    for differences in differences {
        if !has_positive_moduli(mapping, &used(differences, context)?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The parameters for which there has to be memory: where an array may have no cells, those for which it has some, or is touched.
fn used(differences: &DifferenceSet, context: &Set) -> Result<Set> {
    let subject = differences.subject();
    match (subject.declared(), subject.touched()) {
        (Some(declared), Some(touched)) if subject.may_be_empty() => {
            declared.params()?.union(&touched.params()?)?.intersect(context)
        }
        _ => Ok(context.clone()),
    }
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
    let relevant = differences.set().intersect_params(context)?;
    let cells = touched(differences, context)?;
    let layout = match &proposal.mapping {
        Mapping::Modular(mapping) => {
            if !has_usable_moduli(mapping, std::iter::once(differences), context)? {
                return Ok(Err(Refusal::BadModulus));
            }
            match admissibility(mapping, &relevant.intersect_params(&used(differences, context)?)?)? {
                Admissibility::Admissible => {}
                Admissibility::Unbounded => return Ok(Err(Refusal::Unproved)),
                Admissibility::Clash(difference) => {
                    let conflicts = differences.conflicts().clone();
                    return Ok(Err(Refusal::Clash(Some(Clash { conflicts, differences: difference }))));
                }
            }
            let mut rows = range::forms(mapping, std::slice::from_ref(&cells), context)?.remove(0);
            range::begin(&mut rows, &proposal.begins, &cells, context)?;
            let sizes = match subject.declared() {
                Some(declared) if subject.may_be_empty() => context.intersect(&declared.params()?)?,
                _ => context.clone(),
            };
            range::find_own_extents(&mut rows, subject.declared(), &sizes)?;
            Layout::Rows(rows)
        }
        Mapping::Linear(mapping) => match linear_row(mapping, &relevant, &cells, context)? {
            Ok(row) => Layout::Linear(row),
            Err(refusal) => return Ok(Err(refusal)),
        },
    };
    let scope = context.clone();
    let place = Placed { array: proposal.array, shared: None, layout, scope: scope.clone() };
    Ok(Ok(Verified { value: proposal, places: vec![place], scope }))
}

fn linear_row(
    mapping: &LinearMapping,
    differences: &Set,
    cells: &Set,
    context: &Set,
) -> Result<std::result::Result<LinearRow, Refusal>> {
    let proof = match LinearProof::begin(mapping, context)? {
        Ok(proof) => proof,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if let Some(refusal) = proof.refusal(differences)? {
        return Ok(Err(refusal));
    }
    Ok(proof.row(cells, &[])?.ok_or(Refusal::Unproved))
}

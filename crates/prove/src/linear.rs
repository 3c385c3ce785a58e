//! Validity of one row whose coefficients and modulus grow with a size, and how it can be computed.
//!
//! Cell x lives at `(c·x) mod D`, for n = step · m + residue. The row's kernel is the lattice of a given basis, which two
//! polynomial identities show: every basis vector v has `c·v = k D` for a number k, and `det V = ± D`, the index of the kernel of a
//! row that ends in 1. That this lattice meets the differences in 0 only is shown as in `basis`.
//!
//! C's `%` is right where `c·x + shift + lift · D` is not negative, which bounds of the coordinates show; else the remainder is
//! taken twice.
//!
//! Example: `(3m + 1) i + j mod 3m² + 3m + 1` for a triangle of side n = 2m + 1; nothing is negative.

use crate::Refusal;
use crate::basis::is_admissible;
use crate::growth::{Growth, affine_limit};
use polyfold_isl::{PwAff, Result, Set};
use polyfold_lattice::{Affine, LinearMapping, Polynomial};

/// A row with its coefficients, for sizes n = step · m + residue.
#[derive(Clone, Debug)]
pub struct LinearRow {
    /// The isl name of n.
    pub parameter: String,
    /// Distance of the sizes.
    pub step: i64,
    /// The size at m = 0.
    pub residue: i64,
    /// c, functions of m; the last is 1.
    pub coefficients: Vec<Affine>,
    /// What is added to their combination; not 0 only in a shared buffer.
    pub shift: Polynomial,
    /// D: the buffer's extent.
    pub modulus: Polynomial,
    /// This many moduli, added, keep the operand of `%` from being negative; `None`: it may be, and the remainder is taken twice.
    pub lift: Option<i64>,
}

/// Largest multiple of the modulus that is added to make operands positive.
const MOST_LIFT: i64 = 8;

/// Larger coefficients of m are refused.
const LARGEST: i128 = 1 << 31;

/// Sizes farther apart are refused.
const FARTHEST: i64 = 1 << 8;

fn is_small(polynomial: &Polynomial) -> bool {
    polynomial.coefficients().iter().all(|c| (-LARGEST..=LARGEST).contains(c))
}

/// Whether a row is one that C text can be made of in 128 bits.
fn are_small(mapping: &LinearMapping) -> bool {
    let (step, residue) = (mapping.basis.step, mapping.basis.residue);
    let are_near = (1..=FARTHEST).contains(&step) && (-FARTHEST..=FARTHEST).contains(&residue);
    are_near && is_small(&mapping.modulus) && mapping.row.iter().all(|coefficient| is_small(&(*coefficient).into()))
}

/// A mapping that is being proved for a context.
pub(crate) struct LinearProof<'a> {
    mapping: &'a LinearMapping,
    growth: Growth,
    start: i64,
}

impl<'a> LinearProof<'a> {
    /// The mapping itself is in order: its basis is one of the kernel, its modulus positive, and the context among its sizes.
    pub(crate) fn begin(mapping: &'a LinearMapping, context: &Set) -> Result<std::result::Result<Self, Refusal>> {
        if !mapping.is_consistent() || !are_small(mapping) {
            return Ok(Err(Refusal::Unproved));
        }
        let Some(start) = Growth::start_of(&mapping.basis, context)? else { return Ok(Err(Refusal::Unproved)) };
        if !mapping.modulus.is_positive_from(start) {
            return Ok(Err(Refusal::BadModulus));
        }
        Ok(Ok(LinearProof { mapping, growth: Growth::of(&mapping.basis, start), start }))
    }

    /// Why differences but 0 are not known to be kept apart.
    pub(crate) fn refusal(&self, differences: &Set) -> Result<Option<Refusal>> {
        let has_coordinates = differences.is_empty()? || differences.dimensions()? == self.mapping.row.len();
        let is_right = has_coordinates && is_admissible(&self.mapping.basis, differences, self.start)?;
        Ok(if is_right { None } else { Some(Refusal::Unproved) })
    }

    /// The row for an array whose cells are shifted, given those that are touched, at their points in the common space. `None`
    /// where a shift is no affine function of m.
    pub(crate) fn row(&self, cells: &Set, shift: &[PwAff]) -> Result<Option<LinearRow>> {
        let mut moved = Polynomial::default();
        for (coefficient, function) in self.mapping.row.iter().zip(shift) {
            let Some(line) = self.growth.line(function)? else { return Ok(None) };
            let Some(sum) = Polynomial::from(*coefficient).times(&line.into()).and_then(|part| moved.plus(&part))
            else {
                return Ok(None);
            };
            moved = sum;
        }
        if !is_small(&moved) {
            return Ok(None);
        }
        let basis = &self.mapping.basis;
        Ok(Some(LinearRow {
            parameter: basis.parameter.clone(),
            step: basis.step,
            residue: basis.residue,
            coefficients: self.mapping.row.clone(),
            shift: moved,
            modulus: self.mapping.modulus.clone(),
            lift: self.lift(cells)?,
        }))
    }

    fn lift(&self, cells: &Set) -> Result<Option<i64>> {
        let Some(start) = self.growth.first(cells)? else { return Ok(None) };
        let growth = Growth::of(&self.mapping.basis, start);
        let mut least = Polynomial::default();
        for (axis, coefficient) in self.mapping.row.iter().enumerate() {
            let coefficient = Polynomial::from(*coefficient);
            let Some(sign) = coefficient.sign_from(start) else { return Ok(None) };
            if coefficient.coefficients().is_empty() {
                continue;
            }
            let Some(limit) = affine_limit(cells, &growth, axis, sign < 0)? else { return Ok(None) };
            let Some(sum) = coefficient.times(&limit.into()).and_then(|part| least.plus(&part)) else {
                return Ok(None);
            };
            least = sum;
        }
        let is_enough = |lift: &i64| {
            let lifted = self.mapping.modulus.scaled((*lift).into()).and_then(|lift| least.plus(&lift));
            lifted.is_some_and(|lifted| lifted.sign_from(start) == Some(1))
        };
        Ok((0..=MOST_LIFT).find(is_enough))
    }
}

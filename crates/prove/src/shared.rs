//! Validity of a buffer that several arrays share.
//!
//! Cell x of array i lives at `(M (x + δᵢ)) mod b`. Two conflicting cells x and y of arrays i and j meet iff M sends
//! `x + δᵢ − y − δⱼ` to a multiple of b; this difference may be 0 too, which for one array means that x and y are the
//! same cell, and for two that they stand at the same point:
//!
//! ```text
//! for each i:      no d ∈ DSᵢ, d ≠ 0, is sent to 0                                 (see `quotient`)
//! for each i < j:  0 ∉ Dᵢⱼ + δᵢ − δⱼ, and no d in it is sent to 0,  Dᵢⱼ = { x − y : x of i conflicts with y of j }
//! ```
//!
//! Paper: SMO (POPL'16) §4, with one vector of moduli per buffer. Deviation: SMO's §4.4 gives each statement moduli of its own
//! inside one buffer, and calls two statements apart where their addresses differ by less than both moduli. That is
//! wrong: 5 mod 5 = 3 mod 3.

use crate::linear::LinearProof;
use crate::range::{self, Row, RowForm};
use crate::{Admissibility, Layout, Placed, Refusal, Verified, admissibility, has_positive_moduli, touched};
use polyfold_alloc::{Mapping, SharedMember, SharedProposal};
use polyfold_isl::{PwAff, Result, Set};
use polyfold_lattice::{LinearMapping, ModularMapping};
use polyfold_live::{CrossDifferences, DifferenceSet};

/// What is known of one array of a buffer.
pub struct MemberFacts {
    /// Differences of its conflicting cells.
    pub own: DifferenceSet,
    /// Differences between each member before it and this one.
    pub earlier: Vec<CrossDifferences>,
}

/// What is known of the arrays of a buffer.
pub struct SharedFacts<'a> {
    /// Of each array, in the order of the buffer's members.
    pub members: &'a [MemberFacts],
    /// Parameter values to prove it for.
    pub context: &'a Set,
}

impl SharedFacts<'_> {
    /// Whether these are facts about all members and pairs of them, and known for all parameters of the context.
    fn are_about(&self, proposal: &SharedProposal) -> Result<bool> {
        if proposal.members.is_empty() || self.members.len() != proposal.members.len() {
            return Ok(false);
        }
        for (k, (member, facts)) in proposal.members.iter().zip(self.members).enumerate() {
            let subject = facts.own.subject();
            let is_moved = member.shift.len() == facts.own.set().dimensions()?;
            if subject.array() != member.array || !is_moved || !self.context.is_subset(subject.context())? {
                return Ok(false);
            }
            if !self.are_about_pairs(&proposal.members[..k], member, &facts.earlier)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn are_about_pairs(
        &self,
        earlier: &[SharedMember],
        member: &SharedMember,
        facts: &[CrossDifferences],
    ) -> Result<bool> {
        let pairs = earlier.iter().map(|earlier| (earlier.array, member.array));
        if !pairs.eq(facts.iter().map(CrossDifferences::arrays)) {
            return Ok(false);
        }
        for fact in facts {
            if !self.context.is_subset(fact.context())? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Proves a shared buffer for all parameters in the context, or refuses it.
///
/// # Errors
/// When the work bound is reached.
pub fn verify_shared(
    proposal: SharedProposal,
    facts: &SharedFacts,
) -> Result<std::result::Result<Verified<SharedProposal>, Refusal>> {
    if !facts.are_about(&proposal)? {
        return Ok(Err(Refusal::Unrelated));
    }
    let context = facts.context;
    let shifts: Vec<&[PwAff]> = proposal.members.iter().map(|member| member.shift.as_slice()).collect();
    for function in shifts.iter().flat_map(|shift| shift.iter()) {
        if !context.is_subset(&function.domain()?)? {
            return Ok(Err(Refusal::Unproved));
        }
    }
    let layouts = match &proposal.mapping {
        Mapping::Modular(mapping) => modular(mapping, facts, &shifts)?,
        Mapping::Linear(mapping) => linear(mapping, facts, &shifts)?,
    };
    let layouts = match layouts {
        Ok(layouts) => layouts,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let scope = context.clone();
    let shared = proposal.members.first().map(|member| member.array);
    let place = |(member, layout): (&SharedMember, Layout)| Placed {
        array: member.array,
        shared,
        layout,
        scope: scope.clone(),
    };
    let places = proposal.members.iter().zip(layouts).map(place).collect();
    Ok(Ok(Verified { value: proposal, places, scope }))
}

/// A layout for each member, or why it is not known to be right.
type Layouts = std::result::Result<Vec<Layout>, Refusal>;

fn modular(mapping: &ModularMapping, facts: &SharedFacts, shifts: &[&[PwAff]]) -> Result<Layouts> {
    let context = facts.context;
    if !has_positive_moduli(mapping, context)? {
        return Ok(Err(Refusal::BadModulus));
    }
    let settle = |differences: &Set| Ok(refusal(admissibility(mapping, differences)?));
    if let Some(refusal) = first_refusal(facts, shifts, settle)? {
        return Ok(Err(refusal));
    }
    let mut rows = range::forms(mapping, &cells(facts, shifts)?, context)?;
    for (rows, shift) in rows.iter_mut().zip(shifts) {
        rows.iter_mut().try_for_each(|row| shift_row(row, shift))?;
    }
    Ok(Ok(rows.into_iter().map(Layout::Rows).collect()))
}

fn linear(mapping: &LinearMapping, facts: &SharedFacts, shifts: &[&[PwAff]]) -> Result<Layouts> {
    let proof = match LinearProof::begin(mapping, facts.context)? {
        Ok(proof) => proof,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if let Some(refusal) = first_refusal(facts, shifts, |differences| proof.refusal(differences))? {
        return Ok(Err(refusal));
    }
    let mut layouts = Vec::new();
    for (cells, shift) in cells(facts, shifts)?.iter().zip(shifts) {
        let Some(row) = proof.row(cells, shift)? else { return Ok(Err(Refusal::Unproved)) };
        layouts.push(Layout::Linear(row));
    }
    Ok(Ok(layouts))
}

/// Why some difference in the common space may be sent to 0: `settle` says it of sets of differences but 0.
fn first_refusal(
    facts: &SharedFacts,
    shifts: &[&[PwAff]],
    settle: impl Fn(&Set) -> Result<Option<Refusal>>,
) -> Result<Option<Refusal>> {
    for member in facts.members {
        if let Some(refusal) = settle(&member.own.set().intersect_params(facts.context)?)? {
            return Ok(Some(refusal));
        }
    }
    for (later, member) in facts.members.iter().enumerate() {
        for (earlier, differences) in member.earlier.iter().enumerate() {
            let Some(differences) = differences.set() else { continue };
            let apart =
                (shifts[earlier].iter().zip(shifts[later])).map(|(x, y)| x.sub(y)).collect::<Result<Vec<_>>>()?;
            let differences = differences.intersect_params(facts.context)?.translated(&apart)?;
            if !differences.fix_all(0)?.is_empty()? {
                return Ok(Some(Refusal::Clash(None)));
            }
            if let Some(refusal) = settle(&differences)? {
                return Ok(Some(refusal));
            }
        }
    }
    Ok(None)
}

/// The cells that are touched of each member, at their points in the common space.
fn cells(facts: &SharedFacts, shifts: &[&[PwAff]]) -> Result<Vec<Set>> {
    let moved = |(member, shift): (&MemberFacts, &&[PwAff])| touched(&member.own, facts.context)?.translated(shift);
    facts.members.iter().zip(shifts).map(moved).collect()
}

fn refusal(admissibility: Admissibility) -> Option<Refusal> {
    match admissibility {
        Admissibility::Admissible => None,
        Admissibility::Clash(_) => Some(Refusal::Clash(None)),
        Admissibility::Unbounded => Some(Refusal::Unproved),
    }
}

/// Makes a row of the common space one of the array's own coordinates.
fn shift_row(row: &mut Row, shift: &[PwAff]) -> Result<()> {
    row.shift = combination(&row.coefficients, shift, row)?;
    if let RowForm::Fits { lowest } = &mut row.form {
        *lowest = lowest.sub(&row.shift)?;
    }
    Ok(())
}

/// `m · δ`.
fn combination(coefficients: &[i64], shift: &[PwAff], row: &Row) -> Result<PwAff> {
    let ctx = row.modulus.context();
    let mut sum = PwAff::read(ctx, "{ [(0)] }")?;
    for (coefficient, function) in coefficients.iter().zip(shift) {
        sum = sum.add(&function.scaled(*coefficient)?)?;
    }
    Ok(sum)
}

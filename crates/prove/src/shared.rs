//! Validity of a buffer that several arrays share.
//!
//! Cell x of array i stands at `Pᵢ x + δᵢ` in a common space, and a point p of that lives at `(M p) mod b`. Two conflicting cells
//! x and y of arrays i and j meet iff M sends the difference of their points to a multiple of b; this difference may be 0 too,
//! which for one array means that x and y are the same cell, and for two that they stand at the same point:
//!
//! ```text
//! for each i:      no d ∈ DSᵢ, d ≠ 0, stands at 0, or is sent to 0                 (see `quotient`)
//! for each i < j:  0 ∉ Dᵢⱼ, and no d in it is sent to 0,  Dᵢⱼ = the differences of points of conflicting cells (see `common`)
//! ```
//!
//! Paper: SMO (POPL'16) §4, with one vector of moduli per buffer. Deviation: SMO's §4.4 gives each statement moduli of its own
//! inside one buffer, and calls two statements apart where their addresses differ by less than both moduli. That is
//! wrong: 5 mod 5 = 3 mod 3.

use crate::common::{self, Differences, own_coefficients, own_shift};
use crate::linear::LinearProof;
use crate::range::{self, Row, RowForm};
use crate::{Admissibility, Layout, Placed, Refusal, Verified, admissibility, has_usable_moduli, used};
use polyfold_alloc::{Mapping, SharedMember, SharedProposal};
use polyfold_isl::{Result, Set};
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
            let (subject, dimensions) = (facts.own.subject(), facts.own.set().dimensions()?);
            let stands = member.shift.len() == member.rows.len() && proposal.mapping.reads(member.rows.len());
            if !stands || member.rows.iter().any(|row| row.len() != dimensions) {
                return Ok(false);
            }
            if subject.array() != member.array || !self.context.is_subset(subject.context())? {
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
    for function in proposal.members.iter().flat_map(|member| &member.shift) {
        if !context.is_subset(&function.domain()?)? {
            return Ok(Err(Refusal::Unproved));
        }
    }
    let Differences::Apart(differences) = common::differences(&proposal, facts)? else {
        return Ok(Err(Refusal::Clash(None)));
    };
    let cells = common::standing_cells(&proposal, facts)?;
    let layouts = match &proposal.mapping {
        Mapping::Modular(mapping) => modular(mapping, &proposal.members, &differences, &cells, facts)?,
        Mapping::Linear(mapping) => linear(mapping, &proposal.members, &differences, &cells, context)?,
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

fn modular(
    mapping: &ModularMapping,
    members: &[SharedMember],
    differences: &[Set],
    cells: &[Set],
    facts: &SharedFacts,
) -> Result<Layouts> {
    let context = facts.context;
    let mut used = used(&facts.members[0].own, context)?;
    for member in &facts.members[1..] {
        used = used.union(&crate::used(&member.own, context)?)?;
    }
    if !has_usable_moduli(mapping, facts.members.iter().map(|member| &member.own), context)? {
        return Ok(Err(Refusal::BadModulus));
    }
    for differences in differences {
        if let Some(refusal) = refusal(admissibility(mapping, &differences.intersect_params(&used)?)?) {
            return Ok(Err(refusal));
        }
    }
    let mut layouts = Vec::new();
    for ((member, mut rows), cells) in members.iter().zip(range::forms(mapping, cells, context)?).zip(cells) {
        for row in &mut rows {
            let common = row.coefficients.clone();
            if !is_own(row, member)? {
                return Ok(Err(Refusal::Unproved));
            }
            range::lower(row, &common, cells)?;
        }
        layouts.push(Layout::Rows(rows));
    }
    Ok(Ok(layouts))
}

fn linear(
    mapping: &LinearMapping,
    members: &[SharedMember],
    differences: &[Set],
    cells: &[Set],
    context: &Set,
) -> Result<Layouts> {
    let proof = match LinearProof::begin(mapping, context)? {
        Ok(proof) => proof,
        Err(refusal) => return Ok(Err(refusal)),
    };
    for differences in differences {
        if let Some(refusal) = proof.refusal(differences)? {
            return Ok(Err(refusal));
        }
    }
    let mut layouts = Vec::new();
    for (member, cells) in members.iter().zip(cells) {
        let row = if member.is_shifted_only() { proof.row(cells, &member.shift)? } else { None };
        let Some(row) = row else { return Ok(Err(Refusal::Unproved)) };
        layouts.push(Layout::Linear(row));
    }
    Ok(Ok(layouts))
}

fn refusal(admissibility: Admissibility) -> Option<Refusal> {
    match admissibility {
        Admissibility::Admissible => None,
        Admissibility::Clash(_) => Some(Refusal::Clash(None)),
        Admissibility::Unbounded => Some(Refusal::Unproved),
    }
}

/// Makes a row of the common space one of the array's own coordinates; false if that is past 64 bits.
fn is_own(row: &mut Row, member: &SharedMember) -> Result<bool> {
    row.shift = own_shift(&row.coefficients, member, &row.modulus)?;
    if let RowForm::Fits { lowest } = &mut row.form {
        *lowest = lowest.sub(&row.shift)?;
    }
    let Some(coefficients) = own_coefficients(&row.coefficients, member) else { return Ok(false) };
    row.coefficients = coefficients;
    Ok(true)
}

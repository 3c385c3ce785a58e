//! Conflicting cells of a buffer's members as differences in their common space.
//!
//! Cell x of member i stands at `P x + δ`, with the member's own P and δ. The differences between members i and j are
//!
//! ```text
//! { (Pᵢ x + δᵢ) − (Pⱼ y + δⱼ) : x of i conflicts with y of j }
//! ```
//!
//! which only depend on `x − y` where both have the same P; otherwise the pairs themselves are needed. Within a member they are
//! `P d`, d ∈ DSᵢ, and may be 0 for d ≠ 0: that is a clash before any modulus.
//!
//! Paper: SMO (POPL'16) §4.1, hyperplanes with offsets.

use crate::quotient::linear_map;
use crate::{MemberFacts, SharedFacts};
use polyfold_alloc::{SharedMember, SharedProposal};
use polyfold_isl::{Map, PwAff, Result, Set};
use polyfold_live::CrossDifferences;

/// Sets of differences in the common space: each may be sent to a cell of its own only, and what must not even be 0 is not.
pub(crate) enum Differences {
    /// They never are 0.
    Apart(Vec<Set>),
    /// Two conflicting cells stand at the same point.
    Meet,
}

/// All differences of a buffer, for the parameters that the facts are about.
pub(crate) fn differences(proposal: &SharedProposal, facts: &SharedFacts) -> Result<Differences> {
    let mut all = Vec::new();
    for (later, (member, own)) in proposal.members.iter().zip(facts.members).enumerate() {
        match within(member, &own.own.set().intersect_params(facts.context)?)? {
            Some(differences) => all.push(differences),
            None => return Ok(Differences::Meet),
        }
        for (earlier, between) in proposal.members[..later].iter().zip(&own.earlier) {
            let Some(differences) = between_members(earlier, member, between)? else { continue };
            let differences = differences.intersect_params(facts.context)?;
            if !differences.fix_all(0)?.is_empty()? {
                return Ok(Differences::Meet);
            }
            all.push(differences);
        }
    }
    Ok(Differences::Apart(all))
}

/// What there is to keep apart in a buffer, whatever its mapping: in the common space of the members of a proposal that was proved.
pub struct CommonSpace {
    /// Differences of conflicting cells, with 0.
    pub differences: Set,
    /// The cells that the program touches.
    pub touched: Set,
}

impl CommonSpace {
    /// The same for the parameters that the facts are about; `None`: conflicting cells stand at the same point, or there is no member.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn of(proposal: &SharedProposal, facts: &SharedFacts) -> Result<Option<CommonSpace>> {
        let Differences::Apart(all) = differences(proposal, facts)? else { return Ok(None) };
        let Some(touched) = union(standing_cells(proposal, facts)?)? else { return Ok(None) };
        let zero = vec!["0"; touched.dimensions()?].join(", ");
        let zero = Set::read(touched.context(), &format!("{{ [{zero}] }}"))?;
        Ok(union(all)?.map(|all| all.union(&zero)).transpose()?.map(|differences| CommonSpace { differences, touched }))
    }
}

fn union(sets: Vec<Set>) -> Result<Option<Set>> {
    let mut sets = sets.into_iter();
    let Some(mut all) = sets.next() else { return Ok(None) };
    for set in sets {
        all = all.union(&set)?;
    }
    Ok(Some(all))
}

/// `P d`; `None` if that is 0 for some d ≠ 0.
fn within(member: &SharedMember, differences: &Set) -> Result<Option<Set>> {
    if member.is_shifted_only() {
        return Ok(Some(differences.clone()));
    }
    let others = differences.subtract(&differences.fix_all(0)?)?.apply(&linear_part(member, differences)?)?;
    Ok(if others.fix_all(0)?.is_empty()? { Some(others) } else { None })
}

/// `None`: no two cells conflict.
fn between_members(earlier: &SharedMember, later: &SharedMember, between: &CrossDifferences) -> Result<Option<Set>> {
    let Some(pairs) = between.pairs() else { return Ok(None) };
    let differences = match earlier.is_shifted_only() && later.is_shifted_only() {
        true => between.set()?.expect("there are pairs").clone(),
        false => {
            let like = pairs.domain()?;
            let [from, to] = [earlier, later].map(|member| linear_part(member, &like));
            pairs.apply_domain(&from?)?.apply_range(&to?)?.reverse()?.deltas()?
        }
    };
    let apart = earlier.shift.iter().zip(&later.shift).map(|(x, y)| x.sub(y)).collect::<Result<Vec<_>>>()?;
    differences.translated(&apart).map(Some)
}

/// The cells that are touched of each member, at their points in the common space.
pub(crate) fn standing_cells(proposal: &SharedProposal, facts: &SharedFacts) -> Result<Vec<Set>> {
    let stand = |(member, facts_of): (&SharedMember, &MemberFacts)| {
        let cells = crate::touched(&facts_of.own, facts.context)?;
        let cells = if member.is_shifted_only() { cells } else { cells.apply(&linear_part(member, &cells)?)? };
        cells.translated(&member.shift)
    };
    proposal.members.iter().zip(facts.members).map(stand).collect()
}

/// `{ [x] -> [P x] }`.
fn linear_part(member: &SharedMember, like: &Set) -> Result<Map> {
    linear_map(like.context(), like.dimensions()?, member.rows.iter().map(|row| &row[..]))
}

/// `m · P`, for coefficients m of the common space's coordinates; `None` if that is past 64 bits.
pub(crate) fn own_coefficients(coefficients: &[i64], member: &SharedMember) -> Option<Vec<i64>> {
    let column = |k: usize| {
        let products = coefficients.iter().zip(&member.rows).map(|(m, row)| m.checked_mul(row[k]));
        products.into_iter().try_fold(0i64, |sum, product| sum.checked_add(product?))
    };
    (0..member.rows.first().map_or(0, Vec::len)).map(column).collect()
}

/// `m · δ`.
pub(crate) fn own_shift(coefficients: &[i64], member: &SharedMember, like: &PwAff) -> Result<PwAff> {
    let mut sum = PwAff::read(like.context(), "{ [(0)] }")?;
    for (coefficient, function) in coefficients.iter().zip(&member.shift) {
        sum = sum.add(&function.scaled(*coefficient)?)?;
    }
    Ok(sum)
}

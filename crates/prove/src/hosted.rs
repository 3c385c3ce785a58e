//! Validity of places in an array whose values cross the scop's border.
//!
//! Cell x of guest i lives at `x + δᵢ` of the host, whose own cells stay where they are. No two cells of one guest meet. So it
//! is enough that
//!
//! ```text
//! for each i:      x + δᵢ ∈ room for every cell x that is touched,  and  0 ∉ Dᵢ + δᵢ
//! for each i < j:  0 ∉ Dᵢⱼ + δᵢ − δⱼ
//! ```
//!
//! where room and Dᵢ are what [`Stay`] says of guest i and the host, and Dᵢⱼ are the differences of conflicting cells of two
//! guests, as in a shared buffer. Each cell of a guest has to be written before it is read: what the host held was never its.
//!
//! Example: `t[i + 1] = x[i]`, then `out[i] = t[i + 1]`, with t in out: δ = −1 keeps all cells in the room `0 … n − 1`, and
//! the conflicts have no difference 1. With δ = 0, `t[n]` would lie behind the last cell that the scop writes.

use crate::{Layout, Placed, Refusal, Verified};
use polyfold_alloc::HostedProposal;
use polyfold_isl::{PwAff, Result, Set};
use polyfold_live::{CrossDifferences, Stay};
use polyfold_scop::ArrayId;

/// What is known of one guest.
pub struct GuestFacts {
    /// It and the host.
    pub stay: Stay,
    /// Differences between each guest before it and this one.
    pub earlier: Vec<CrossDifferences>,
}

/// What is known of the guests of a host.
pub struct HostedFacts<'a> {
    /// Of each guest, in the order of the proposal.
    pub guests: &'a [GuestFacts],
    /// Parameter values to prove it for.
    pub context: &'a Set,
}

/// A place in another array: cell x is at x + shift there.
#[derive(Clone, Debug)]
pub struct Inside {
    /// Whose memory it is.
    pub host: ArrayId,
    /// One function of the parameters for each coordinate.
    pub shift: Vec<PwAff>,
}

impl HostedFacts<'_> {
    /// Whether these are facts about the host, all guests and pairs of them, and known for all parameters of the context.
    fn are_about(&self, proposal: &HostedProposal) -> Result<bool> {
        if proposal.guests.is_empty() || self.guests.len() != proposal.guests.len() {
            return Ok(false);
        }
        for (k, (guest, facts)) in proposal.guests.iter().zip(self.guests).enumerate() {
            let pair = facts.stay.differences();
            let subjects = facts.stay.guest().array() == guest.array && pair.arrays() == (guest.array, proposal.host);
            let earlier = proposal.guests[..k].iter().map(|earlier| (earlier.array, guest.array));
            if !subjects || !earlier.eq(facts.earlier.iter().map(CrossDifferences::arrays)) {
                return Ok(false);
            }
            let known = facts.earlier.iter().chain([pair]).map(CrossDifferences::context);
            for known in known.chain([facts.stay.guest().context()]) {
                if !self.context.is_subset(known)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// Proves places in a host for all parameters in the context, or refuses them.
///
/// # Errors
/// When the work bound is reached.
pub fn verify_hosted(
    proposal: HostedProposal,
    facts: &HostedFacts,
) -> Result<std::result::Result<Verified<HostedProposal>, Refusal>> {
    if !facts.are_about(&proposal)? {
        return Ok(Err(Refusal::Unrelated));
    }
    let context = facts.context;
    for (k, (guest, known)) in proposal.guests.iter().zip(facts.guests).enumerate() {
        if !guest.is_shifted_only() {
            return Ok(Err(Refusal::NotShifted));
        }
        for function in &guest.shift {
            if !context.is_subset(&function.domain()?)? {
                return Ok(Err(Refusal::Unproved));
            }
        }
        if let Some(refusal) = unfit(&known.stay, &guest.shift, context)? {
            return Ok(Err(refusal));
        }
        let mut clashes = meet(known.stay.differences().set()?, &guest.shift, context)?;
        for (earlier, differences) in proposal.guests[..k].iter().zip(&known.earlier) {
            let apart = (earlier.shift.iter().zip(&guest.shift)).map(|(x, y)| x.sub(y)).collect::<Result<Vec<_>>>()?;
            clashes |= meet(differences.set()?, &apart, context)?;
        }
        if clashes {
            return Ok(Err(Refusal::Clash(None)));
        }
    }
    let scope = context.clone();
    let place = |guest: &polyfold_alloc::SharedMember| Placed {
        array: guest.array,
        shared: None,
        layout: Layout::Inside(Inside { host: proposal.host, shift: guest.shift.clone() }),
        scope: scope.clone(),
    };
    let places = proposal.guests.iter().map(place).collect();
    Ok(Ok(Verified { value: proposal, places, scope }))
}

/// What keeps a guest out even of a host that holds nothing; `None`: each cell that is touched has a place, and is written before
/// it is read.
fn unfit(stay: &Stay, shift: &[PwAff], context: &Set) -> Result<Option<Refusal>> {
    if !stay.is_fresh() {
        return Ok(Some(Refusal::ReadFirst));
    }
    let (Some(touched), Some(room)) = (stay.guest().touched(), stay.room()) else { return Ok(Some(Refusal::NoRoom)) };
    let dimensions = touched.dimensions()?;
    if shift.len() != dimensions || room.dimensions()? != dimensions {
        return Ok(Some(Refusal::OtherDimensions));
    }
    let cells = touched.intersect_params(context)?.unnamed()?.translated(shift)?;
    Ok(if cells.is_subset(&room.unnamed()?)? { None } else { Some(Refusal::NoRoom) })
}

/// Whether two conflicting cells would stand at the same place.
fn meet(differences: Option<&Set>, apart: &[PwAff], context: &Set) -> Result<bool> {
    let Some(differences) = differences else { return Ok(false) };
    Ok(!differences.intersect_params(context)?.translated(apart)?.fix_all(0)?.is_empty()?)
}

//! Temporary arrays in the memory of arrays whose values leave the scop.
//!
//! Where `t[i]` is dead before `out[i]` is written, t needs no memory of its own. The user allows it (`--reuse-outputs`): while
//! the scop runs the output holds other values then, which matters to whom it overlaps.
//!
//! The moves δ that are right at given sizes are a set, as exact as the conflicts are:
//!
//! ```text
//! F = { δ : x + δ ∈ room for all x } \ −D \ ⋃ (Dⱼ + δⱼ)        D: guest and host, Dⱼ: an earlier guest at δⱼ
//! ```
//!
//! What is proposed are functions of the sizes that may lie in it: numbers, taken from the smallest box looked at around 0
//! that has any which lie in it for all sizes, and its first and its last point.
//!
//! What has the place in a host is decided before what shares with what. All of it is taken only if fewer cells are needed then
//! than by sharing alone.

use crate::decisions::Decisions;
use crate::gathering::Candidate;
use crate::optimize::Outcome;
use crate::ranges::number;
use crate::search::StorageSearch;
use crate::together::move_together;
use polyfold_alloc::{HostedProposal, SharedMember};
use polyfold_codegen::element_words;
use polyfold_isl::{Error, ErrorKind, PwAff, Set};
use polyfold_live::{CrossDifferences, Host, Lifetimes, Precision};
use polyfold_prove::{GuestFacts, HostedFacts, Placed, Verified, verify_hosted};
use polyfold_scop::{ArrayId, Liveness, Role};

/// Moves temporaries into outputs where that saves cells; work past the bound leaves the rest as it is. `search` knows what was
/// decided for each array without the others.
pub(crate) fn move_into_outputs(search: &StorageSearch, kinds: &[Vec<Candidate>], decisions: &mut Decisions) {
    let places = guests(search, kinds);
    if places.is_empty() {
        return;
    }
    let is_guest = |id: ArrayId| places.iter().any(|place| place.array() == id);
    let mut moved = Decisions::alone(search.alone.to_vec());
    for place in &places {
        moved.set(place.array(), Outcome::Hosted { place: Box::new(place.clone()) });
    }
    let others = kinds.iter().map(|kind| kind.iter().filter(|c| !is_guest(c.id)).cloned().collect::<Vec<_>>());
    let others: Vec<Vec<Candidate>> = others.filter(|kind| !kind.is_empty()).collect();
    move_together(search, &others, &mut moved);
    let is_temporary = |id: &ArrayId| search.model.scop.array(*id).is_temporary();
    let ids: Vec<ArrayId> = decisions.outcomes.iter().map(|(id, _)| *id).filter(is_temporary).collect();
    if moved.cells(search, &ids) < decisions.cells(search, &ids) {
        *decisions = moved;
    }
}

/// Proved places in outputs, the largest arrays first.
fn guests(search: &StorageSearch, kinds: &[Vec<Candidate>]) -> Vec<Placed> {
    let mut left: Vec<&Candidate> = kinds.iter().flatten().collect();
    left.sort_by_key(|candidate| std::cmp::Reverse(candidate.cells));
    let mut places = Vec::new();
    for host in &search.options.text.hosts {
        let fitting: Vec<ArrayId> = left.iter().map(|c| c.id).filter(|id| may_be_guest(search, *id, *host)).collect();
        let work = fitting.len() + 1;
        if let Ok(found) = search.in_bound(work, [*host], || guests_of(search, *host, &fitting)) {
            left.retain(|candidate| found.iter().all(|place| place.array() != candidate.id));
            places.extend(found);
        }
    }
    places
}

/// Whether the values of the host leave the scop, and it has dimensions like the guest's, and elements that are surely of the same
/// type: words of one declaration may mean less than all of it (`long t[n], *out[n]`), and pointers have no number of bytes.
fn may_be_guest(search: &StorageSearch, guest: ArrayId, host: ArrayId) -> bool {
    let (guest, host) = (search.model.scop.array(guest), search.model.scop.array(host));
    let leaves = |role: &Role| match role {
        Role::Temporary => false,
        Role::Kept(kept) => matches!(kept.liveness, Liveness::Out | Liveness::InOut),
    };
    let words = [guest, host].map(|array| array.declaration.as_ref().map(element_words));
    let same_words = words[0].is_some() && words[0] == words[1];
    let same_elements = guest.element == host.element && guest.element_bytes == host.element_bytes;
    let dimensions = [guest, host].map(|array| array.extents.len());
    let is_alike = same_words && same_elements && guest.element_bytes.is_some() && dimensions[0] == dimensions[1];
    let is_declared = guest.declaration.as_ref().is_some_and(|declaration| declaration.allocation().is_none());
    leaves(&host.role) && is_alike && is_declared
}

/// Proved places in one host, of as many guests as the bound on work allows.
fn guests_of(search: &StorageSearch, host: ArrayId, fitting: &[ArrayId]) -> Result<Vec<Placed>, Error> {
    if fitting.is_empty() {
        return Ok(Vec::new());
    }
    let (host, lifetimes) = Host::with_guests(search.model, host, fitting)?;
    let mut hosting = Hosting { search, host, lifetimes: Vec::new(), facts: Vec::new(), proved: None };
    if hosting.host.room().is_some() {
        match lifetimes.into_iter().try_for_each(|guest| hosting.add(guest)) {
            // What was proved before stands.
            Err(error) if error.kind != ErrorKind::Quota => return Err(error),
            _ => {}
        }
    }
    let Hosting { proved, .. } = hosting;
    Ok(proved.map_or_else(Vec::new, |proved| {
        (0..proved.get().guests.len()).map(|guest| proved.place(guest).clone()).collect()
    }))
}

/// A host that takes in guests.
struct Hosting<'a> {
    search: &'a StorageSearch<'a>,
    host: Host,
    lifetimes: Vec<Lifetimes>,
    facts: Vec<GuestFacts>,
    proved: Option<Verified<HostedProposal>>,
}

impl Hosting<'_> {
    /// One more guest, if a place for it is proved.
    fn add(&mut self, guest: Lifetimes) -> Result<(), Error> {
        let stay = self.host.stay_of(&guest)?;
        let earlier = self.lifetimes.iter().map(|earlier| CrossDifferences::of(earlier, &guest, Precision::Value));
        self.facts.push(GuestFacts { stay, earlier: earlier.collect::<Result<_, _>>()? });
        let members = self.proved.as_ref().map_or_else(Vec::new, |proved| proved.get().guests.clone());
        let facts = HostedFacts { guests: &self.facts, context: &self.search.model.context };
        for shift in self.shifts(&self.facts[members.len()], &members)? {
            let member = SharedMember::shifted(guest.subject().array(), shift);
            let guests = members.iter().cloned().chain([member]).collect();
            if let Ok(proved) = verify_hosted(HostedProposal { host: self.host.array(), guests }, &facts)? {
                self.proved = Some(proved);
                self.lifetimes.push(guest);
                return Ok(());
            }
        }
        self.facts.pop();
        Ok(())
    }

    /// Moves that may be right, the plainest first.
    fn shifts(&self, facts: &GuestFacts, members: &[SharedMember]) -> Result<Vec<Vec<PwAff>>, Error> {
        let context = &self.search.model.context;
        let Some(moves) = moves(facts, members, context)? else { return Ok(Vec::new()) };
        let sizes = facts.stay.guest().touched().map_or(Ok(context.clone()), Set::params)?.intersect(context)?;
        let mut shifts = Vec::new();
        if let Some(numbers) = nearest(&moves, &sizes)? {
            shifts.push(numbers.iter().map(|by| number(self.search.ctx, *by)).collect::<Result<_, _>>()?);
        }
        for corner in [moves.lexmin()?, moves.neg()?.lexmin()?.neg()?] {
            shifts.extend(self.affine(&corner, &sizes)?);
        }
        Ok(shifts)
    }

    /// A point that depends on the sizes, as functions of them, if each is one that C can print.
    fn affine(&self, point: &Set, sizes: &Set) -> Result<Option<Vec<PwAff>>, Error> {
        let mut shift = Vec::new();
        for axis in 0..point.dimensions()? {
            let pieces = point.dim_min(axis)?.gist_params(sizes)?.pieces()?;
            let [(_, function)] = &pieces[..] else { return Ok(None) };
            if self.search.names.needs_helpers(&function.neg()?)? {
                return Ok(None);
            }
            shift.push(function.clone());
        }
        Ok(Some(shift))
    }
}

/// All moves that are right, by sizes; `None`: there are none.
fn moves(facts: &GuestFacts, members: &[SharedMember], context: &Set) -> Result<Option<Set>, Error> {
    let (Some(touched), Some(room)) = (facts.stay.guest().touched(), facts.stay.room()) else { return Ok(None) };
    let touched = touched.intersect_params(context)?.unnamed()?;
    let anywhere = anywhere(&touched)?;
    let outside = anywhere.subtract(&room.unnamed()?)?;
    let leaving = touched.with_each_of(&outside)?.deltas()?;
    let mut moves = anywhere.intersect_params(&touched.params()?)?.subtract(&leaving)?;
    if let Some(differences) = facts.stay.differences().set()? {
        moves = moves.subtract(&differences.neg()?)?;
    }
    for (member, differences) in members.iter().zip(&facts.earlier) {
        if let Some(differences) = differences.set()? {
            moves = moves.subtract(&differences.translated(&member.shift)?)?;
        }
    }
    let moves = moves.coalesce()?;
    Ok(if moves.is_empty()? { None } else { Some(moves) })
}

/// All points of the space.
fn anywhere(like: &Set) -> Result<Set, Error> {
    let axes: Vec<String> = (0..like.dimensions()?).map(|k| format!("d{k}")).collect();
    Set::read(like.context(), &format!("{{ [{}] }}", axes.join(", ")))
}

/// Moves by up to so many cells are looked at one box after the other.
const FARTHEST: i64 = 1 << 20;

/// Numbers near 0 that are right for all sizes.
fn nearest(moves: &Set, sizes: &Set) -> Result<Option<Vec<i64>>, Error> {
    let anywhere = anywhere(moves)?;
    let wrong = anywhere.intersect_params(sizes)?.subtract(moves)?.without_parameters()?;
    let always = anywhere.subtract(&wrong)?;
    let mut reach = 0;
    while reach <= FARTHEST {
        let axes: Vec<String> = (0..moves.dimensions()?).map(|k| format!("d{k}")).collect();
        let bounds: Vec<String> = axes.iter().map(|d| format!("-{reach} <= {d} <= {reach}")).collect();
        let near = Set::read(moves.context(), &format!("{{ [{}] : {} }}", axes.join(", "), bounds.join(" and ")))?;
        if let Some((_, numbers)) = always.intersect(&near)?.sample()? {
            return Ok(Some(numbers));
        }
        reach = if reach == 0 { 1 } else { 4 * reach };
    }
    Ok(None)
}

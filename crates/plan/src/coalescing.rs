//! Where arrays of one buffer stand so that copies between them vanish (copy coalescing).
//!
//! `b[y(i)] = a[x(i)]` copies cells onto themselves where both stand at the same point of the
//! buffer's common space in all iterations i of its loops:
//!
//! ```text
//! P_a x(i) + δ_a = P_b y(i) + δ_b   ⟺   P_a x(i) − P_b y(i) is a constant c,  and  δ_b = δ_a + c
//! ```
//!
//! Example: `b[i + 1] = a[i];` vanishes where b stands one cell in front of a. `t[j][i] = a[i][j]`
//! vanishes where t stands on its side. Array versions have names with iterations, which may move,
//! too. In a wave equation with three grids,
//!
//! ```text
//! for t: { next[i] = f(now, old);  old[i] = now[i];  now[i] = next[i]; }
//! ```
//!
//! `old` holds under the name (v, i) what `now` holds under (v + 1, i). Moved by one iteration both
//! copies vanish, and two grids are left.
//!
//! An engine for conflict sets knows nothing of copies. So its buffers are tried with the arrays
//! moved like that first: as large as they were found, and with one more row.
//!
//! Invariant: these are proposals, the prover decides.
//!
//! Paper: SMO (POPL'16) §1, Figure 1(c).

use crate::ranges::number;
use crate::search::StorageSearch;
use polyfold_alloc::{Mapping, SharedMember, SharedProposal};
use polyfold_flow::{Copy, NamedAccess, ValueClass};
use polyfold_isl::{Error, Map};
use polyfold_lattice::ModularMapping;
use polyfold_scop::{ArrayId, StatementId};

/// Copies between two arrays, or classes of values.
pub(crate) struct Copied {
    pub(crate) from: ArrayId,
    pub(crate) to: ArrayId,
    /// The cell that is read minus the cell that is written, in all iterations of the loops.
    pub(crate) distance: Vec<i64>,
}

impl StorageSearch<'_> {
    /// The copies between what may share a buffer, at distances that do not change, the nearest first: where several shifts do as well, subscripts are plainest without one.
    pub(crate) fn copied(&self) -> Result<Vec<Copied>, Error> {
        let mut found = Vec::new();
        for copy in self.copies() {
            if self.classes.is_empty() {
                found.extend(copy.distance().map(|distance| Copied { from: copy.from, to: copy.to, distance }));
            }
            let of = |array: ArrayId| self.classes.iter().filter(move |class| class.array == array);
            for from in of(copy.from) {
                for to in of(copy.to) {
                    let distance = distance(named(from, copy.statement), named(to, copy.statement))?;
                    found.extend(distance.map(|distance| Copied { from: from.id, to: to.id, distance }));
                }
            }
        }
        found.sort_by_key(|copied| copied.distance.iter().fold(0, |sum, d| d.saturating_abs().saturating_add(sum)));
        Ok(found)
    }
}

/// What a statement touches in a class.
fn named(class: &ValueClass, statement: StatementId) -> Option<&NamedAccess> {
    class.accesses.iter().find(|access| access.statement == statement)
}

/// The name that is read minus the name that is written, if it is the same for all operations that touch both classes.
fn distance(read: Option<&NamedAccess>, written: Option<&NamedAccess>) -> Result<Option<Vec<i64>>, Error> {
    let (Some(read), Some(written)) = (read, written) else { return Ok(None) };
    let from_written: Map = written.name.reverse()?.apply_range(&read.name)?.unnamed()?;
    let distances = from_written.deltas()?;
    let mut all = Vec::new();
    for axis in 0..distances.dimensions()? {
        let (least, most) = (distances.dim_min_value(axis)?, distances.dim_max_value(axis)?);
        all.extend(least.filter(|_| least == most));
    }
    Ok((all.len() == distances.dimensions()?).then_some(all))
}

/// How many of the program's copies vanish in a buffer.
pub(crate) fn vanishing(search: &StorageSearch, members: &[SharedMember]) -> Result<usize, Error> {
    let mut vanishing = 0;
    for copy in search.copies() {
        if let Some((from, to)) = ends(&copy, members)
            && missing(&copy, &members[from], &members[to])?.is_some_and(|by| by.iter().all(|c| *c == 0))
        {
            vanishing += 1;
        }
    }
    Ok(vanishing)
}

/// An engine's buffer with arrays moved so that more copies vanish, the smallest first; none if no move does.
pub(crate) fn moved(search: &StorageSearch, proposal: &SharedProposal) -> Result<Vec<SharedProposal>, Error> {
    let Mapping::Modular(mapping) = &proposal.mapping else { return Ok(Vec::new()) };
    let mut members = proposal.members.clone();
    let mut together: Vec<usize> = (0..members.len()).collect();
    for copy in search.copies() {
        let Some((from, to)) = ends(&copy, &members).filter(|(from, to)| together[*from] != together[*to]) else {
            continue;
        };
        let Some(by) = missing(&copy, &members[from], &members[to])? else { continue };
        let (stays, moves) = (together[from], together[to]);
        for member in (0..members.len()).filter(|member| together[*member] == moves).collect::<Vec<_>>() {
            shift(search, &mut members[member], &by)?;
            together[member] = stays;
        }
    }
    if vanishing(search, &members)? <= vanishing(search, &proposal.members)? || !begin_at_0(search, &mut members)? {
        return Ok(Vec::new());
    }
    let with = |mapping: ModularMapping| SharedProposal {
        members: members.clone(),
        mapping: Mapping::Modular(mapping),
        method: proposal.method,
    };
    Ok(vec![with(mapping.clone()), with(with_one_more_row(search, mapping)?)])
}

/// The members that are read and written.
fn ends(copy: &Copy, members: &[SharedMember]) -> Option<(usize, usize)> {
    let place = |id| members.iter().position(|member| member.array == id);
    place(copy.from).zip(place(copy.to))
}

/// By how much the array that is written would have to be moved for the copy to vanish; `None` if no constant move is enough.
fn missing(copy: &Copy, from: &SharedMember, to: &SharedMember) -> Result<Option<Vec<i64>>, Error> {
    let mut by = Vec::new();
    for k in 0..from.shift.len() {
        let apart = from.shift[k].sub(&to.shift[k])?.as_constant()?.zip(copy.apart(&from.rows[k], &to.rows[k]));
        by.push(apart.and_then(|(shift, distance)| shift.checked_add(distance)));
    }
    Ok(by.into_iter().collect())
}

fn shift(search: &StorageSearch, member: &mut SharedMember, by: &[i64]) -> Result<(), Error> {
    for (at, by) in member.shift.iter_mut().zip(by) {
        *at = at.add(&number(search.ctx, *by)?)?;
    }
    Ok(())
}

/// Moves all so that the least shift along every coordinate is 0; false if that is not known.
fn begin_at_0(search: &StorageSearch, members: &mut [SharedMember]) -> Result<bool, Error> {
    let mut back = Vec::new();
    for k in 0..members[0].shift.len() {
        let shifts =
            members.iter().map(|member| member.shift[k].as_constant()).collect::<Result<Option<Vec<i64>>, _>>()?;
        let Some(least) = shifts.and_then(|shifts| shifts.into_iter().min()) else { return Ok(false) };
        back.push(-least);
    }
    for member in members {
        shift(search, member, &back)?;
    }
    Ok(true)
}

fn with_one_more_row(search: &StorageSearch, mapping: &ModularMapping) -> Result<ModularMapping, Error> {
    let mut mapping = mapping.clone();
    if let Some(outermost) = mapping.moduli.first_mut() {
        *outermost = outermost.add(&number(search.ctx, 1)?)?;
    }
    Ok(mapping)
}

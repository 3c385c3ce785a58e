//! Which cells of an array must not share storage.
//!
//! A value is born at its write `w` and dies at its last read `r`; another write at `t` would destroy it iff
//! `w <= t < r` (at `t = r` the reader has read before it writes, so it may overwrite what it reads). Cells x and
//! y *conflict* iff this happens to a value of x for some write of y, dead or not, or the other way round:
//!
//! ```text
//! LIVE = (W ∘ ≤) ∩ (R ∘ >)        { cell -> date at which overwriting it would be wrong }
//! conflict = W⁻¹ ∘ LIVE, made symmetric, without the diagonal
//! ```
//!
//! A value that a function writes through an address that it got is in use until the function returns, at a date behind that of
//! its write ([`Accesses::held`](polyfold_flow::Accesses::held)): two cells that one call writes conflict, though nobody may read them.
//!
//! Paper: Bee §3.2. Deviation: the printed formula `FW(x) < LR(y) and FW(y) < LR(x)` misses writes that nobody
//! reads, and accepts mappings that destroy live values (two cells, the second written once and never read, while
//! the first is alive: the formula sees no lifetime for the second).
//!
//! Precision *per cell* takes one interval from the first write to the last read. *Per value* takes each value's
//! own interval, from dataflow; it is smaller for cells that are written more than once.
//!
//! Where iterations may run at the same time, "before" is a partial order, and the test becomes: cells conflict
//! unless all uses of one surely precede every write of the other. This is coarser (one interval per cell) and safe.
//!
//! The cells of two arrays conflict by the same definition, which is what sharing a buffer between them needs to know
//! (SMO, §3.2).
//!
//! Invariant: the result contains every true conflict; it is exact if the program has no data-dependent accesses
//! and no parallel loops.

use crate::order::{Dated, Equal, Order};
use crate::{Lifetimes, Subject};
use polyfold_flow::{Accesses, union};
use polyfold_isl::{Map, Result, Set};

/// Which lifetimes conflicts are taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precision {
    /// One interval per cell, from its first write to its last read.
    Cell,
    /// One interval per value.
    Value,
}

/// The conflict relation of one array.
#[derive(Clone, Debug)]
pub struct Conflicts {
    subject: Subject,
    /// `{ A[x] -> A[y] }` where x or y is destroyed by a write of the other, in one direction at least; cells may also
    /// be related to themselves. `None`: there are none at all.
    one_sided: Option<Map>,
    /// What it was taken from.
    pub precision: Precision,
}

impl Conflicts {
    /// `{ A[x] -> A[y] }`, symmetric, without pairs of equal cells; `None`: there are none at all.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn pairs(&self) -> Result<Option<Map>> {
        let Some(pairs) = &self.one_sided else { return Ok(None) };
        symmetric(&distinct(pairs)?.coalesce()?)
    }

    /// The same for some parameter values only, which is less work.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn pairs_within(&self, context: &Set) -> Result<Option<Map>> {
        let Some(pairs) = &self.one_sided else { return Ok(None) };
        symmetric(&distinct(&pairs.intersect_params(context)?)?)
    }

    /// Whose these are, and for which sizes.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    pub(crate) fn one_sided(&self) -> Option<&Map> {
        self.one_sided.as_ref()
    }
}

/// Without pairs of equal cells.
fn distinct(pairs: &Map) -> Result<Map> {
    let cells = pairs.domain()?;
    pairs.intersect(&Map::lex_lt(&cells)?.union(&Map::lex_gt(&cells)?)?)
}

fn symmetric(pairs: &Map) -> Result<Option<Map>> {
    Ok(if pairs.is_empty()? { None } else { Some(pairs.union(&pairs.reverse()?)?) })
}

/// The conflicts between the cells of one array, for all parameters in the model's context.
///
/// # Errors
/// When the work bound is reached.
pub fn conflicts(lifetimes: &Lifetimes, precision: Precision) -> Result<Conflicts> {
    let one_sided = match lifetimes.unordered() {
        Some(unordered) => unordered_conflicts(lifetimes, lifetimes, unordered)?,
        None => destroyed(lifetimes, lifetimes, precision)?,
    };
    let precision = if lifetimes.unordered().is_some() { Precision::Cell } else { precision };
    Ok(Conflicts { subject: lifetimes.subject().clone(), one_sided, precision })
}

/// `{ A[x] -> B[y] }`: the conflicts between the cells of two arrays, whose dates are those of [`Lifetimes::together`], for all
/// parameters in the model's context; `None`: there are none.
///
/// # Errors
/// When their dates cannot be compared, or the work bound is reached.
pub fn conflicts_between(a: &Lifetimes, b: &Lifetimes, precision: Precision) -> Result<Option<Map>> {
    a.check_same_dates(b)?;
    if let Some(unordered) = a.unordered() {
        return unordered_conflicts(a, b, unordered);
    }
    let (forth, back) = (destroyed(a, b, precision)?, destroyed(b, a, precision)?);
    let back = back.map(|back| back.reverse()).transpose()?;
    union(forth.iter().chain(&back))
}

/// `{ A[x] -> B[y] }`: cells of `values` with a value that some write of a cell of `by` would destroy.
fn destroyed(values: &Lifetimes, by: &Lifetimes, precision: Precision) -> Result<Option<Map>> {
    match precision {
        Precision::Cell => destroyed_cells(values, by),
        Precision::Value => destroyed_values(values, by.accesses()),
    }
}

/// One destroying statement at a time.
fn destroyed_cells(values: &Lifetimes, by: &Lifetimes) -> Result<Option<Map>> {
    let writes = Dated::all(values.accesses().writes())?;
    let uses = Dated::all(values.accesses().uses())?;
    let cells = Cells { order: values.order(), writes: &writes, uses: &uses };
    let mut all = Vec::new();
    let destroyers = Dated::all(by.accesses().writes())?;
    for destroyer in destroyers.iter().filter(|destroyer| cells.may_be_alive_at(destroyer)) {
        all.extend(match destroyer.relation.is_injective()? {
            true => cells.destroyed_by_cell(destroyer)?,
            false => cells.destroyed_by_date(destroyer)?,
        });
    }
    union(&all)
}

/// The accesses to cells whose values may be destroyed.
struct Cells<'a> {
    order: &'a Order,
    writes: &'a [Dated],
    uses: &'a [Dated],
}

impl Cells<'_> {
    /// Whether the positions in dates leave it open that a statement runs between a write and a use. Of arrays in loops far apart, which
    /// are most pairs of a long program's, they do not.
    fn may_be_alive_at(&self, destroyer: &Dated) -> bool {
        self.uses.iter().any(|used| self.order.may_precede(destroyer, used, Equal::No))
            && self.writes.iter().any(|write| self.order.may_precede(write, destroyer, Equal::Yes))
    }

    /// By a statement that writes each cell once: "born before" and "read after" are composed with it to relations between
    /// cells, which are small.
    fn destroyed_by_cell(&self, destroyer: &Dated) -> Result<Option<Map>> {
        let needed = each(self.uses, |used| self.order.cells(destroyer, used, Equal::No))?;
        let born = each(self.writes, |write| self.order.cells(write, destroyer, Equal::Yes))?;
        match (born, needed) {
            (Some(born), Some(needed)) => born.intersect(&needed.reverse()?).map(Some),
            _ => Ok(None),
        }
    }

    /// By any statement: "born before" and "read after" must agree on the date.
    fn destroyed_by_date(&self, destroyer: &Dated) -> Result<Option<Map>> {
        let needed = each(self.uses, |used| self.order.later(used, destroyer))?;
        let born = each(self.writes, |write| self.order.earlier(write, destroyer, Equal::Yes))?;
        match (born, needed) {
            (Some(born), Some(needed)) => {
                born.intersect(&needed)?.reverse()?.apply_range(&destroyer.relation).map(Some)
            }
            _ => Ok(None),
        }
    }
}

/// The union of what `relations` gives for each access; `None` for nothing.
fn each(accesses: &[Dated], relations: impl Fn(&Dated) -> Result<Vec<Map>>) -> Result<Option<Map>> {
    let all = accesses.iter().map(relations).collect::<Result<Vec<_>>>()?;
    union(all.iter().flatten())
}

fn destroyed_values(values: &Lifetimes, by: &Accesses) -> Result<Option<Map>> {
    let (Some(values), Some(writes)) = (values.values()?, union(by.writes())?) else { return Ok(None) };
    let dates = writes.domain()?;
    let overwritten_from = Map::lex_le(&dates)?.intersect_range(&dates)?;
    let still_read = Map::lex_gt(&dates)?.intersect_range(&dates)?;
    let intervals = values.reverse()?;
    let live = intervals.apply_range(&overwritten_from.domain_product(&still_read)?)?;
    Ok(Some(live.apply_range(&writes)?))
}

/// `{ A[x] -> B[y] }` under a partial order: neither cell's uses all surely precede the other's writes.
fn unordered_conflicts(a: &Lifetimes, b: &Lifetimes, unordered: &Map) -> Result<Option<Map>> {
    let (Some(forth), Some(back)) =
        (outlives(a.accesses(), b.accesses(), unordered)?, outlives(b.accesses(), a.accesses(), unordered)?)
    else {
        return Ok(None);
    };
    Ok(Some(forth.intersect(&back.reverse()?)?))
}

/// `{ A[x] -> B[y] }`: some use of x may come after some write of y.
fn outlives(a: &Accesses, b: &Accesses, unordered: &Map) -> Result<Option<Map>> {
    let (Some(uses), Some(writes)) = (union(a.writes())?, union(b.writes())?) else { return Ok(None) };
    let dates = writes.domain()?;
    let not_before = Map::lex_ge(&dates)?.union(unordered)?;
    let mut outlives = uses.reverse()?.apply_range(&not_before)?.apply_range(&writes)?;
    if let Some(reads) = union(a.uses())? {
        let after = Map::lex_gt(&dates)?.union(unordered)?;
        outlives = outlives.union(&reads.reverse()?.apply_range(&after)?.apply_range(&writes)?)?;
    }
    Ok(Some(outlives))
}

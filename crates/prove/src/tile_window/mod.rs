//! Storage that is counted from where a strip or a tile begins.
//!
//! ```text
//! M x mod b        the proved mapping, row by row
//! c                Σ factor · counter, of loops over strips or tiles and those around ([`Origin`]):
//!                  grows by V in each iteration of the innermost one
//! M x − c          lowest <= M x − c < lowest + W in every access, for all sizes, with W <= b
//! ```
//!
//! So in each iteration only W cells of the circular buffer are used, one behind the other, and M x
//! is in cell M x − c − lowest, without a remainder. Two cells share a place in the iteration iff
//! they did in the circular buffer. There are two kinds:
//!
//! * *Tiles*: values stay in one iteration ([`own_values`](crate::own_values)), and what others
//!   left isn't asked for. The storage may have several rows and be that of several arrays. A row
//!   that is near no such c stays as it is.
//! * *Windows along strips*: storage has one row. At the end of each iteration the cells from V on
//!   move to the front, W − V of them, which is where they are in the next one. In a loop that goes
//!   down they move from the front to V and behind. Values stay in one run of the loop. From a
//!   write to the reads of its value the iterations follow each other. So a cell that two of them
//!   use is in all windows between: M x − c falls from iteration to iteration, or grows where the
//!   loop goes down. No two values that are alive at once have one M x, since they would have one
//!   M x mod b.
//!
//! Where M x grows with −c, −M x takes its place.
//!
//! Loops that go on by less than 16 are over strips of loops inside alone, and of circular buffers
//! that wrap around anywhere but at a power of two: that costs nothing.
//!
//! Cells are moved only if an iteration has as many new ones as it keeps, or twice as many
//! iterations of the loops inside: more takes longer than what is spared.
//!
//! Example: strips of 128 from c on write `t[j]`, and then read `t[j - 2]` and `t[j]`. They have
//! −2 <= j − c < 128, so 130 cells: `t[j - c + 2]` and `t[j - c]`. Behind both loops stands
//! `t[0] = t[128], t[1] = t[129]`.
//!
//! Tiles of 256 by 256 go over x and y from X and Y on. Their rows read two cells of the tile in
//! front. Cells `t[x][y]` stand at y − 2 x in a circular buffer of 768. With c = Y − 2 X that is
//! −512 <= y − 2 x − c < 256. 512 cells move in each iteration over Y, while 65 536 are computed.
//!
//! In tiles of 32 by 32 from I and J on, each of which computes two rows more on both sides for
//! itself, `t[i][j]` lives in `t[i - I + 2][j - J]`, which was `t[(i + 2) % 36][j % 32]`.
//!
//! Invariant: no loop around is parallel, whose iterations would share the storage.
//!
//! Source: strip-mining and distribution of loops as in Allen and Kennedy, Optimizing Compilers for
//! Modern Architectures (2001), §2 and 5; line buffers and local arrays of tiles as they are
//! written by hand.

mod origin;

pub use origin::Origin;

use crate::own_values::{Use, accesses, are_found};
use crate::{Placed, Row, RowForm};
use polyfold_flow::{StatementModel, Write, sure_writes};
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{ArrayId, Loop, LoopId, Scop, StatementId};
use std::collections::BTreeSet;

/// Loops that go on by less have nothing that is worth to be called a strip or a tile.
const LEAST_STEP: i64 = 4;

/// How many iterations of loops inside are worth a move.
const ITERATIONS_FOR_A_MOVE: i64 = 2;

/// An array whose cells are counted from where strips or tiles begin; only [`tile_windows`] makes
/// one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileWindow {
    array: ArrayId,
    tiles: LoopId,
    rows: Vec<Option<Origin>>,
    carried: Option<Carried>,
}

/// Where a value is in the next iteration that is in the cell `k + from` now: in cell `k + to`, for
/// k from 0 up to `count` if that is in front, else down: a cell may be both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    /// The first cell that gets a value.
    pub to: i64,
    /// The first cell whose value moves.
    pub from: i64,
    /// How many there are, at least 1.
    pub count: i64,
}

impl TileWindow {
    /// Whose cells.
    pub fn array(&self) -> ArrayId {
        self.array
    }

    /// The loop whose iterations are the strips or tiles.
    pub fn tiles(&self) -> LoopId {
        self.tiles
    }

    /// Where the rows of the mapping are counted from; `None`: as they were.
    pub fn rows(&self) -> &[Option<Origin>] {
        &self.rows
    }

    /// What the next iteration needs.
    pub fn carried(&self) -> Option<Carried> {
        self.carried
    }
}

/// All storage that can be counted so, for all parameters in `context`; without statements in
/// `gone`. Arrays in one buffer all are, or none.
///
/// # Errors
/// When the work bound is reached.
pub fn tile_windows(
    (scop, statements): (&Scop, &[StatementModel]),
    mapped: &[Placed],
    gone: &[StatementId],
    context: &Set,
) -> Result<Vec<TileWindow>> {
    let asked = Asked { scop, statements, gone, context, sure: sure_writes(scop) };
    let mut found = Vec::new();
    for place in mapped {
        let members: Vec<&Placed> = match place.shared() {
            Some(first) if first != place.array() => continue,
            Some(first) => mapped.iter().filter(|own| own.shared() == Some(first)).collect(),
            None => vec![place],
        };
        let members: Vec<Member> =
            members.into_iter().map(|place| Member { place, uses: accesses(scop, place.array()) }).collect();
        if members.iter().any(|own| asked.stays(own)) {
            continue;
        }
        match (place.rows(), &members[..]) {
            ([row], [own]) if place.shared().is_none() => found.extend(asked.along_strips(own, row)?),
            ([_, _, ..], _) => found.extend(asked.in_tiles(&members)?),
            _ => {}
        }
    }
    Ok(found)
}

/// An array in a buffer.
struct Member<'a> {
    place: &'a Placed,
    uses: Vec<Use<'a>>,
}

/// A program that windows are looked for in.
struct Asked<'a> {
    scop: &'a Scop,
    statements: &'a [StatementModel],
    gone: &'a [StatementId],
    context: &'a Set,
    /// Writes that are sure though they stand in branches.
    sure: BTreeSet<Write>,
}

impl Asked<'_> {
    /// Whether an array's storage stays as it is, whatever its accesses are near.
    fn stays(&self, own: &Member) -> bool {
        let is_other = |(id, _, access): &Use| self.gone.contains(id) || access.is_in_call();
        !self.scop.array(own.place.array()).is_temporary() || own.uses.iter().any(is_other)
    }

    /// Whether values stay in one iteration of so many loops.
    fn are_found(&self, uses: &[Use], around: usize) -> Result<bool> {
        are_found(uses, around, &self.sure, self.statements, self.context)
    }

    /// The window of a circular buffer along strips, if that is proved to hold its values.
    fn along_strips(&self, own: &Member, row: &Row) -> Result<Option<TileWindow>> {
        let Some(cells) = circular(row)? else { return Ok(None) };
        let (uses, around) = (&own.uses, self.in_order_around(&own.uses));
        for (depth, l) in around.iter().enumerate().rev().filter(|(_, l)| l.step.abs() >= LEAST_STEP) {
            let is_of_strips = |origin: &Origin| origin.innermost() == l.id;
            let near = self.near(uses, &row.coefficients, &around[..=depth], is_of_strips)?;
            let Some((origin, most)) = near else { continue };
            let Some(used) = most.checked_sub(origin.lowest()).and_then(|more| more.checked_add(1)) else { continue };
            let is_inside = uses.iter().all(|(id, _, _)| self.scop.statement(*id).loops.len() > depth + 1);
            let is_tile = origin.terms().len() > 1 || !cells.unsigned_abs().is_power_of_two();
            if used > cells || !(l.is_over_strips() || is_inside && is_tile) {
                continue;
            }
            let (step, stays) = (origin.step(), self.are_found(uses, depth + 1)?);
            let count = if stays { 0 } else { (used - step.abs()).max(0) };
            if self.is_worth_it((count, step), uses, depth)? && (stays || self.are_found(uses, depth)?) {
                let (to, from) = if step < 0 { (-step, 0) } else { (0, step) };
                let carried = (count > 0).then_some(Carried { to, from, count });
                return Ok(Some(TileWindow {
                    array: own.place.array(),
                    tiles: l.id,
                    rows: vec![Some(origin)],
                    carried,
                }));
            }
        }
        Ok(None)
    }

    /// Whether so many cells are worth to be moved.
    fn is_worth_it(&self, (count, step): (i64, i64), uses: &[Use], depth: usize) -> Result<bool> {
        Ok(count <= step.abs() || count.saturating_mul(ITERATIONS_FOR_A_MOVE) <= self.iterations_inside(uses, depth)?)
    }

    /// The windows of a buffer with several rows whose values stay in one tile.
    fn in_tiles(&self, members: &[Member]) -> Result<Vec<TileWindow>> {
        let (loops, around) = (self.scop.loops(), self.in_order_around(members.iter().flat_map(|own| &own.uses)));
        let step = |(id, factor): &(LoopId, i64)| factor.saturating_mul(loops[id.0].step).saturating_abs();
        for depth in (0..around.len()).rev() {
            let mut rows: Vec<Vec<Option<Origin>>> = vec![Vec::new(); members.len()];
            for k in 0..members[0].place.rows().len() {
                let own = self.of_row(members, k, &around[..=depth])?;
                rows.iter_mut().enumerate().for_each(|(m, rows)| rows.push(own.as_ref().map(|own| own[m].clone())));
            }
            let origins = rows[0].iter().flatten();
            let mut stays = origins.flat_map(|own| own.terms()).any(|term| step(term) >= LEAST_STEP);
            for own in members {
                stays = stays && self.are_found(&own.uses, depth + 1)?;
            }
            if stays {
                let window = |(own, rows): (&Member, _)| TileWindow {
                    array: own.place.array(),
                    tiles: around[depth].id,
                    rows,
                    carried: None,
                };
                return Ok(members.iter().zip(rows).map(window).collect());
            }
        }
        Ok(Vec::new())
    }

    /// Where a row is counted from for each member, in an iteration of the last one of some loops;
    /// `None`: it isn't circular, or no window fits.
    fn of_row(&self, members: &[Member], k: usize, around: &[&Loop]) -> Result<Option<Vec<Origin>>> {
        let mut found: Vec<(Origin, i64)> = Vec::new();
        let (mut lowest, mut highest, mut cells) = (i64::MAX, i64::MIN, i64::MAX);
        for own in members {
            let Some(row) = own.place.rows().get(k) else { return Ok(None) };
            let (Some(modulus), Some(shift)) = (circular(row)?, row.shift.as_constant()?) else { return Ok(None) };
            let Some((origin, most)) = self.near(&own.uses, &row.coefficients, around, |_| true)? else {
                return Ok(None);
            };
            let shift = if origin.is_turned() { -shift } else { shift };
            let ends = origin.lowest().checked_add(shift).zip(most.checked_add(shift));
            let Some((least, most)) = ends else { return Ok(None) };
            (lowest, highest, cells) = (lowest.min(least), highest.max(most), cells.min(modulus));
            found.push((origin.with_lowest(0), shift));
        }
        let is_one = found.iter().all(|(origin, _)| *origin == found[0].0);
        if !is_one || highest.checked_sub(lowest).is_none_or(|more| more >= cells) {
            return Ok(None);
        }
        Ok(Some(found.into_iter().map(|(origin, shift)| origin.with_lowest(lowest - shift)).collect()))
    }

    /// How many iterations loops inside one have at most, all together, around the statement with
    /// most of them.
    fn iterations_inside(&self, uses: &[Use], depth: usize) -> Result<i64> {
        let mut most = 0;
        for (id, _, _) in uses {
            let domain = self.statements[id.0].domain.unnamed()?.intersect_params(self.context)?;
            let mut own: i64 = 1;
            for level in depth + 1..domain.dimensions()? {
                own = own.saturating_mul(span(&domain, level)?.map_or(i64::MAX, |span| span.saturating_add(1)));
            }
            most = most.max(own);
        }
        Ok(most)
    }

    /// The loops around all accesses, outermost first; none if iterations of one of them may run at
    /// once.
    fn in_order_around<'u>(&self, uses: impl IntoIterator<Item = &'u Use<'u>>) -> Vec<&Loop> {
        let loops = self.scop.loops();
        let around = common(uses.into_iter().map(|(id, _, _)| &self.scop.statement(*id).loops[..]));
        let around: Vec<&Loop> = around.iter().map(|id| loops[id.0]).collect();
        if around.iter().any(|l| l.parallel) { Vec::new() } else { around }
    }
}

/// The cells of a row that is a circular buffer of a constant size.
fn circular(row: &Row) -> Result<Option<i64>> {
    Ok(row.modulus.as_constant()?.filter(|_| !matches!(row.form, RowForm::Fits { .. })))
}

/// By how much a counter's values differ at most where those of loops around are the same; `None`:
/// by any number.
fn span(domain: &Set, level: usize) -> Result<Option<i64>> {
    let all: Vec<String> = (0..domain.dimensions()?).map(|k| format!("i{k}")).collect();
    let text = format!("{{ [{}] -> [[{}] -> [{}]] }}", all.join(", "), all[..level].join(", "), all[level]);
    let by_start = domain.apply(&Map::read(domain.context(), &text)?)?.unwrap()?;
    by_start.reverse()?.apply_range(&by_start)?.deltas()?.dim_max_value(0)
}

/// The loops that are around all.
fn common<'s>(mut all: impl Iterator<Item = &'s [LoopId]>) -> &'s [LoopId] {
    let Some(first) = all.next() else { return &[] };
    all.fold(first, |common, own| {
        let same = common.iter().zip(own).take_while(|(a, b)| a == b).count();
        &common[..same]
    })
}

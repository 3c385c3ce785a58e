//! Storage of tiles, counted from where each tile begins.
//!
//! A tile that computes what it needs for itself has it in an array of several dimensions, of which rings hold a tile's cells:
//!
//! ```text
//! M x mod b             the proved mapping, row by row
//! c_r                   Σ factor · counter of loops around all accesses, where row r of M x is when the loops inside begin
//! lowest_r <= (M x)_r − c_r < lowest_r + b_r       in every access, for all sizes
//! ```
//!
//! In one turn of the loops around two cells differ in row r by less than b_r, so that they share a place in the ring iff (M x)_r − c_r is one number for both. So that, less lowest_r, may be
//! their place in the row, if values stay in one turn ([`own_values`](crate::own_values)): what others left is not asked for. A row that is near no such c_r stays as it is.
//!
//! Example: in tiles of 32 by 32 from I and J on, each of which computes two rows more on both sides, `t[i][j]` lives in `t[i - I + 2][j - J]`, which was `t[(i + 2) % 36][j % 32]`.
//!
//! Invariants: no loop around is parallel, whose turns would share the storage. One dimension is what [`carried_windows`](crate::carried_windows) is for.
//!
//! Source: local arrays of tiles as they are written by hand.

use crate::carried_window::{in_order_around, range};
use crate::own_values::{Use, accesses, are_found};
use crate::window_base::{Base, bases};
use crate::{Placed, Row, RowForm};
use polyfold_flow::{StatementModel, sure_writes};
use polyfold_isl::{Result, Set};
use polyfold_scop::{ArrayId, Loop, LoopId, Scop, StatementId};

/// A tile that begins at less than so many cells from the one in front is no tile.
const LEAST_STEP: i64 = 4;

/// An array whose rows are counted from where tiles begin; only [`tiled_rows`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TiledRows {
    array: ArrayId,
    turns: LoopId,
    rows: Vec<Option<TiledRow>>,
}

/// Where a row of storage begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TiledRow {
    base: Base,
    is_turned: bool,
    lowest: i64,
}

impl TiledRows {
    /// Whose cells.
    pub fn array(&self) -> ArrayId {
        self.array
    }

    /// The loop whose turns are the tiles.
    pub fn turns(&self) -> LoopId {
        self.turns
    }

    /// The rows of the mapping; `None`: as it is.
    pub fn rows(&self) -> &[Option<TiledRow>] {
        &self.rows
    }
}

impl TiledRow {
    /// The counters from which the first cell's position is known, each with its factor; outermost first.
    pub fn base(&self) -> &[(LoopId, i64)] {
        self.base.terms()
    }

    /// Whether the row is gone through backwards: what stands for a position is its negative.
    pub fn is_turned(&self) -> bool {
        self.is_turned
    }

    /// What the first cell's position is above [`base`](Self::base).
    pub fn lowest(&self) -> i64 {
        self.lowest
    }
}

/// All storage of several dimensions whose rows can be counted so, for all parameters in `context`; without statements in `gone`. Arrays in one buffer all are, or none.
///
/// # Errors
/// When the work bound is reached.
pub fn tiled_rows(
    (scop, statements): (&Scop, &[StatementModel]),
    mapped: &[Placed],
    gone: &[StatementId],
    context: &Set,
) -> Result<Vec<TiledRows>> {
    let mut found = Vec::new();
    for place in mapped.iter().filter(|place| place.inside().is_none() && place.rows().len() > 1) {
        let members: Vec<Member> = match place.shared() {
            Some(first) if first != place.array() => continue,
            Some(first) => {
                mapped.iter().filter(|own| own.shared() == Some(first)).map(|own| member(scop, own)).collect()
            }
            None => vec![member(scop, place)],
        };
        found.extend(of_buffer((scop, statements), &members, gone, context)?);
    }
    Ok(found)
}

/// An array in a buffer.
struct Member<'a> {
    place: &'a Placed,
    uses: Vec<Use<'a>>,
}

fn member<'a>(scop: &'a Scop, place: &'a Placed) -> Member<'a> {
    Member { place, uses: accesses(scop, place.array()) }
}

fn of_buffer(
    (scop, statements): (&Scop, &[StatementModel]),
    members: &[Member],
    gone: &[StatementId],
    context: &Set,
) -> Result<Vec<TiledRows>> {
    let is_other = |(id, _, access): &Use| gone.contains(id) || access.is_in_call();
    let stays = |own: &Member| !scop.array(own.place.array()).is_temporary() || own.uses.iter().any(is_other);
    if members.iter().any(stays) {
        return Ok(Vec::new());
    }
    let (loops, around) = (scop.loops(), in_order_around(scop, members.iter().flat_map(|own| &own.uses)));
    let step = |(id, factor): &(LoopId, i64)| factor.saturating_mul(loops[id.0].step).saturating_abs();
    for depth in (0..around.len()).rev() {
        let mut rows: Vec<Vec<Option<TiledRow>>> = vec![Vec::new(); members.len()];
        for k in 0..members[0].place.rows().len() {
            let own = of_row((scop, statements), members, k, (&around[..=depth], context))?;
            rows.iter_mut().enumerate().for_each(|(m, rows)| rows.push(own.as_ref().map(|own| own[m].clone())));
        }
        let has_tiles = rows[0].iter().flatten().any(|row| row.base().iter().any(|term| step(term) >= LEAST_STEP));
        let mut stays = has_tiles;
        for own in members {
            stays = stays && are_found(&own.uses, depth + 1, &sure_writes(scop), statements, context)?;
        }
        if stays {
            let turns = around[depth].id;
            let tiled = |(own, rows): (&Member, _)| TiledRows { array: own.place.array(), turns, rows };
            return Ok(members.iter().zip(rows).map(tiled).collect());
        }
    }
    Ok(Vec::new())
}

/// Where a row begins for each member, in a turn of the last one of some loops; `None`: it is no ring, or one that no window of a turn fits.
fn of_row(
    (scop, statements): (&Scop, &[StatementModel]),
    members: &[Member],
    k: usize,
    (around, context): (&[&Loop], &Set),
) -> Result<Option<Vec<TiledRow>>> {
    let mut found: Vec<(TiledRow, i64)> = Vec::new();
    let (mut lowest, mut highest, mut cells) = (i64::MAX, i64::MIN, i64::MAX);
    for own in members {
        let Some(row) = own.place.rows().get(k) else { return Ok(None) };
        let ring = row.modulus.as_constant()?.filter(|_| !matches!(row.form, RowForm::Fits { .. }));
        let (Some(modulus), Some(shift)) = (ring, row.shift.as_constant()?) else { return Ok(None) };
        let Some((base, (least, most))) = near((scop, statements), own, row, (around, context))? else {
            return Ok(None);
        };
        let shift = if base.0 { -shift } else { shift };
        let (Some(least), Some(most)) = (least.checked_add(shift), most.checked_add(shift)) else { return Ok(None) };
        (lowest, highest, cells) = (lowest.min(least), highest.max(most), cells.min(modulus));
        found.push((TiledRow { is_turned: base.0, base: base.1, lowest: 0 }, shift));
    }
    let is_one = found.iter().all(|(row, _)| row.base == found[0].0.base && row.is_turned == found[0].0.is_turned);
    if !is_one || highest.checked_sub(lowest).is_none_or(|more| more >= cells) {
        return Ok(None);
    }
    Ok(Some(found.into_iter().map(|(row, shift)| TiledRow { lowest: lowest - shift, ..row }).collect()))
}

/// What positions in a row are near: whether they are turned around, from where they are counted, and the least and the greatest one from there.
type Near = ((bool, Base), (i64, i64));

/// What a member's positions in a row are near; `None`: nothing.
fn near(
    (scop, statements): (&Scop, &[StatementModel]),
    own: &Member,
    row: &Row,
    (around, context): (&[&Loop], &Set),
) -> Result<Option<Near>> {
    for (is_turned, base) in bases(scop, &own.uses, &row.coefficients, around) {
        let factors: Vec<i64> = row.coefficients.iter().map(|f| if is_turned { -f } else { *f }).collect();
        if let Some(ends) = range((scop, statements), &own.uses, &factors, (&base, context))? {
            return Ok(Some(((is_turned, base), ends)));
        }
    }
    Ok(None)
}

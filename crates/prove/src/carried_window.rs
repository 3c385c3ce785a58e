//! Rings that can be windows which a loop over strips carries along.
//!
//! ```text
//! c        counter of a loop that grows by V each turn: where a strip begins
//! v        position of a cell in the ring, which keeps it in cell v mod M
//! v − c    lowest <= v − c < lowest + W in every access, for all sizes, with W <= M
//! ```
//!
//! So in each turn only W cells of the ring are used, one behind the other, and a buffer of W cells holds them without a remainder: v is in cell
//! v − c − lowest. At the end of each turn the cells from V on move to the front, W − V of them, which is where they are in the next one. In a loop that goes down they move
//! from the front to V and behind.
//!
//! That finds what the ring finds once values stay in one run of the loop ([`own_values`]): from a write to the reads of its value the
//! turns follow each other, and a cell that two of them use is in all windows between, as v − c falls from turn to turn, or grows where the loop goes down. No two values that are alive at once have one v,
//! since they would have one v mod M.
//!
//! In loops that go down v may grow with −c: then −v takes its place.
//!
//! Loops are windows' strips only if a turn keeps no more cells than it has new ones: to move more takes longer than what is spared.
//!
//! Example: `for (c = 0; c < n; c += 128) { for (j = c; j < min(n, c + 128); j++) t[j] = f(j); for (j = …) g(t[j - 2], t[j]); }` has −2 <= v − c < 128:
//! 130 cells, `t[j - c + 2]` and `t[j - c]`, and `t[0] = t[128], t[1] = t[129]` behind both loops.
//!
//! Source: strip-mining and distribution of loops as in Allen and Kennedy, Optimizing Compilers for Modern Architectures (2001), §2 and 5; line
//! buffers as they are written by hand.

use crate::own_values::{Use, accesses, are_found};
use crate::{Placed, RowForm};
use polyfold_flow::{StatementModel, sure_writes};
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{ArrayId, Loop, LoopId, Scop, StatementId};

/// An array of which a loop carries a window along; only [`carried_windows`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarriedWindow {
    array: ArrayId,
    strips: LoopId,
    step: i64,
    is_turned: bool,
    lowest: i64,
    cells: i64,
}

impl CarriedWindow {
    /// Whose cells.
    pub fn array(&self) -> ArrayId {
        self.array
    }

    /// The loop whose turns are the strips.
    pub fn strips(&self) -> LoopId {
        self.strips
    }

    /// By how much its counter grows, or shrinks if that is negative.
    pub fn step(&self) -> i64 {
        self.step
    }

    /// Whether the ring is gone through backwards: what stands for v is −v.
    pub fn is_turned(&self) -> bool {
        self.is_turned
    }

    /// What the first cell's position is above the counter.
    pub fn lowest(&self) -> i64 {
        self.lowest
    }

    /// How many cells are used in a turn.
    pub fn cells(&self) -> i64 {
        self.cells
    }

    /// Where a value is in the next turn that is in the cell `k + from` now: in cell `k + to`, for k from 0 up to [`carried`](Self::carried); `(to, from)`.
    pub fn moves(&self) -> (i64, i64) {
        if self.step < 0 { (-self.step, 0) } else { (0, self.step) }
    }

    /// How many cells stay from turn to turn.
    pub fn carried(&self) -> i64 {
        (self.cells - self.step.abs()).max(0)
    }
}

/// All rings that can be windows, for all parameters in `context`; without statements in `gone`.
///
/// # Errors
/// When the work bound is reached.
pub fn carried_windows(
    (scop, statements): (&Scop, &[StatementModel]),
    mapped: &[Placed],
    gone: &[StatementId],
    context: &Set,
) -> Result<Vec<CarriedWindow>> {
    let mut found = Vec::new();
    for place in mapped.iter().filter(|place| place.shared().is_none()) {
        let [ring] = place.rows() else { continue };
        let Some(cells) = ring.modulus.as_constant()?.filter(|_| !matches!(ring.form, RowForm::Fits { .. })) else {
            continue;
        };
        let window = carried_window((scop, statements), (place.array(), &ring.coefficients), gone, context)?;
        found.extend(window.filter(|window| window.cells <= cells));
    }
    Ok(found)
}

/// The window of an array whose cells have positions `Σ factor · subscript` in a ring that has as many cells, if that is proved to hold its values.
///
/// # Errors
/// When the work bound is reached.
fn carried_window(
    (scop, statements): (&Scop, &[StatementModel]),
    (array, factors): (ArrayId, &[i64]),
    gone: &[StatementId],
    context: &Set,
) -> Result<Option<CarriedWindow>> {
    let uses = accesses(scop, array);
    let goes = |id: &StatementId| gone.contains(id);
    let own = scop.array(array);
    if !own.is_temporary() || own.is_scalar() || uses.iter().any(|(id, _, access)| goes(id) || access.is_in_call()) {
        return Ok(None);
    }
    let loops = scop.loops();
    let around = common(uses.iter().map(|(id, _, _)| &scop.statement(*id).loops[..]));
    let around: Vec<&Loop> = around.iter().filter_map(|id| loops.iter().copied().find(|l| l.id == *id)).collect();
    if around.iter().any(|l| l.parallel) {
        return Ok(None);
    }
    for (depth, strips) in around.iter().enumerate().rev().filter(|(_, l)| l.is_over_strips()) {
        let found = range_or_turned((scop, statements), &uses, factors, (depth, context))?;
        let Some((is_turned, (lowest, highest))) = found else { continue };
        let Some(cells) = highest.checked_sub(lowest).and_then(|more| more.checked_add(1)) else { continue };
        let window = CarriedWindow { array, strips: strips.id, step: strips.step, is_turned, lowest, cells };
        let is_short = window.carried() <= window.step.abs();
        if is_short && are_found(&uses, depth, &sure_writes(scop), statements, context)? {
            return Ok(Some(window));
        }
    }
    Ok(None)
}

/// The loops that are around all.
fn common<'s>(mut all: impl Iterator<Item = &'s [LoopId]>) -> &'s [LoopId] {
    let Some(first) = all.next() else { return &[] };
    all.fold(first, |common, own| {
        let same = common.iter().zip(own).take_while(|(a, b)| a == b).count();
        &common[..same]
    })
}

/// Whether −v takes the place of v, and the range of v − c then; `None`: neither v nor −v has one.
fn range_or_turned(
    of: (&Scop, &[StatementModel]),
    uses: &[Use],
    factors: &[i64],
    at: (usize, &Set),
) -> Result<Option<(bool, (i64, i64))>> {
    if let Some(range) = range(of, uses, factors, at)? {
        return Ok(Some((false, range)));
    }
    let turned: Vec<i64> = factors.iter().map(|factor| -factor).collect();
    Ok(range(of, uses, &turned, at)?.map(|range| (true, range)))
}

/// The least and the greatest v − c of all accesses, where c counts a loop that so many are around; `None`: there is none.
fn range(
    (scop, statements): (&Scop, &[StatementModel]),
    uses: &[Use],
    factors: &[i64],
    (depth, context): (usize, &Set),
) -> Result<Option<(i64, i64)>> {
    let mut range: Option<(i64, i64)> = None;
    for (id, number, _) in uses {
        let cells = statements[id.0].cells[*number].unnamed()?.intersect_params(context)?;
        let own = apart(&cells, factors, (depth, scop.statement(*id).loops.len()))?;
        let Some((least, most)) = own else { return Ok(None) };
        range = Some(range.map_or((least, most), |(low, high)| (low.min(least), high.max(most))));
    }
    Ok(range)
}

/// The least and the greatest v − c of an access in so many loops, of which one counts c; `None`: there is none.
fn apart(cells: &Map, factors: &[i64], (counter, depth): (usize, usize)) -> Result<Option<(i64, i64)>> {
    let counters: Vec<String> = (0..depth).map(|k| format!("i{k}")).collect();
    let subscripts: Vec<String> = (0..factors.len()).map(|k| format!("x{k}")).collect();
    let term = |(factor, name): (&i64, &String)| {
        let sign = if *factor < 0 { '-' } else { '+' };
        format!(" {sign} {} * {name}", factor.unsigned_abs())
    };
    let sum: String = factors.iter().zip(&subscripts).map(term).collect();
    let (counters, subscripts) = (counters.join(", "), subscripts.join(", "));
    let text = format!("{{ [[{counters}] -> [{subscripts}]] -> [0{sum} - i{counter}] }}");
    let apart = cells.wrap()?.apply(&Map::read(cells.context(), &text)?)?;
    if apart.is_empty()? {
        return Ok(None);
    }
    Ok(apart.dim_min_value(0)?.zip(apart.dim_max_value(0)?))
}

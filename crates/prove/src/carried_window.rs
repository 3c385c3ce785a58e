//! Rings that can be windows which a loop over strips carries along.
//!
//! ```text
//! c        Σ factor · counter, of loops over strips or tiles and those around: grows by V in each turn of the innermost one of these
//! v        position of a cell in the ring, which keeps it in cell v mod M
//! v − c    lowest <= v − c < lowest + W in every access, for all sizes, with W <= M
//! ```
//!
//! So in each turn only W cells of the ring are used, one behind the other, and a buffer of W cells holds them without a remainder: v is in cell
//! v − c − lowest. At the end of each turn the cells from V on move to the front, W − V of them, which is where they are in the next one. In a loop that goes down they move
//! from the front to V and behind. Where values stay in one turn, none moves.
//!
//! That finds what the ring finds once values stay in one run of the loop ([`own_values`](crate::own_values)): from a write to the reads of its value the
//! turns follow each other, and a cell that two of them use is in all windows between, as v − c falls from turn to turn, or grows where the loop goes down. No two values that are alive at once have one v,
//! since they would have one v mod M.
//!
//! Where v grows with −c, −v takes its place.
//!
//! Loops that go on by less than 16 are over strips of loops inside alone, and of rings that wrap around anywhere but at a power of two: that costs nothing.
//!
//! Cells are moved only if a turn has as many new ones as it keeps, or twice as many turns of the loops inside: more takes longer than what is spared.
//!
//! Example: `for (c = 0; c < n; c += 128) { for (j = c; j < min(n, c + 128); j++) t[j] = f(j); for (j = …) g(t[j - 2], t[j]); }` has −2 <= v − c < 128:
//! 130 cells, `t[j - c + 2]` and `t[j - c]`, and `t[0] = t[128], t[1] = t[129]` behind both loops.
//!
//! In tiles of 256 by 256, over x and y from X and Y on, of which rows read two cells of the tile in front, cells `t[x][y]` have v = y − 2 x in a ring of 768: with
//! c = Y − 2 X it is −512 <= v − c < 256, and 512 cells move in each turn over Y, while 65 536 are computed.
//!
//! Source: strip-mining and distribution of loops as in Allen and Kennedy, Optimizing Compilers for Modern Architectures (2001), §2 and 5; line
//! buffers as they are written by hand.

use crate::own_values::{Use, accesses, are_found};
use crate::window_base::{Base, bases};
use crate::{Placed, RowForm};
use polyfold_flow::{StatementModel, sure_writes};
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{ArrayId, Loop, LoopId, Scop, StatementId};

/// Loops that go on by less have nothing that is worth to be called a strip.
const LEAST_STEP: i64 = 4;

/// How many turns of loops inside are worth a move.
const TURNS_FOR_A_MOVE: i64 = 2;

/// An array of which a loop carries a window along; only [`carried_windows`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarriedWindow {
    array: ArrayId,
    base: Base,
    is_turned: bool,
    lowest: i64,
    cells: i64,
    carried: i64,
}

impl CarriedWindow {
    /// Whose cells.
    pub fn array(&self) -> ArrayId {
        self.array
    }

    /// The loop whose turns are the strips.
    pub fn strips(&self) -> LoopId {
        self.base.strips()
    }

    /// The counters from which the first cell's position is known, each with its factor; outermost first.
    pub fn base(&self) -> &[(LoopId, i64)] {
        self.base.terms()
    }

    /// By how much the first cell's position grows in each turn, or shrinks if that is negative.
    pub fn step(&self) -> i64 {
        self.base.step()
    }

    /// Whether the ring is gone through backwards: what stands for v is −v.
    pub fn is_turned(&self) -> bool {
        self.is_turned
    }

    /// What the first cell's position is above [`base`](Self::base).
    pub fn lowest(&self) -> i64 {
        self.lowest
    }

    /// How many cells are used in a turn.
    pub fn cells(&self) -> i64 {
        self.cells
    }

    /// Where a value is in the next turn that is in the cell `k + from` now: in cell `k + to`, for k from 0 up to [`carried`](Self::carried), or down where the loop goes down: a cell may
    /// be both; `(to, from)`.
    pub fn moves(&self) -> (i64, i64) {
        let step = self.step();
        if step < 0 { (-step, 0) } else { (0, step) }
    }

    /// How many cells stay from turn to turn.
    pub fn carried(&self) -> i64 {
        self.carried
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
        found.extend(carried_window((scop, statements), (place.array(), &ring.coefficients, cells), gone, context)?);
    }
    Ok(found)
}

/// The window of an array whose cells have positions `Σ factor · subscript` in a ring of so many cells, if that is proved to hold its values.
///
/// # Errors
/// When the work bound is reached.
fn carried_window(
    (scop, statements): (&Scop, &[StatementModel]),
    (array, factors, cells): (ArrayId, &[i64], i64),
    gone: &[StatementId],
    context: &Set,
) -> Result<Option<CarriedWindow>> {
    let uses = accesses(scop, array);
    let goes = |id: &StatementId| gone.contains(id);
    let own = scop.array(array);
    if !own.is_temporary() || own.is_scalar() || uses.iter().any(|(id, _, access)| goes(id) || access.is_in_call()) {
        return Ok(None);
    }
    let around = in_order_around(scop, uses.iter());
    for depth in (0..around.len()).rev().filter(|depth| around[*depth].step.abs() >= LEAST_STEP) {
        let Some((window, fits)) = in_turns((scop, statements), (array, &uses), factors, (&around[..=depth], context))?
        else {
            continue;
        };
        let is_inside = uses.iter().all(|(id, _, _)| scop.statement(*id).loops.len() > depth + 1);
        let is_tile = window.base().len() > 1 || !cells.unsigned_abs().is_power_of_two();
        let fits = fits && window.cells <= cells && (around[depth].is_over_strips() || is_inside && is_tile);
        if fits && are_found(&uses, depth, &sure_writes(scop), statements, context)? {
            return Ok(Some(window));
        }
    }
    Ok(None)
}

/// The window of the turns of the last one of some loops, and whether its cells are worth to be moved.
fn in_turns(
    (scop, statements): (&Scop, &[StatementModel]),
    (array, uses): (ArrayId, &[Use]),
    factors: &[i64],
    (around, context): (&[&Loop], &Set),
) -> Result<Option<(CarriedWindow, bool)>> {
    let depth = around.len() - 1;
    let is_of_turns = |base: &Base| base.strips() == around[depth].id;
    for (is_turned, base) in bases(scop, uses, factors, around).into_iter().filter(|(_, base)| is_of_turns(base)) {
        let own: Vec<i64> = factors.iter().map(|factor| if is_turned { -factor } else { *factor }).collect();
        let Some((lowest, highest)) = range((scop, statements), uses, &own, (&base, context))? else { continue };
        let Some(cells) = highest.checked_sub(lowest).and_then(|more| more.checked_add(1)) else { continue };
        let stays = are_found(uses, depth + 1, &sure_writes(scop), statements, context)?;
        let carried = if stays { 0 } else { (cells - base.step().abs()).max(0) };
        let is_short = carried <= base.step().abs();
        let is_worth_it =
            is_short || carried.saturating_mul(TURNS_FOR_A_MOVE) <= turns(uses, statements, (depth, context))?;
        return Ok(Some((CarriedWindow { array, base, is_turned, lowest, cells, carried }, is_worth_it)));
    }
    Ok(None)
}

/// How many turns loops inside one have at most, all together, around the statement with most of them.
fn turns(uses: &[Use], statements: &[StatementModel], (depth, context): (usize, &Set)) -> Result<i64> {
    let mut most = 0;
    for (id, _, _) in uses {
        let domain = statements[id.0].domain.unnamed()?.intersect_params(context)?;
        let mut own: i64 = 1;
        for level in depth + 1..domain.dimensions()? {
            own = own.saturating_mul(span(&domain, level)?.map_or(i64::MAX, |span| span.saturating_add(1)));
        }
        most = most.max(own);
    }
    Ok(most)
}

/// By how much a counter's values differ at most where those of loops around are the same; `None`: by any number.
fn span(domain: &Set, level: usize) -> Result<Option<i64>> {
    let all: Vec<String> = (0..domain.dimensions()?).map(|k| format!("i{k}")).collect();
    let text = format!("{{ [{}] -> [[{}] -> [{}]] }}", all.join(", "), all[..level].join(", "), all[level]);
    let by_start = domain.apply(&Map::read(domain.context(), &text)?)?.unwrap()?;
    by_start.reverse()?.apply_range(&by_start)?.deltas()?.dim_max_value(0)
}

/// The loops around all accesses, outermost first; none if turns of one of them may run at once.
pub(crate) fn in_order_around<'s>(scop: &'s Scop, uses: impl Iterator<Item = &'s Use<'s>>) -> Vec<&'s Loop> {
    let loops = scop.loops();
    let around = common(uses.map(|(id, _, _)| &scop.statement(*id).loops[..]));
    let around: Vec<&Loop> = around.iter().map(|id| loops[id.0]).collect();
    if around.iter().any(|l| l.parallel) { Vec::new() } else { around }
}

/// The loops that are around all.
fn common<'s>(mut all: impl Iterator<Item = &'s [LoopId]>) -> &'s [LoopId] {
    let Some(first) = all.next() else { return &[] };
    all.fold(first, |common, own| {
        let same = common.iter().zip(own).take_while(|(a, b)| a == b).count();
        &common[..same]
    })
}

/// The least and the greatest v − c of all accesses; `None`: there is none.
pub(crate) fn range(
    (scop, statements): (&Scop, &[StatementModel]),
    uses: &[Use],
    factors: &[i64],
    (base, context): (&Base, &Set),
) -> Result<Option<(i64, i64)>> {
    let mut range: Option<(i64, i64)> = None;
    for (id, number, _) in uses {
        let cells = statements[id.0].cells[*number].unnamed()?.intersect_params(context)?;
        let own = apart(&cells, factors, (base, &scop.statement(*id).loops))?;
        let Some((least, most)) = own else { return Ok(None) };
        range = Some(range.map_or((least, most), |(low, high)| (low.min(least), high.max(most))));
    }
    Ok(range)
}

/// The least and the greatest v − c of an access in so many loops; `None`: there is none.
fn apart(cells: &Map, factors: &[i64], (base, loops): (&Base, &[LoopId])) -> Result<Option<(i64, i64)>> {
    let counters: Vec<String> = (0..loops.len()).map(|k| format!("i{k}")).collect();
    let subscripts: Vec<String> = (0..factors.len()).map(|k| format!("x{k}")).collect();
    let term = |(factor, name): (i64, &String)| {
        let sign = if factor < 0 { '-' } else { '+' };
        format!(" {sign} {} * {name}", factor.unsigned_abs())
    };
    let own = factors.iter().copied().zip(&subscripts);
    let of_base = loops.iter().zip(&counters).map(|(id, name)| (-base.factor(*id), name));
    let sum: String = own.chain(of_base.filter(|(factor, _)| *factor != 0)).map(term).collect();
    let (counters, subscripts) = (counters.join(", "), subscripts.join(", "));
    let text = format!("{{ [[{counters}] -> [{subscripts}]] -> [0{sum}] }}");
    let apart = cells.wrap()?.apply(&Map::read(cells.context(), &text)?)?;
    if apart.is_empty()? {
        return Ok(None);
    }
    Ok(apart.dim_min_value(0)?.zip(apart.dim_max_value(0)?))
}

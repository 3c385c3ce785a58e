//! Rings of a few cells that can be shift registers.
//!
//! A ring that a loop goes through one cell at a time holds its last few values. Where the loop moves them all by one place at the end of each turn, a
//! subscript needs no remainder: it is a number, if at each moment that is where the value has come to.
//!
//! ```text
//! v        position of a cell in the ring, counted in the loop's direction: the ring keeps it in cell v mod M
//! s        turns that were over
//! v − s    = base + u      u: a number for each access; base: the same for all accesses of a window
//! ```
//!
//! In front of the loop s is 0, in its turn j it is j − first, behind it the number of turns. A *window* is all that happens in one turn of each of the
//! loops around. In it the cells of the register are those of the ring, turned by s − base places, so that each access finds in cell
//! (u − least u) mod M what it finds in cell v mod M of the ring. That holds once
//!
//! * for all sizes, each access has one u in all windows ([`moments`]),
//! * each read surely finds a value of its own window ([`own_values`](crate::own_values)): between windows nothing is said of where values are.
//!
//! If the u differ by less than M, no value comes from the first cell to the last one: then cells are only moved down. Else they go round.
//!
//! Example: `a[0] = x; a[1] = y; for (j = 2; j < n; j++) a[j] = a[j - 1] + a[j - 2]; z = a[n - 1];` in a ring of 2 has u = 0, 1 in front,
//! j − (j − 2) = 2, 1 and 0 in the loop, and n − 1 − (n − 2) = 1 behind it: `a[0] = x; a[1] = y;`, `a[0] = a[1] + a[0];` with both cells exchanged at the end of each
//! turn, and `z = a[1];`. For n < 2 the last would be another number, if C did not exclude it: a[1] is written.
//!
//! Source: Callahan, Carr and Kennedy, Improving Register Allocation for Subscripted Variables (PLDI 1990), for windows in loops; as line
//! buffers are written by hand for hardware.

mod moments;
mod window;

use crate::{Placed, own_values};
use moments::Moments;
use polyfold_flow::{StatementModel, sure_writes};
use polyfold_isl::{Result, Set};
use polyfold_scop::{ArrayId, LoopId, Scop, StatementId};
use std::collections::{BTreeMap, BTreeSet};
use window::Window;

/// Where the accesses of a shift register may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// All in innermost loops, which surely write what they read, in arrays of one dimension whose values do not go round, and move as counters do: in fast
    /// code other windows are no slower in strips, or faster.
    InnermostLoops,
    /// Also in front of the loops, behind them, and in loops inside.
    Around,
}

/// An array whose cells may move; only [`shift_registers`] makes one.
#[derive(Clone, Debug)]
pub struct ShiftRegister {
    array: ArrayId,
    row: usize,
    extents: Vec<usize>,
    loops: Vec<LoopId>,
    goes_round: bool,
    places: BTreeMap<(StatementId, usize), usize>,
    written: BTreeSet<usize>,
}

impl ShiftRegister {
    /// Whose cells.
    pub fn array(&self) -> ArrayId {
        self.array
    }

    /// The dimension of the storage in which they move.
    pub fn row(&self) -> usize {
        self.row
    }

    /// The cells of the storage in each dimension.
    pub fn extents(&self) -> &[usize] {
        &self.extents
    }

    /// The loops that move them at the end of each turn, in text order.
    pub fn loops(&self) -> &[LoopId] {
        &self.loops
    }

    /// Cells that the ring has.
    pub fn cells(&self) -> usize {
        self.extents[self.row]
    }

    /// Whether what is in the first cell moves to the last one.
    pub fn goes_round(&self) -> bool {
        self.goes_round
    }

    /// The first of the cells that are used.
    pub fn first(&self) -> usize {
        self.places.values().copied().min().unwrap_or(0)
    }

    /// The one cell that gets new values; `None`: there are several.
    pub fn newest(&self) -> Option<usize> {
        self.written.first().copied().filter(|_| self.written.len() == 1)
    }

    /// Where an access of a statement finds its value.
    pub fn place(&self, statement: StatementId, access: usize) -> Option<usize> {
        self.places.get(&(statement, access)).copied()
    }
}

/// All rings that can be shift registers, for all parameters in `context`; without statements in `gone`.
///
/// # Errors
/// When the work bound is reached.
pub fn shift_registers(
    (scop, statements): (&Scop, &[StatementModel]),
    mapped: &[Placed],
    gone: &[StatementId],
    context: &Set,
    reach: Reach,
) -> Result<Vec<ShiftRegister>> {
    let mut found = Vec::new();
    for place in mapped {
        for window in Window::all(scop, place, gone)? {
            if let Some(register) = register(&window, statements, context, reach)? {
                found.push(register);
                break;
            }
        }
    }
    Ok(found)
}

fn register(
    window: &Window,
    statements: &[StatementModel],
    context: &Set,
    reach: Reach,
) -> Result<Option<ShiftRegister>> {
    if reach == Reach::InnermostLoops && !window.is_in_innermost_loops() {
        return Ok(None);
    }
    let Some(numbers) = Moments::of(window, statements, context)?.numbers()? else { return Ok(None) };
    let (Some(least), Some(most)) = (numbers.iter().min(), numbers.iter().max()) else { return Ok(None) };
    let cells = window.cells() as i64;
    let goes_round = most - least >= cells;
    let is_asked = reach == Reach::Around || !goes_round && window.goes_with_counters(&numbers);
    if most == least || !is_asked || !are_in_time(window, statements, context, reach)? {
        return Ok(None);
    }
    let place = |number: &i64| match goes_round {
        true => (number - least).rem_euclid(cells) as usize,
        false => (cells - 1 - (most - number)) as usize,
    };
    let places: Vec<usize> = numbers.iter().map(place).collect();
    let written = window.uses.iter().zip(&places).filter(|(used, _)| used.access.is_write());
    Ok(Some(ShiftRegister {
        array: window.array,
        row: window.row,
        extents: window.extents.clone(),
        loops: window.loops.iter().map(|l| l.id).collect(),
        goes_round,
        written: written.map(|(_, place)| *place).collect(),
        places: window.uses.iter().zip(&places).map(|(used, k)| ((used.statement, used.number), *k)).collect(),
    }))
}

/// Whether reads find values of their own window: one that is there once, with no loop around it, has no other values.
fn are_in_time(window: &Window, statements: &[StatementModel], context: &Set, reach: Reach) -> Result<bool> {
    if reach == Reach::Around && window.around == 0 && !window.scop.repeats {
        return Ok(true);
    }
    let in_branches = if reach == Reach::Around { sure_writes(window.scop) } else { BTreeSet::new() };
    let uses: Vec<own_values::Use> =
        window.uses.iter().map(|used| (used.statement, used.number, used.access)).collect();
    own_values::are_found(&uses, window.around, &in_branches, statements, context)
}

//! How loops go through an array, and what a mapping makes of that.
//!
//! With each iteration of the loop right around an access its cell moves by a vector of slopes, one
//! per coordinate. A row m of a mapping then moves by `m · slopes`. (Innermost loops with a small trip
//! count through a window don't count, since compilers unroll them.) Best is a mapping of which only
//! the last row moves, by 1, and takes no remainder: consecutive cells.
//!
//! Example: in `for (i…) s += y[i][k - 1]` a cell moves by (1, 0). Of `[i][k mod 2]` the first row moves, and cells are 2 apart; of
//! `[k mod 2][i]` only the last row moves, by 1.

use polyfold_flow::has_few_turns;
use polyfold_scop::{Access, ArrayId, Expr, LoopId, Scop};

/// How the cell of one access moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Movement {
    /// With the loop right around it.
    inner: Vec<i64>,
    /// With the loop around that one.
    outer: Vec<i64>,
}

/// A row of a mapping, with what is known of how it is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MovedRow {
    pub(crate) factors: Vec<i64>,
    pub(crate) remainder: Remainder,
}

/// How a row wraps around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remainder {
    None,
    /// By a power of two.
    Mask,
    /// Of what is never negative.
    Plain,
    /// Taken twice.
    Signed,
}

/// What a mapping costs in the innermost loops; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cost {
    inner: u64,
    outer: u64,
}

/// A stride, a remainder that changes with each iteration, one that a mask computes, and a reversed row, against each other.
const STRIDE: u64 = 4;
const REMAINDER: u64 = 2;
const MASK: u64 = 1;
const REVERSED: u64 = 1;

impl Movement {
    /// Of an array's accesses in its deepest loops, as far as they are sums.
    pub(crate) fn of(scop: &Scop, id: ArrayId) -> Vec<Movement> {
        let accesses = scop.statements.iter().flat_map(|s| s.accesses.iter().map(move |access| (&s.loops, access)));
        let own = accesses.filter(|(_, access)| access.array == id);
        let own: Vec<_> = own.map(|(loops, access)| (without_windows(scop, loops, access), access)).collect();
        let deepest = own.iter().map(|(loops, _)| loops.len()).max().unwrap_or(0);
        let mut movements = Vec::new();
        for (loops, access) in own.into_iter().filter(|(loops, _)| loops.len() == deepest && deepest > 0) {
            let along = |level: Option<&LoopId>| match (level, &access.subscripts) {
                (None, Some(subscripts)) => Some(vec![0; subscripts.len()]),
                (Some(id), Some(subscripts)) => subscripts.iter().map(|s| slope(scop, s, *id)).collect(),
                (_, None) => None,
            };
            let levels = (along(loops.last()), along(loops.iter().rev().nth(1)));
            if let (Some(inner), Some(outer)) = levels {
                movements.push(Movement { inner, outer });
            }
        }
        movements
    }

    /// By how much a row moves with the loop right around the access.
    pub(crate) fn of_row(&self, factors: &[i64]) -> i64 {
        dot(factors, &self.inner)
    }

    /// The same at another place of the cell's coordinates: "P" in a common space.
    pub(crate) fn at(&self, rows: &[Vec<i64>]) -> Movement {
        let at = |slopes: &[i64]| rows.iter().map(|row| dot(row, slopes)).collect();
        Movement { inner: at(&self.inner), outer: at(&self.outer) }
    }
}

/// The loops around an access without innermost ones of a small trip count that go through a window: their counters stand beside others in its subscripts. (A
/// loop over three colours goes through a dimension of its own.)
fn without_windows<'l>(scop: &Scop, loops: &'l [LoopId], access: &Access) -> &'l [LoopId] {
    let all = scop.loops();
    let moves = |subscript: &Expr, id: LoopId| slope(scop, subscript, id).is_none_or(|slope| slope != 0);
    let is_shared = |subscript: &Expr, id: LoopId| loops.iter().any(|other| *other != id && moves(subscript, *other));
    let goes_through_window = |id: LoopId| {
        access.subscripts.iter().flatten().all(|subscript| !moves(subscript, id) || is_shared(subscript, id))
    };
    let last = loops.iter().rposition(|id| !has_few_turns(scop, all[id.0]) || !goes_through_window(*id));
    last.map_or(loops, |last| &loops[..=last])
}

impl Cost {
    /// Of what is no combination of rows.
    pub(crate) const MOST: Cost = Cost { inner: u64::MAX, outer: u64::MAX };

    /// Whether something costs less than this by what cells are worth: as much as a remainder in innermost loops, or in those around
    /// them, and nothing more in innermost ones.
    pub(crate) fn is_worth_cells(self, other: Cost) -> bool {
        let saves_around = self.outer.saturating_sub(other.outer) >= REMAINDER;
        self.saves_in_innermost_loops(other) || self.inner >= other.inner && saves_around
    }

    /// Whether something costs less than this by a remainder in innermost loops.
    pub(crate) fn saves_in_innermost_loops(self, other: Cost) -> bool {
        self.inner.saturating_sub(other.inner) >= REMAINDER
    }

    /// Whether next to nothing is left in innermost loops of what this costs there: a quarter.
    pub(crate) fn loses_most_in_innermost_loops(self, other: Cost) -> bool {
        other.inner <= self.inner / 4
    }

    /// Of some rows.
    pub(crate) fn of(rows: &[MovedRow], movements: &[Movement]) -> Cost {
        let sum =
            |slopes: fn(&Movement) -> &[i64]| movements.iter().map(|movement| along(rows, slopes(movement))).sum();
        Cost { inner: sum(|movement| &movement.inner), outer: sum(|movement| &movement.outer) }
    }
}

/// What moving by some slopes costs. Where other rows move too, it does not matter whether the last one is reversed.
fn along(rows: &[MovedRow], slopes: &[i64]) -> u64 {
    let mut cost = 0;
    for (k, row) in rows.iter().enumerate() {
        let is_last = k + 1 == rows.len();
        cost += match (dot(&row.factors, slopes), is_last) {
            (0, _) => continue,
            (1, true) => 0,
            (-1, true) => {
                if cost == 0 {
                    REVERSED
                } else {
                    0
                }
            }
            _ => STRIDE,
        };
        cost += match row.remainder {
            Remainder::None => 0,
            Remainder::Mask => MASK,
            Remainder::Plain => REMAINDER,
            Remainder::Signed => 2 * REMAINDER,
        };
    }
    cost
}

fn dot(row: &[i64], slopes: &[i64]) -> i64 {
    row.iter().zip(slopes).map(|(a, b)| a.saturating_mul(*b)).fold(0, i64::saturating_add)
}

/// By how much an expression grows with each iteration of a loop, where it grows at all; `None`: it is no sum, nor one of two.
fn slope(scop: &Scop, expr: &Expr, id: LoopId) -> Option<i64> {
    match expr {
        Expr::Constant(_) | Expr::Parameter(_) => Some(0),
        Expr::Iterator(own) => Some(if *own == id { scop.loops()[id.0].step } else { 0 }),
        Expr::Add(a, b) => slope(scop, a, id)?.checked_add(slope(scop, b, id)?),
        Expr::Scale(factor, inner) => slope(scop, inner, id)?.checked_mul(*factor),
        Expr::Select(_, a, b) => {
            let (a, b) = (slope(scop, a, id)?, slope(scop, b, id)?);
            Some(if a == 0 { b } else { a })
        }
        Expr::Divide(..) | Expr::Remainder(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells are worth a remainder, in innermost loops first: not an order alone, and no stride there for what is saved around.
    #[test]
    fn cells_are_worth_what_a_remainder_costs() {
        let cost = |inner, outer| Cost { inner, outer };
        assert!(cost(2, 0).is_worth_cells(cost(0, 9)) && cost(4, 2).is_worth_cells(cost(4, 0)));
        assert!(!cost(1, 0).is_worth_cells(cost(0, 0)) && !cost(0, 9).is_worth_cells(cost(1, 0)));
        assert!(!cost(4, 4).is_worth_cells(cost(4, 4)) && Cost::MOST.is_worth_cells(cost(9, 9)));
    }
}

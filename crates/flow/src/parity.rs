//! Grids that take turns: dimensions in which a cell says no more than in which turn of a loop it is written.
//!
//! In `u[(t + 1) % 2][i] = f(u[t % 2][i])` the first subscript follows from t. What is written in turn t stands at
//!
//! ```text
//! c = (t + k) mod m
//! ```
//!
//! and what is written in front of the loop is taken for that of the last turn before the first one, T, that would have written there:
//!
//! ```text
//! t' = the largest t < T with t + k ≡ c mod m
//! ```
//!
//! So the turn of a value says c, and names of values go without: c is 0 in all of them.
//!
//! Example: with `u[0][i] = …; u[1][i] = …;` in front of a loop from 0 that writes `u[(t + 1) % 2][i]`, k = 1, u[0] is of turn −1 and u[1] of
//! turn −2.

use crate::expansion::Touching;
use polyfold_isl::{Map, Result, Set};

/// More grids than this take no turns that anybody would look for.
const MOST_GRIDS: i64 = 4;

/// A dimension whose coordinate is `(turn + phase) mod grids`.
pub(crate) struct Parity {
    axis: usize,
    phase: i64,
    grids: i64,
    dimensions: usize,
}

impl Parity {
    /// The first such dimension; `turns`: for each write in the loop its turns and cells, `{ [turn] -> A[c] }`, `cells`: those of the array.
    pub(crate) fn of(turns: &[Map], cells: &Set) -> Result<Option<Parity>> {
        let dimensions = cells.dimensions()?;
        for axis in 0..dimensions {
            let (least, most) = (cells.dim_min_value(axis)?, cells.dim_max_value(axis)?);
            let (Some(0), Some(most @ 1..MOST_GRIDS)) = (least, most) else { continue };
            for phase in 0..=most {
                let found = Parity { axis, phase, grids: most + 1, dimensions };
                if found.holds(turns, cells)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    fn holds(&self, turns: &[Map], cells: &Set) -> Result<bool> {
        let (all, c) = self.coordinates();
        let name = cells.tuple_name().unwrap_or_default();
        let text = format!("{{ [t] -> {}[{all}] : (t + {} - {c}) mod {} = 0 }}", name, self.phase, self.grids);
        let wanted = Map::read(cells.context(), &text)?;
        for turns in turns {
            if !turns.is_subset(&wanted)? {
                return Ok(false);
            }
        }
        Ok(!turns.is_empty())
    }

    /// `{ S[i] -> [t'] }` of a write in front of the loop, from the last turn before the first one, `{ S[i] -> [T - 1] }`, and its cells.
    pub(crate) fn turn_before(&self, last: &Map, cells: &Map) -> Result<Map> {
        let (all, c) = self.coordinates();
        let (array, grids) = (cells.tuple_names().1.unwrap_or_default(), self.grids);
        let text = format!(
            "{{ [[b] -> {array}[{all}]] -> [t] : b - {grids} < t <= b and (t + {} - {c}) mod {grids} = 0 }}",
            self.phase
        );
        last.range_product(cells)?.apply_range(&Map::read(cells.context(), &text)?)
    }

    /// The same accesses with 0 in the dimension, in the same order.
    pub(crate) fn without(&self, touching: &[Touching]) -> Result<Vec<Touching>> {
        touching
            .iter()
            .map(|one| Ok(Touching { cells: one.cells.apply_range(&self.flat(&one.cells)?)?, ..*one }))
            .collect()
    }

    /// The same cells with 0 in the dimension.
    pub(crate) fn without_cells(&self, cells: &Set) -> Result<Set> {
        cells.apply(&self.flat(&cells.identity()?)?)
    }

    /// `{ A[c] -> A[c with 0] }`, for the range of a relation.
    fn flat(&self, cells: &Map) -> Result<Map> {
        let array = cells.tuple_names().1.unwrap_or_default();
        let flat: Vec<String> =
            (0..self.dimensions).map(|k| if k == self.axis { "0".to_string() } else { format!("c{k}") }).collect();
        let (all, _) = self.coordinates();
        Map::read(cells.context(), &format!("{{ {array}[{all}] -> {array}[{}] }}", flat.join(", ")))
    }

    /// All coordinates of a cell, and this one.
    fn coordinates(&self) -> (String, String) {
        let all: Vec<String> = (0..self.dimensions).map(|k| format!("c{k}")).collect();
        (all.join(", "), format!("c{}", self.axis))
    }
}

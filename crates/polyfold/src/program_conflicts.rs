//! A program's temporaries as a conflict set: what the engines for conflict sets would make of it.
//!
//! Each array is a "statement" of the conflict set, its cells are the statement's values, and two of them may not share a cell
//! iff one is written while a value of the other is alive:
//!
//! ```text
//! CS = ∪ { A[x] -> A[y] } ∪ { A[x] -> B[y] }      for all arrays A and B of the program, A before B
//! ```
//!
//! within an array [`conflicts`], between two [`conflicts_between`], over dates that are the same for all of them
//! ([`Lifetimes::together`]); per value where cells are written more than once, as `optimize` does it. It holds for the
//! parameters in the model's context, which is the context of the conflict set.
//!
//! Example: after `for i: a[i] = x[i];` in `for i: b[i] = a[i];` the cell `b[j]` is written while `a[i]` is
//! still needed iff `j < i`:
//!
//! ```text
//! a[i] -> a[j] : i != j      b[i] -> b[j] : i != j      a[i] -> b[j] : j < i
//! ```
//!
//! so that n cells are enough for both.
//!
//! Over-approximation: arrays that stay as they are in C (of another type, or read before they are written) are cells like all
//! others here. Such a conflict set says what storage there could be, not what may be written into the program.
//!
//! Paper: SMO §3.4.1, with cells for values: nothing is expanded.

use crate::optimize::{finer, finest};
use polyfold_flow::Model;
use polyfold_isl::{Map, Result};
use polyfold_live::{Lifetimes, conflicts, conflicts_between};
use polyfold_scop::ArrayId;

/// The pairs of cells that may not share one, a relation for each two arrays that have any; an array called `a` that is the
/// scop's third is `a_2` in it, since arrays of different blocks may have the same name.
///
/// No pairs at all: one cell is enough for everything.
///
/// # Errors
/// When the work bound is reached.
pub fn program_conflicts(model: &Model, arrays: &[ArrayId]) -> Result<Vec<Map>> {
    let lifetimes = Lifetimes::together(model, arrays)?;
    let mut pairs = Vec::new();
    for (place, (id, own)) in arrays.iter().zip(&lifetimes).enumerate() {
        let precision = finest(model, *id)?;
        pairs.extend(conflicts(own, precision)?.pairs()?.map(|map| named(model, &map, (*id, *id))));
        for (other, others) in arrays.iter().zip(&lifetimes).skip(place + 1) {
            let between = conflicts_between(own, others, finer(precision, finest(model, *other)?))?;
            pairs.extend(between.map(|map| named(model, &map.coalesce()?, (*id, *other))));
        }
    }
    let pairs = pairs.into_iter().collect::<Result<Vec<Map>>>()?;
    let mut some = Vec::new();
    for map in pairs {
        let map = map.intersect_params(&model.context)?;
        if !map.is_empty()? {
            some.push(map);
        }
    }
    Ok(some)
}

/// The same pairs under the names that the conflict set has for the arrays.
fn named(model: &Model, pairs: &Map, (from, to): (ArrayId, ArrayId)) -> Result<Map> {
    let name = |id: ArrayId| {
        let array = model.scop.array(id);
        let cell: Vec<String> = (0..array.extents.len()).map(|k| format!("c{k}")).collect();
        let cell = cell.join(", ");
        Map::read(pairs.context(), &format!("{{ [{cell}] -> {}_{}[{cell}] }}", array.name, id.0))
    };
    pairs.unnamed()?.apply_domain(&name(from)?)?.apply_range(&name(to)?)
}

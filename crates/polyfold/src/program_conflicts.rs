//! A program's temporaries as a conflict set: what the engines for conflict sets would make of it.
//!
//! Each array is a "statement" of the conflict set, its cells are the statement's values, and two of them may not share a cell
//! iff one is written while a value of the other is alive:
//!
//! ```text
//! CS = ∪ { A[x] -> A[y] } ∪ { A[x] -> B[y] }      for all arrays A and B of the program, A before B
//! ```
//!
//! within an array [`conflicts`](polyfold_live::conflicts), between two [`conflicts_between`], over dates that are the same for all of them
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
use polyfold_flow::{Model, dataflow, union};
use polyfold_isl::{ErrorKind, Map, Result};
use polyfold_live::{Lifetimes, Precision, conflicts_between};
use polyfold_scop::ArrayId;
use std::cell::OnceCell;

/// Bound on finding out when the values of an array are alive, in steps of isl: about a second.
const MOST_STEPS: u64 = 1_500_000;

/// The pairs of cells that may not share one, a relation for each two arrays that have any, and each pair once; an array called
/// `a` that is the scop's third is `a_2` in it, since arrays of different blocks may have the same name.
///
/// No pairs at all: one cell is enough for everything.
///
/// # Errors
/// When the work bound is reached.
pub fn program_conflicts(model: &Model, arrays: &[ArrayId]) -> Result<Vec<Map>> {
    let lifetimes = Lifetimes::together(model, arrays)?;
    let all = arrays.iter().zip(&lifetimes).map(|(id, own)| Array::new(model, *id, own)).collect::<Result<Vec<_>>>()?;
    let mut some = Vec::new();
    for (place, one) in all.iter().enumerate() {
        for other in &all[place..] {
            let Some(pairs) = one.conflicts_with(other)? else { continue };
            let pairs = pairs.intersect_params(&model.context)?;
            if !pairs.is_empty()? {
                some.push(named(model, &pairs, (one.id, other.id))?);
            }
        }
    }
    Ok(some)
}

/// An array, and when its values are alive.
struct Array<'a> {
    id: ArrayId,
    lifetimes: &'a Lifetimes,
    precision: Precision,
    alive: OnceCell<Alive>,
}

/// The dates at which a cell holds a value that is still read, `{ cell -> date }`.
enum Alive {
    At(Map),
    Never,
    /// It takes too much work to find out.
    Unknown,
}

impl<'a> Array<'a> {
    fn new(model: &Model, id: ArrayId, lifetimes: &'a Lifetimes) -> Result<Array<'a>> {
        Ok(Array { id, lifetimes, precision: finest(model, id)?, alive: OnceCell::new() })
    }

    /// `{ cell of self -> cell of other }`; within an array the lexicographically smaller cell comes first.
    fn conflicts_with(&self, other: &Array) -> Result<Option<Map>> {
        let Some(pairs) = self.either_destroyed(other)? else { return Ok(None) };
        if self.id != other.id {
            return Ok(Some(pairs));
        }
        pairs.intersect(&Map::lex_lt(&pairs.domain()?)?).map(Some)
    }

    /// `{ cell of self -> cell of other }` where one destroys the other: per value where that can make a difference and takes no more
    /// than some work.
    fn either_destroyed(&self, other: &Array) -> Result<Option<Map>> {
        if finer(self.precision, other.precision) == Precision::Value {
            let (one, two) = (self.alive()?, other.alive()?);
            if !matches!((one, two), (Alive::Unknown, _) | (_, Alive::Unknown)) {
                let back = two.destroyed_by(self)?.map(|back| back.reverse()).transpose()?;
                return union(one.destroyed_by(other)?.iter().chain(&back));
            }
        }
        conflicts_between(self.lifetimes, other.lifetimes, Precision::Cell)
    }

    fn alive(&self) -> Result<&Alive> {
        if let Some(known) = self.alive.get() {
            return Ok(known);
        }
        let context = self.lifetimes.subject().context().context();
        let alive = match context.with_quota(MOST_STEPS, || Alive::of(self.lifetimes)) {
            Err(error) if error.kind == ErrorKind::Quota => Alive::Unknown,
            alive => alive?,
        };
        Ok(self.alive.get_or_init(|| alive))
    }
}

impl Alive {
    /// Each value from its write on, before its last read.
    fn of(lifetimes: &Lifetimes) -> Result<Alive> {
        let accesses = lifetimes.accesses();
        let Some(values) = dataflow(accesses)? else { return Ok(Alive::Never) };
        let intervals = values.uncurry()?.reverse()?;
        let Some(dates) = accesses.all().next().map(Map::domain).transpose()? else { return Ok(Alive::Never) };
        let between = Map::lex_le(&dates)?.domain_product(&Map::lex_gt(&dates)?)?;
        intervals.apply_range(&between).map(Alive::At)
    }

    /// `{ cell -> cell of by }`: what is written while the first is alive.
    fn destroyed_by(&self, by: &Array) -> Result<Option<Map>> {
        let (Alive::At(dates), Some(writes)) = (self, union(by.lifetimes.accesses().writes())?) else {
            return Ok(None);
        };
        dates.apply_range(&writes).map(Some)
    }
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

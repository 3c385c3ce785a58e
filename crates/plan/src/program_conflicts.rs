//! A program's temporaries as a conflict set: what the engines for conflict sets would make of it.
//!
//! Each array is a "statement" of the conflict set, its cells are the statement's values, and two of them may not share a cell
//! iff one is written while a value of the other is alive:
//!
//! ```text
//! CS = ∪ { A[x] -> A[y] } ∪ { A[x] -> B[y] }      for all arrays A and B of the program, A before B
//! ```
//!
//! within an array [`conflicts`](polyfold_live::conflicts), between two [`conflicts_between`](polyfold_live::conflicts_between), over dates that are the same for all of them
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

use crate::known_conflicts::KnownConflicts;
use crate::precision::{finer, finest};
use polyfold_flow::Model;
use polyfold_isl::{Map, Result};
use polyfold_live::{CrossDifferences, Lifetimes, Precision};
use polyfold_prove::MemberFacts;
use polyfold_scop::ArrayId;

/// The pairs of cells that may not share one, a relation for each two arrays that have any; an array called `a` that is the
/// scop's third is `a_2` in it, since arrays of different blocks may have the same name.
///
/// No pairs at all: one cell is enough for everything.
///
/// # Errors
/// When the work bound is reached.
pub fn program_conflicts(model: &Model, arrays: &[ArrayId]) -> Result<Vec<Map>> {
    conflicts_of(model, &facts_of(model, arrays, &KnownConflicts::default())?)
}

/// The same from what is known already of each array and each two of them.
pub(crate) fn conflicts_of(model: &Model, facts: &[MemberFacts]) -> Result<Vec<Map>> {
    let mut pairs = Vec::new();
    for member in facts {
        let id = member.own.subject().array();
        pairs.extend(member.own.conflicts().pairs()?.map(|map| named(model, &map, (id, id))));
        for between in &member.earlier {
            pairs.extend(between.pairs().map(|map| named(model, &map.coalesce()?, between.arrays())));
        }
    }
    let mut some = Vec::new();
    for map in pairs {
        let map = map?.intersect_params(&model.context)?;
        if !map.is_empty()? {
            some.push(map);
        }
    }
    Ok(some)
}

/// What a proof needs to know of several arrays in one buffer, and an engine to find it.
pub(crate) fn facts_of(model: &Model, arrays: &[ArrayId], known: &KnownConflicts) -> Result<Vec<MemberFacts>> {
    let lifetimes = Lifetimes::together(model, arrays)?;
    let mut facts: Vec<MemberFacts> = Vec::new();
    for (later, (id, of_later)) in arrays.iter().zip(&lifetimes).enumerate() {
        let (precision, dimensions) = (finest(model, *id)?, model.scop.array(*id).extents.len());
        let own = known.own(model.context.context(), of_later, precision, dimensions)?;
        let earlier = between(&lifetimes[..later], &facts, of_later, (own.conflicts().precision, known))?;
        facts.push(MemberFacts { own, earlier });
    }
    Ok(facts)
}

/// The differences between members and one more.
pub(crate) fn between(
    members: &[Lifetimes],
    facts: &[MemberFacts],
    later: &Lifetimes,
    (precision, known): (Precision, &KnownConflicts),
) -> Result<Vec<CrossDifferences>> {
    let precision_of = |facts: &MemberFacts| finer(facts.own.conflicts().precision, precision);
    let members = members.iter().zip(facts);
    members.map(|(earlier, facts)| known.between(earlier, later, precision_of(facts))).collect()
}

/// What an array is called in the conflict set.
pub(crate) fn name_in_conflicts(model: &Model, id: ArrayId) -> String {
    format!("{}_{}", model.scop.array(id).name, id.0)
}

/// The same pairs under the names that the conflict set has for the arrays.
fn named(model: &Model, pairs: &Map, (from, to): (ArrayId, ArrayId)) -> Result<Map> {
    let name = |id: ArrayId| {
        let cell: Vec<String> = (0..model.scop.array(id).extents.len()).map(|k| format!("c{k}")).collect();
        let cell = cell.join(", ");
        Map::read(pairs.context(), &format!("{{ [{cell}] -> {}[{cell}] }}", name_in_conflicts(model, id)))
    };
    pairs.unnamed()?.apply_domain(&name(from)?)?.apply_range(&name(to)?)
}

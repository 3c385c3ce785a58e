//! The conflicts of a program's arrays, found once for each array and each two of them.
//!
//! Several ways to find storage ask about the same arrays: among 20 there are 190 pairs, some
//! milliseconds each ([`KnownConflicts`]).
//!
//! For the engines that take a conflict set, each array is a "statement", and its cells are the
//! statement's values. Two of them may not share a cell iff one is written while a value of the
//! other is alive:
//!
//! ```text
//! CS = ∪ { A[x] -> A[y] } ∪ { A[x] -> B[y] }      for all arrays A and B of the program, A before B
//! ```
//!
//! within an array [`conflicts`], between two [`conflicts_between`](polyfold_live::conflicts_between),
//! over dates that are the same for all of them ([`Lifetimes::together`]). It holds for the
//! parameters in the model's context, which is the context of the conflict set.
//!
//! Example: after `for i: a[i] = x[i];` in `for i: b[i] = a[i];` the cell `b[j]` is written while
//! `a[i]` is still needed iff `j < i`, so that n cells are enough for both:
//!
//! ```text
//! a[i] -> a[j] : i != j      b[i] -> b[j] : i != j      a[i] -> b[j] : j < i
//! ```
//!
//! Over-approximation: arrays that stay as they are in C (of another type, or read before they are
//! written) are cells like all others here. Such a conflict set says what storage there could be,
//! not what may be written into the program.
//!
//! Invariant: all lifetimes are of one model. More pairs than there are conflicts prove no less.
//!
//! Paper: SMO §3.4.1, with cells for values: nothing is expanded.

use polyfold_flow::{Model, union};
use polyfold_isl::{Context, Map, Result};
use polyfold_live::{CrossDifferences, DifferenceSet, Lifetimes, Precision, conflicts};
use polyfold_prove::MemberFacts;
use polyfold_scop::ArrayId;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// One interval per cell first; per value too where cells are written more than once.
pub(crate) fn precisions(model: &Model, id: ArrayId) -> Result<Vec<Precision>> {
    let writes = union(model.accesses(id).writes())?;
    let once = match writes {
        None => true,
        Some(writes) => model.unordered.is_some() || writes.is_injective()?,
    };
    Ok(if once { vec![Precision::Cell] } else { vec![Precision::Cell, Precision::Value] })
}

/// Per value where that can make a difference.
pub(crate) fn finest(model: &Model, id: ArrayId) -> Result<Precision> {
    Ok(precisions(model, id)?.into_iter().fold(Precision::Cell, finer))
}

/// For conflicts between two arrays.
pub(crate) fn finer(a: Precision, b: Precision) -> Precision {
    if a == Precision::Value { a } else { b }
}

/// What is known so far.
#[derive(Default)]
pub(crate) struct KnownConflicts {
    alone: RefCell<BTreeMap<ArrayId, Lifetimes>>,
    own: RefCell<BTreeMap<(ArrayId, Precision), DifferenceSet>>,
    between: RefCell<BTreeMap<(ArrayId, ArrayId, Precision), CrossDifferences>>,
    apart: Apart,
}

/// Pairs `{ [x] -> [y] }` of cells of a first array and a second one.
pub(crate) type Apart = BTreeMap<(ArrayId, ArrayId), Map>;

impl KnownConflicts {
    /// The same with more pairs of cells that may not be one, for arrays in this order.
    pub(crate) fn keeping_apart(&self, more: &Apart) -> Result<KnownConflicts> {
        let mut apart = self.apart.clone();
        for (arrays, pairs) in more {
            let all = apart.get(arrays).map_or_else(|| Ok(pairs.clone()), |known| known.union(pairs))?;
            apart.insert(*arrays, all);
        }
        Ok(KnownConflicts { alone: self.alone.clone(), own: self.own.clone(), between: RefCell::default(), apart })
    }

    /// Of an array alone, as [`Lifetimes::of`].
    pub(crate) fn alone(&self, model: &Model, id: ArrayId) -> Result<Lifetimes> {
        if let Some(known) = self.alone.borrow().get(&id) {
            return Ok(known.clone());
        }
        let found = Lifetimes::of(model, id)?;
        self.alone.borrow_mut().insert(id, found.clone());
        Ok(found)
    }

    /// Of an array with so many dimensions, as [`DifferenceSet::of`].
    pub(crate) fn own(
        &self,
        ctx: &Context,
        lifetimes: &Lifetimes,
        precision: Precision,
        dimensions: usize,
    ) -> Result<DifferenceSet> {
        let key = (lifetimes.subject().array(), precision);
        if let Some(known) = self.own.borrow().get(&key) {
            return Ok(known.clone());
        }
        let found = DifferenceSet::of(ctx, conflicts(lifetimes, precision)?, dimensions)?;
        self.own.borrow_mut().insert(key, found.clone());
        Ok(found)
    }

    /// As [`CrossDifferences::of`], with the pairs that are to be apart.
    pub(crate) fn between(
        &self,
        first: &Lifetimes,
        second: &Lifetimes,
        precision: Precision,
    ) -> Result<CrossDifferences> {
        let key = (first.subject().array(), second.subject().array(), precision);
        if let Some(known) = self.between.borrow().get(&key) {
            return Ok(known.clone());
        }
        let mut found = CrossDifferences::of(first, second, precision)?;
        if let Some(more) = self.apart.get(&(key.0, key.1)) {
            found = found.with(more)?;
        }
        self.between.borrow_mut().insert(key, found.clone());
        Ok(found)
    }
}

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

//! Loops whose iterations share no cell that one of them writes, all of them or those that are near each other.
//!
//! A compiler may run iterations of an innermost loop at once if each cell that one of them writes is used by no other one. With
//! the loops around at the same place, i and i' two iterations, w a write and a any access to the same buffer, that is
//!
//! ```text
//! for all i ≠ i':  M w(i) − M a(i')  is no multiple of the moduli, 0 included
//! ```
//!
//! for all parameters (see `touched`). Where that does not hold, it may hold for |i − i'| < d, a *safe distance*: d iterations one after
//! the other may run at once.
//!
//! Example: `a[(t + i) % m][j] = a[(t + i + 1) % m][j − 1]` in a loop over j touches two rows, which are different ones unless
//! m = 1; `a[j % m] = a[(j + 1) % m]` reads what the next iteration writes. `y[i % 4096] = x[i] + y[(i - 149) % 4096]` reads what
//! the iteration 149 before wrote: any 149 that follow each other may run at once.
//!
//! Variables of the function's own whose addresses nobody takes are in no memory. What keeps its memory may lie over anything else
//! that does, sizes that are globals and members of structures included: a loop that writes such an array gets no promise, unless
//! it is a `restrict` parameter (C11 6.7.3.1: what is written through it is reached in no other way), or
//! parameters and globals are taken not to overlap. Neither do loops with memory in another array, or rows whose coefficients grow
//! with sizes.
//!
//! Source: Allen and Kennedy, Optimizing Compilers for Modern Architectures (2001) §2.2, with cells in place of subscripts.

use crate::touched::{Points, Storage, Use, meet, uses};
use polyfold_flow::StatementModel;
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{ArrayId, LoopId, Scop, StatementId};
use std::collections::{BTreeMap, BTreeSet};

/// Safe distances that are tried: powers of two. Shorter ones are not worth a loop around the loop, longer ones gain nothing.
const DISTANCES: [i64; 6] = [1024, 512, 256, 128, 64, 32];

/// How many uses of memory a loop has that compilers tell apart by themselves, by tests in front of it (gcc: ten of them).
const MOST_TESTED: usize = 10;

/// How many iterations that follow each other share no cell that one of them writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Distance {
    All,
    Below(i64),
}

/// Innermost loops of which it is proved; only [`apart_loops`] makes one that has some.
#[derive(Clone, Debug, Default)]
pub struct ApartLoops(BTreeMap<LoopId, Distance>);

impl ApartLoops {
    /// Whether it is proved of all iterations of a loop.
    pub fn has(&self, id: LoopId) -> bool {
        self.0.get(&id) == Some(&Distance::All)
    }

    /// How many iterations that follow each other are apart, where not all are: those of counters that differ by less.
    pub fn safe_distance(&self, id: LoopId) -> Option<i64> {
        match self.0.get(&id)? {
            Distance::All => None,
            Distance::Below(distance) => Some(*distance),
        }
    }
}

/// The innermost loops with a buffer that they write and use once more, and whose iterations share no cell that one of them writes;
/// loops with many uses also if that is so of iterations near each other only.
///
/// # Errors
/// When the work bound is reached.
pub fn apart_loops((scop, models): (&Scop, &[StatementModel]), storage: &Storage) -> Result<ApartLoops> {
    let statements = &scop.statements;
    let around: BTreeSet<LoopId> =
        statements.iter().filter_map(|s| s.loops.split_last()).flat_map(|(_, outer)| outer).copied().collect();
    let innermost: BTreeSet<LoopId> =
        statements.iter().filter_map(|s| s.loops.last()).filter(|id| !around.contains(id)).copied().collect();
    let mut apart = BTreeMap::new();
    for id in innermost {
        let own = (0..statements.len()).map(StatementId).filter(|s| scop.statement(*s).loops.last() == Some(&id));
        let Some(uses) = uses((scop, models), storage, own.filter(|s| !storage.gone.contains(s)))? else { continue };
        if may_overlap(scop, storage, &uses) {
            continue;
        }
        if let Some(distance) = distance(&uses, storage.context)? {
            apart.insert(id, distance);
        }
    }
    Ok(ApartLoops(apart))
}

/// The largest distance of which it is proved, out of those that are tried.
fn distance(uses: &[Use], context: &Set) -> Result<Option<Distance>> {
    if are_apart(uses, Distance::All, context)? {
        return Ok(Some(Distance::All));
    }
    if uses.len() <= MOST_TESTED || !are_apart(uses, Distance::Below(DISTANCES[DISTANCES.len() - 1]), context)? {
        return Ok(None);
    }
    for distance in DISTANCES.map(Distance::Below) {
        if are_apart(uses, distance, context)? {
            return Ok(Some(distance));
        }
    }
    Ok(None)
}

/// Whether a kept array is written that may lie over something else.
fn may_overlap(scop: &Scop, storage: &Storage, uses: &[Use]) -> bool {
    let kept = || uses.iter().filter(|found| found.place.is_none());
    let leads_anywhere = |found: &Use| scop.array(found.array).leads_anywhere;
    let are_apart = |a: &Use, b: &Use| a.array == b.array || !leads_anywhere(a) && !leads_anywhere(b);
    let is_apart = |write: &Use| {
        let is_distinct = storage.are_distinct && kept().all(|other| are_apart(write, other));
        is_distinct || storage.restricted.contains(&write.array)
    };
    kept().filter(|found| found.is_write).any(|write| !is_apart(write))
}

/// Whether no two iterations at a distance meet in a buffer, and some buffer has more than one use.
fn are_apart(uses: &[Use], distance: Distance, context: &Set) -> Result<bool> {
    let written: BTreeSet<ArrayId> = uses.iter().filter(|found| found.is_write).map(Use::buffer).collect();
    let mut is_worth_it = false;
    for buffer in written {
        let own: Vec<&Use> = uses.iter().filter(|found| found.buffer() == buffer).collect();
        let points = own.iter().map(|found| Points::of(found)).collect::<Result<Vec<_>>>()?;
        for (_, write) in own.iter().zip(&points).filter(|(found, _)| found.is_write) {
            for other in &points {
                if meet((write, other), &two_iterations(&write.points, distance)?, context)? {
                    return Ok(false);
                }
            }
        }
        is_worth_it |= own.len() > 1;
    }
    Ok(is_worth_it)
}

/// `{ [o, i] -> [o, i'] : i ≠ i' }`, at a distance, for iterations such as those of a relation.
fn two_iterations(points: &Map, distance: Distance) -> Result<Map> {
    let outer: Vec<String> = (0..points.dimensions()?.0.saturating_sub(1)).map(|k| format!("o{k}")).collect();
    let with = |own: &str| outer.iter().map(String::as_str).chain([own]).collect::<Vec<_>>().join(", ");
    let near = match distance {
        Distance::All => String::new(),
        Distance::Below(distance) => format!(" and -{distance} < i - j < {distance}"),
    };
    Map::read(points.context(), &format!("{{ [{}] -> [{}] : i != j{near} }}", with("i"), with("j")))
}

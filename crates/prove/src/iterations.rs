//! Loops whose iterations may run side by side.
//!
//! A compiler may run iterations of an innermost loop at once if each cell that one of them writes is used by no other one. With
//! the loops around at the same place, i and i' two iterations, w a write and a any access to the same buffer, that is
//!
//! ```text
//! for all i ≠ i':  M w(i) − M a(i')  is no multiple of the moduli, 0 included
//! ```
//!
//! for all parameters (see `touched`). Where that does not hold, it may hold *in order*, for i' after i alone where a is a read, of
//! w's statement or of one in front of it: statement by statement, what a later iteration writes has been read. Loops with conditions
//! have no such order: compilers put the branches of all iterations one behind the other as they like.
//!
//! Example: `a[(t + i) % m][j] = a[(t + i + 1) % m][j − 1]` in a loop over j touches two rows, which are different ones unless
//! m = 1; `a[j % m] = a[(j + m - 1) % m]` reads what the last iteration wrote; `a[j] = a[2 * j] + a[2 * j + 1]` writes what earlier ones have read.
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
use polyfold_scop::{ArrayId, Loop, LoopId, Node, Scop, StatementId};
use std::collections::BTreeSet;

/// Innermost loops of which it is proved; only [`apart_loops`] makes one that has some.
#[derive(Clone, Debug, Default)]
pub struct ApartLoops {
    in_any_order: BTreeSet<LoopId>,
    in_order: BTreeSet<LoopId>,
}

impl ApartLoops {
    /// Whether all iterations of a loop may run at once, whatever stands in it.
    pub fn are_in_any_order(&self, id: LoopId) -> bool {
        self.in_any_order.contains(&id)
    }

    /// Whether all iterations of a loop may run at once, statement by statement: of a loop that gets conditions, that isn't known.
    pub fn are_in_order(&self, id: LoopId) -> bool {
        self.in_any_order.contains(&id) || self.in_order.contains(&id)
    }
}

/// The innermost loops with a buffer that they write and use once more, and whose iterations may run side by side.
///
/// # Errors
/// When the work bound is reached.
pub fn apart_loops((scop, models): (&Scop, &[StatementModel]), storage: &Storage) -> Result<ApartLoops> {
    let statements = &scop.statements;
    let around: BTreeSet<LoopId> =
        statements.iter().filter_map(|s| s.loops.split_last()).flat_map(|(_, outer)| outer).copied().collect();
    let innermost: BTreeSet<LoopId> =
        statements.iter().filter_map(|s| s.loops.last()).filter(|id| !around.contains(id)).copied().collect();
    let mut apart = ApartLoops::default();
    for id in innermost {
        let own = (0..statements.len()).map(StatementId).filter(|s| scop.statement(*s).loops.last() == Some(&id));
        let Some(uses) = uses((scop, models), storage, own.filter(|s| !storage.gone.contains(s)))? else { continue };
        if may_overlap(scop, storage, &uses) {
            continue;
        }
        let iterations = Iterations { scop, own: scop.loops()[id.0], context: storage.context };
        iterations.note(&uses, &mut apart)?;
    }
    Ok(apart)
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

/// The iterations of a loop.
struct Iterations<'a> {
    scop: &'a Scop,
    own: &'a Loop,
    context: &'a Set,
}

impl Iterations<'_> {
    /// Notes what is proved, if some buffer that is written has more than one use.
    fn note(&self, uses: &[Use], apart: &mut ApartLoops) -> Result<()> {
        let written: BTreeSet<ArrayId> = uses.iter().filter(|found| found.is_write).map(Use::buffer).collect();
        let is_worth_it = |buffer: &ArrayId| uses.iter().filter(|found| found.buffer() == *buffer).count() > 1;
        let is_straight = || self.own.body.iter().all(|node| matches!(node, Node::Statement(_)));
        if !written.iter().any(is_worth_it) {
            return Ok(());
        }
        if self.are_apart(uses, &written, false)? {
            apart.in_any_order.insert(self.own.id);
        } else if is_straight() && self.are_apart(uses, &written, true)? {
            apart.in_order.insert(self.own.id);
        }
        Ok(())
    }

    /// Whether no two iterations are in each other's way in a buffer, in any order or in theirs.
    fn are_apart(&self, uses: &[Use], written: &BTreeSet<ArrayId>, in_order: bool) -> Result<bool> {
        for buffer in written {
            let own: Vec<&Use> = uses.iter().filter(|found| found.buffer() == *buffer).collect();
            let points = own.iter().map(|found| Points::of(found)).collect::<Result<Vec<_>>>()?;
            let own: Vec<(&Use, &Points)> = own.into_iter().zip(&points).collect();
            for (write, cells) in own.iter().filter(|(found, _)| found.is_write) {
                for (other, others) in &own {
                    let order = if in_order && self.is_read_before(other, write) { self.later() } else { "!=" };
                    if meet((cells, others), &two_iterations(&cells.points, order)?, self.context)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// How an iteration's counter compares with that of a later one.
    fn later(&self) -> &'static str {
        if self.own.step > 0 { "<" } else { ">" }
    }

    /// Whether a use is a read that each iteration does before a write, without conditions around them.
    fn is_read_before(&self, other: &Use, write: &Use) -> bool {
        let statement = self.scop.statement(write.statement);
        let writes_once = statement.accesses.iter().filter(|access| access.is_write()).count() == 1;
        let is_before = other.statement < write.statement || other.statement == write.statement && writes_once;
        !other.is_write && is_before
    }
}

/// `{ [o, i] -> [o, i'] : i ≠ i' }`, or another comparison, for iterations such as those of a relation.
fn two_iterations(points: &Map, order: &str) -> Result<Map> {
    let outer: Vec<String> = (0..points.dimensions()?.0.saturating_sub(1)).map(|k| format!("o{k}")).collect();
    let with = |own: &str| outer.iter().map(String::as_str).chain([own]).collect::<Vec<_>>().join(", ");
    Map::read(points.context(), &format!("{{ [{}] -> [{}] : i {order} j }}", with("i"), with("j")))
}

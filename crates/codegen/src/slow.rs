//! Innermost loops that do more for an access than their source does.
//!
//! Small storage can cost time. A circular buffer is fast where its loop is written in segments; where
//! it is not, each access divides. Rows that lie across a loop take a line of the cache for each cell:
//!
//! ```text
//! divides:  a subscript (m·c + s) mod b with m·c not the same in all iterations, for which no name stands
//! strides:  a row of the storage in front of the last one moves, where the source goes along its rows
//! ```
//!
//! A remainder by a number costs no more than the source's own strides, and strides in one loop no
//! more than those that go in another one as deep.
//!
//! What divides is noted while loops are written ([`Notes`]), not found in their text. A form that is
//! tried and not taken takes its notes with it.
//!
//! A loop of few iterations counts with the loop around it, since compilers unroll it.

use crate::accesses::{Accesses, FoundRemainder, View};
use crate::segments::reads;
use polyfold_flow::has_few_turns;
use polyfold_isl::{PwAff, Result};
use polyfold_prove::{Placed, Row, RowForm};
use polyfold_scop::{Access, ArrayId, Expr, Loop, LoopId, Scop, StatementId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// An innermost loop that may take longer than its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlowLoop {
    /// Which loop of the scop.
    pub id: LoopId,
    /// The arrays whose accesses do more.
    pub arrays: BTreeSet<ArrayId>,
    /// What they do.
    pub cost: Cost,
}

/// What an access does in each iteration that its source does not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cost {
    /// It takes a remainder; why the loop has no segments, if that is known.
    Divides(Option<Uncut>),
    /// It goes on by more than the source's cells do.
    Strides,
}

/// Why a loop is written as one, with its subscripts as they are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Uncut {
    /// The counter has this type, whose differences are not negative.
    Unsigned(String),
    /// A directive stands in the loop.
    Directive,
    /// A pragma stands in front of it.
    Pragma,
    /// A comment stands in its head.
    Comment,
    /// Its condition is something else than a comparison of the counter with one bound that stays.
    Condition,
    /// A label stands in it.
    Label,
    /// Its body declares what cannot stand twice.
    Declaration,
    /// Its iterations run at the same time.
    Parallel,
    /// Something else, that has no name here.
    Other,
}

/// What loops divide for, in the order in which they are written.
#[derive(Debug, Default)]
pub(crate) struct Notes(RefCell<Vec<(LoopId, ArrayId, Uncut)>>);

impl Notes {
    pub(crate) fn push(&self, note: (LoopId, ArrayId, Uncut)) {
        self.0.borrow_mut().push(note);
    }

    /// Tries a form of a loop; what is noted meanwhile is forgotten if it is not taken.
    pub(crate) fn of_taken<T>(&self, form: impl FnOnce() -> Result<Option<T>>) -> Result<Option<T>> {
        let before = self.0.borrow().len();
        let taken = form()?;
        if taken.is_none() {
            self.0.borrow_mut().truncate(before);
        }
        Ok(taken)
    }

    /// The loops that divide, each with its arrays.
    fn loops(&self) -> Vec<SlowLoop> {
        let mut all: BTreeMap<LoopId, (BTreeSet<ArrayId>, BTreeSet<Uncut>)> = BTreeMap::new();
        for (id, array, whole) in self.0.borrow().iter() {
            let (arrays, reasons) = all.entry(*id).or_default();
            arrays.insert(*array);
            reasons.insert(whole.clone());
        }
        let slow = |(id, (arrays, reasons)): (LoopId, (BTreeSet<ArrayId>, BTreeSet<Uncut>))| {
            let reason = reasons.into_iter().next().filter(|reason| *reason != Uncut::Other);
            SlowLoop { id, arrays, cost: Cost::Divides(reason) }
        };
        all.into_iter().map(slow).collect()
    }
}

/// The loops that do more than their source; `gone`: statements that are taken away.
pub(crate) fn slow_loops(accesses: &Accesses, gone: &[StatementId]) -> Vec<SlowLoop> {
    let mut all = accesses.notes.loops();
    let strided = strides(accesses, gone, &all);
    all.extend(strided);
    all.sort_by_key(|slow| slow.id);
    all
}

/// Notes the remainders that loops as they are take in each iteration.
pub(crate) fn note_whole(
    accesses: &Accesses,
    own: &Loop,
    view: &View,
    known: impl Fn(&str) -> bool,
    whole: &Uncut,
) -> Result<()> {
    let scop = accesses.decisions.scop;
    for FoundRemainder { remainder, statement, place, .. } in accesses.remainders(view)? {
        let access = &scop.statement(statement).accesses[place];
        let is_number = remainder.size.as_ref().is_some_and(is_number);
        let moves = |id: &LoopId| remainder.slope(&scop.loops()[id.0].iterator) != Some(0);
        let costs_more = |id: &LoopId| moves(id) && !(is_number && steps(access, *id) == Steps::Across);
        if !known(&remainder.text) && repeated(scop, statement).iter().any(costs_more) {
            accesses.notes.push((own.id, access.array, whole.clone()));
        }
    }
    Ok(())
}

/// The loops that a statement is repeated in without a long loop between: from the innermost one out, up to the first of many iterations.
fn repeated(scop: &Scop, statement: StatementId) -> Vec<LoopId> {
    let (loops, mut found) = (scop.loops(), Vec::new());
    for id in scop.statement(statement).loops.iter().rev() {
        found.push(*id);
        if !has_few_turns(scop, loops[id.0]) {
            break;
        }
    }
    found
}

/// The loops with strides, but for those of `dividing` that say more of the same array. Of each array: if it has more strides
/// than in the source, in loops as deep.
fn strides(accesses: &Accesses, gone: &[StatementId], dividing: &[SlowLoop]) -> Vec<SlowLoop> {
    let scop = accesses.decisions.scop;
    let mut arrays: BTreeMap<ArrayId, Strides> = BTreeMap::new();
    for (statement, access, storage) in accesses.in_place().filter(|(statement, ..)| !gone.contains(statement)) {
        let long = |id: &&LoopId| !has_few_turns(scop, scop.loops()[id.0]);
        let loops = &scop.statement(statement).loops;
        let Some(innermost) = loops.iter().rfind(long) else { continue };
        let own = arrays.entry(access.array).or_default();
        let more = own.more.entry(loops.iter().filter(long).count()).or_default();
        match (steps(access, *innermost), is_strided(access, storage, *innermost)) {
            (Steps::Across, false) => *more -= 1,
            (Steps::Along(_), true) => {
                *more += 1;
                own.loops.insert(*innermost);
            }
            _ => {}
        }
    }
    let mut all: BTreeMap<LoopId, BTreeSet<ArrayId>> = BTreeMap::new();
    for (array, Strides { more, loops }) in arrays {
        let says_more = |id: &LoopId| dividing.iter().any(|slow| slow.id == *id && slow.arrays.contains(&array));
        if more.values().rfind(|more| **more != 0).is_some_and(|more| *more > 0) {
            loops.into_iter().filter(|id| !says_more(id)).for_each(|id| _ = all.entry(id).or_default().insert(array));
        }
    }
    all.into_iter().map(|(id, arrays)| SlowLoop { id, arrays, cost: Cost::Strides }).collect()
}

/// The strides of one array.
#[derive(Default)]
struct Strides {
    /// By the number of long loops around: how many accesses more than in the source.
    more: BTreeMap<usize, i64>,
    /// The loops that have some where the source has none.
    loops: BTreeSet<LoopId>,
}

/// How a loop goes through an array in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Steps {
    /// By so many cells of a row; 0: it stays at one.
    Along(i64),
    /// From row to row.
    Across,
    Unknown,
}

fn steps(access: &Access, id: LoopId) -> Steps {
    match slopes(access, id).as_deref() {
        Some([across @ .., by]) if across.iter().all(|slope| *slope == 0) => Steps::Along(*by),
        Some([_, ..]) => Steps::Across,
        _ => Steps::Unknown,
    }
}

/// By how much each subscript grows with a loop's counter; `None`: that depends.
fn slopes(access: &Access, id: LoopId) -> Option<Vec<i64>> {
    access.subscripts.as_ref()?.iter().map(|subscript| slope(subscript, id)).collect()
}

/// Whether a loop goes through new storage from row to row, or in larger steps than through the array, along whose rows it goes.
/// Through rows that are one row of storage it never does: the last coefficient of that is 1.
fn is_strided(access: &Access, storage: &Placed, id: LoopId) -> bool {
    let (Some(slopes), Some((last, outer))) = (slopes(access, id), storage.rows().split_last()) else { return false };
    let step = |row: &Row| row.coefficients.iter().zip(&slopes).map(|(factor, slope)| factor * slope).sum::<i64>();
    let is_larger = matches!(steps(access, id), Steps::Along(by) if step(last).abs() > by.abs());
    is_larger || outer.iter().any(|row| step(row) != 0 && !is_short(row))
}

/// Whether a row wraps around after a few cells for all sizes: what goes through it comes back to lines that are in the cache.
fn is_short(row: &Row) -> bool {
    !matches!(row.form, RowForm::Fits { .. }) && is_number(&row.modulus)
}

fn is_number(size: &PwAff) -> bool {
    size.as_constant().ok().flatten().is_some()
}

/// By how much an expression grows with a loop's counter; `None`: that depends.
fn slope(expr: &Expr, id: LoopId) -> Option<i64> {
    match expr {
        Expr::Constant(_) | Expr::Parameter(_) => Some(0),
        Expr::Iterator(own) => Some(i64::from(*own == id)),
        Expr::Add(a, b) => slope(a, id)?.checked_add(slope(b, id)?),
        Expr::Scale(by, inner) => by.checked_mul(slope(inner, id)?),
        Expr::Divide(..) | Expr::Remainder(..) | Expr::Select(..) => (!reads(expr, id)).then_some(0),
    }
}

//! Innermost loops that do more for an access than their source does.
//!
//! Small storage can cost time. A circular buffer is fast where its loop is split; where it is not, each
//! access divides. Rows that lie across a loop take a line of the cache for each cell:
//!
//! ```text
//! divides:  a subscript (m·c + s) mod b with m·c not the same in all iterations, for which no name stands
//! strides:  a row of the storage in front of the last one moves, where the source goes along its rows
//! ```
//!
//! A remainder by a number costs no more than the source's own strides, and strides in one loop no
//! more than those that go in another one as deep.
//!
//! A loop of few iterations counts with the loop around it, since compilers unroll it.

use crate::{Decisions, Form, windows_written};
use polyfold_flow::has_few_turns;
use polyfold_isl::PwAff;
use polyfold_prove::{Placed, Row, RowForm};
use polyfold_scop::{Access, ArrayId, Condition, Expr, LoopId, Scop, StatementId};
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
    /// It takes a remainder; why the loop is one, if that is known.
    Divides(Option<Uncut>),
    /// It goes on by more than the source's cells do.
    Strides,
}

/// Why a loop is written as one, with its subscripts as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Uncut {
    /// A pragma stands in front of the scop's first loop.
    Pragma,
    /// Its iterations run at the same time.
    Parallel,
}

/// The loops that do more than their source; `gone`: statements that are taken away, `is_split`: no loop divides.
pub(crate) fn slow_loops(source: &str, decisions: &Decisions, gone: &[StatementId], is_split: bool) -> Vec<SlowLoop> {
    let may_divide = decisions.form == Form::Fast && !is_split;
    let mut all = if may_divide { dividing(source, decisions, gone) } else { Vec::new() };
    let strided = strides(decisions, gone, &all);
    all.extend(strided);
    all.sort_by_key(|slow| slow.id);
    all
}

/// The innermost loops with remainders.
fn dividing(source: &str, decisions: &Decisions, gone: &[StatementId]) -> Vec<SlowLoop> {
    let scop = decisions.scop;
    let windows = windows_written(source, decisions);
    let mut all: BTreeMap<LoopId, BTreeSet<ArrayId>> = BTreeMap::new();
    let left = places(decisions).filter(|(statement, ..)| !gone.contains(statement));
    for (statement, access, storage) in left.filter(|(_, _, storage)| !windows.have(storage)) {
        let Some(own) = scop.statement(statement).loops.last().filter(|id| is_innermost(scop, **id)) else { continue };
        let moves = |id: &LoopId, row: &Row| match slopes(access, *id) {
            Some(slopes) => step_of(row, &slopes) != 0,
            None => true,
        };
        let costs_more = |id: &LoopId, row: &Row| {
            moves(id, row) && !(is_number(&row.modulus) && steps(access, *id) == Steps::Across)
        };
        let around = repeated(scop, statement);
        let mut divided = storage.rows().iter().filter(|row| !matches!(row.form, RowForm::Fits { .. }));
        let divides = divided.any(|row| around.iter().any(|id| costs_more(id, row))) || storage.linear().is_some();
        if divides {
            all.entry(*own).or_default().insert(access.array);
        }
    }
    let slow = |(id, arrays)| SlowLoop { id, arrays, cost: Cost::Divides(reason(scop, id)) };
    all.into_iter().map(slow).collect()
}

/// The accesses to cells with new storage, and to values, each with a place.
fn places<'a>(decisions: &'a Decisions) -> impl Iterator<Item = (StatementId, &'a Access, &'a Placed)> {
    let Decisions { scop, values, .. } = decisions;
    let of_values = values.iter().flat_map(|own| own.placed().accesses()).filter_map(|own| {
        let access = &scop.statement(own.statement).accesses[own.access];
        Some((own.statement, access, own.place.as_ref()?))
    });
    mapped(decisions).chain(of_values)
}

/// The accesses to cells with new storage.
fn mapped<'a>(decisions: &'a Decisions) -> impl Iterator<Item = (StatementId, &'a Access, &'a Placed)> {
    let statements = decisions.scop.statements.iter().enumerate();
    let accesses = statements.flat_map(|(k, own)| own.accesses.iter().map(move |access| (StatementId(k), access)));
    accesses
        .filter_map(|(id, access)| Some((id, access, decisions.mapped.iter().find(|own| own.array() == access.array)?)))
}

/// By how much a row's position grows with a counter, from how the last coordinates do.
fn step_of(row: &Row, slopes: &[i64]) -> i64 {
    row.coefficients.iter().rev().zip(slopes.iter().rev()).map(|(factor, slope)| factor * slope).sum()
}

fn reason(scop: &Scop, id: LoopId) -> Option<Uncut> {
    match () {
        () if scop.loops()[id.0].parallel => Some(Uncut::Parallel),
        () if scop.has_lead() => Some(Uncut::Pragma),
        () => None,
    }
}

fn is_innermost(scop: &Scop, id: LoopId) -> bool {
    let inside = scop.statements.iter().filter(|own| own.loops.contains(&id));
    inside.into_iter().all(|own| own.loops.last() == Some(&id))
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
fn strides(decisions: &Decisions, gone: &[StatementId], dividing: &[SlowLoop]) -> Vec<SlowLoop> {
    let scop = decisions.scop;
    let mut arrays: BTreeMap<ArrayId, Strides> = BTreeMap::new();
    for (statement, access, storage) in mapped(decisions).filter(|(statement, ..)| !gone.contains(statement)) {
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
    let step = |row: &Row| step_of(row, &slopes);
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

/// Whether an expression has a loop's counter.
fn reads(expr: &Expr, id: LoopId) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Parameter(_) => false,
        Expr::Iterator(own) => *own == id,
        Expr::Add(a, b) => reads(a, id) || reads(b, id),
        Expr::Scale(_, inner) | Expr::Divide(inner, _) | Expr::Remainder(inner, _) => reads(inner, id),
        Expr::Select(condition, a, b) => is_asked(condition, id) || reads(a, id) || reads(b, id),
    }
}

fn is_asked(condition: &Condition, id: LoopId) -> bool {
    match condition {
        Condition::Compare(a, _, b) => reads(a, id) || reads(b, id),
        Condition::All(all) | Condition::Any(all) => all.iter().any(|condition| is_asked(condition, id)),
        Condition::Not(inner) => is_asked(inner, id),
        Condition::Unknown => true,
    }
}

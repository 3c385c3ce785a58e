//! When the cells of a local array are copied, seen from the loops around the region.
//!
//! *Hoisting*: cells that are the same at every turn of the loops around are copied in front of these, and behind them.
//!
//! *Rotating buffers*: with b buffers turn t computes in number t mod b, while the cells of the next turn are on their way into the next one.
//! What is fetched that early must not be something that is still to be copied back:
//!
//! ```text
//! early(k) = in(k) \ late(k)        late(k) = in(k) ∩ (back(k - s) ∪ … )        s: the loop's step
//! ```
//!
//! With two buffers the last turn's cells are on their way back meanwhile; with three, those of the turn before as well. The late part is
//! fetched when the turn begins, behind what was copied back.
//!
//! Example: `A[k*T + t + 1] += A[k*T + t]` for `t < T` reads `A[k*T .. k*T + T]`, of which the turn before wrote `A[k*T]`: one cell is late.
//!
//! A turn later `k` is `k + s`, and the product `k*T` is `k*T + s*T`: an affine change of the parameters ([`turns_later`]).
//!
//! Source: US 8,661,422 (copies hoisted out of loops, multi-buffering with an asynchronous engine); the late part is ours.

use crate::plan::{Local, Plan};
use crate::reference::union_of;
use polyfold_flow::Model;
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{ArrayId, LoopAround, ParameterId};

/// When the cells of a local array are copied.
#[derive(Clone, Debug, Default)]
pub enum Motion {
    /// At every instance of the region.
    #[default]
    Inside,
    /// In front of so many of the loops around it, innermost first, and behind them.
    Outside(usize),
    /// At every turn of the innermost loop around, in buffers by turns.
    Rotating {
        /// How many: 2 or 3.
        buffers: usize,
        /// Of the cells copied in, those that are not fetched a turn before.
        late: Set,
    },
}

impl Motion {
    /// How many buffers there are.
    pub fn buffers(&self) -> usize {
        match self {
            Motion::Inside | Motion::Outside(_) => 1,
            Motion::Rotating { buffers, .. } => *buffers,
        }
    }

    /// In front of how many loops the declaration stands.
    pub fn depth(&self) -> usize {
        match self {
            Motion::Inside => 0,
            Motion::Outside(depth) => *depth,
            Motion::Rotating { .. } => 1,
        }
    }
}

/// A set some turns later, for the parameter values of now; `None`: what changes from turn to turn is not only the counter and
/// products of it with sizes.
///
/// # Errors
/// When the work bound is reached.
pub fn turns_later(model: &Model, around: &LoopAround, set: &Set, turns: i64) -> Result<Option<Set>> {
    let steps = around.step.saturating_mul(turns);
    let Some(changes) = changes(model, around, steps) else { return Ok(None) };
    let (names, values): (Vec<String>, Vec<String>) =
        changes.into_iter().map(|(name, change)| (name.clone(), format!("{name} {change}"))).unzip();
    substituted(model, set, &names, &values).map(Some)
}

/// Whether nothing beside the region in a loop touches an array, or may lead to it; of one that the region only reads: whether nothing writes it.
/// `loose`: arrays that may be the memory of others.
pub fn is_alone(model: &Model, array: ArrayId, around: &LoopAround, loose: &[ArrayId]) -> bool {
    let accesses = model.scop.statements.iter().flat_map(|statement| &statement.accesses);
    let is_written = accesses.filter(|access| access.array == array).any(|access| access.is_write());
    let mut meeting = around.beside.iter().filter(|beside| is_written || beside.is_written).peekable();
    let is_loose = meeting.peek().is_some() && loose.contains(&array);
    !is_loose && !meeting.any(|beside| beside.array == model.scop.array(array).name)
}

/// Names of the parameters that may have other values at a loop's next turn, in isl notation.
pub fn changing(model: &Model, around: &LoopAround) -> Vec<String> {
    around.changing.iter().map(|id| model.parameters[id.0].clone()).collect()
}

/// The cells of a local array that must not be fetched a turn before.
///
/// # Errors
/// When the work bound is reached.
pub fn late(model: &Model, plan: &Plan, local: &Local, around: &LoopAround, buffers: usize) -> Result<Option<Set>> {
    let mut late = local.copies.into.subtract(&local.copies.into)?;
    let Some(back) = written_back(plan, local)? else { return Ok(Some(late)) };
    let back = back.gist_params(&plan.context)?;
    for turns in turns_under_way(buffers) {
        let Some(earlier) = turns_later(model, around, &back, -turns)? else { return Ok(None) };
        late = late.union(&local.copies.into.intersect(&earlier)?)?;
    }
    late.coalesce().map(Some)
}

/// How many turns before a turn cells may be on their way back when its own are fetched.
pub fn turns_under_way(buffers: usize) -> impl Iterator<Item = i64> {
    1..=if buffers > 2 { 2 } else { 1 }
}

/// All cells of a local array's global one that are copied back.
///
/// # Errors
/// When the work bound is reached.
pub fn written_back(plan: &Plan, local: &Local) -> Result<Option<Set>> {
    union_of(plan.locals.iter().filter(|other| other.array == local.array).map(|other| &other.copies.back))
}

/// By how much each parameter changes in so many steps, as texts in isl notation.
fn changes(model: &Model, around: &LoopAround, steps: i64) -> Option<Vec<(String, String)>> {
    let change = |id: &ParameterId| {
        let name = model.parameters[id.0].clone();
        if *id == around.counter {
            return Some((name, signed(steps)));
        }
        let size = product_with(model, around, &name)?;
        Some((name, format!("{} * {size}", signed(steps))))
    };
    around.changing.iter().map(change).collect()
}

/// `+ 3` or `- 3`.
pub(crate) fn signed(number: i64) -> String {
    format!("{} {}", if number < 0 { '-' } else { '+' }, number.unsigned_abs())
}

/// What a loop's counter is multiplied by in a product; `None`: it is no such product, or that has no name.
pub(crate) fn product_with(model: &Model, around: &LoopAround, product: &str) -> Option<String> {
    let products = &model.scop.surroundings.as_deref()?.products;
    let own = products.iter().find(|p| model.parameters[p.parameter.0] == product)?;
    let (counters, sizes): (Vec<ParameterId>, Vec<ParameterId>) =
        own.factors.iter().copied().partition(|id| *id == around.counter);
    if counters.len() != 1 || sizes.iter().any(|id| around.changing.contains(id)) {
        return None;
    }
    let size = match sizes[..] {
        [one] => one,
        _ => products.iter().find(|p| p.factors == sizes)?.parameter,
    };
    Some(model.parameters[size.0].clone())
}

/// A set with values in place of some of its parameters.
pub(crate) fn substituted(model: &Model, set: &Set, names: &[String], values: &[String]) -> Result<Set> {
    let count = set.dimensions()?;
    let own: Vec<String> = (0..names.len()).map(|k| format!("_v{k}")).collect();
    let cells: Vec<String> = (0..count).map(|k| format!("_x{k}")).collect();
    let equal: Vec<String> = own.iter().zip(values).map(|(own, value)| format!("{own} = {value}")).collect();
    let condition = if equal.is_empty() { "true".to_string() } else { equal.join(" and ") };
    let all = [own, cells.clone()].concat().join(", ");
    let text = format!("[{}] -> {{ [{all}] -> [{}] : {condition} }}", model.parameters.join(", "), cells.join(", "));
    set.unnamed()?.with_dimensions_for(names)?.apply(&Map::read(set.context(), &text)?)
}

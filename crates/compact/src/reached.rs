//! For which parameter values loops around a region have a turn, and reach it.
//!
//! A loop has a turn if its test holds for the first value. With an `if` on the way the region may be reached at some turns only:
//!
//! ```text
//! turns    =  { k : k = first + m * s, m >= 0, and the test holds }      if the test holds a step before each of these but the first
//! reached  =  { sizes : for some counters of the loops, all in their turns, all conditions on the way hold }
//! ```
//!
//! Example: `for (kt = 0; kt < m; kt++) if (kt <= it) …` has a turn for `m >= 1`, and one that gets to the region for `m >= 1 and it >= 0`.
//!
//! Invariant: both are exact, or not known.

use crate::motion::{changing, product_with, signed, substituted};
use polyfold_flow::Model;
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{Comparison, Condition, Expr, LoopAround};

/// Parameter values in front of a loop for which it has a turn; `None`: that is not known.
///
/// # Errors
/// When the work bound is reached.
pub fn entered(model: &Model, around: &LoopAround) -> Result<Option<Set>> {
    let Some(test) = around.entered.as_ref().or(around.tested.as_ref()) else { return Ok(None) };
    let first = &around.first;
    let starts = Condition::Compare(Expr::Parameter(around.counter), Comparison::Equal, first.clone());
    let mut entered = model.where_all_hold(&[test.clone(), starts])?;
    let mut unknown = Vec::new();
    for id in around.changing.iter().filter(|id| **id != around.counter) {
        let name = model.parameters[id.0].clone();
        let (Some(first), Some(size)) = (first.as_constant(), product_with(model, around, &name)) else {
            unknown.push(name);
            continue;
        };
        let text = format!("[{}] -> {{ : {name} = 0 {} * {size} }}", model.parameters.join(", "), signed(first));
        entered = entered.intersect(&Set::read(entered.context(), &text)?)?;
    }
    if !entered.for_any(&unknown)?.is_subset(&entered)? {
        return Ok(None);
    }
    entered.for_any(&changing(model, around))?.coalesce().map(Some)
}

/// Parameter values in front of the last of some loops, given from the innermost, for which the region is reached at some turn; `None`: that
/// is not known.
///
/// # Errors
/// When the work bound is reached.
pub fn reached(model: &Model, loops: &[LoopAround]) -> Result<Option<Set>> {
    let Some(outermost) = loops.last() else { return Ok(None) };
    let mut all = model.where_all_hold(&[])?;
    for around in loops {
        let Some(turns) = turns(model, around)? else { return Ok(None) };
        all = all.intersect(&turns)?.intersect(&model.where_all_hold(&around.guards)?)?;
    }
    let counters: Vec<&String> = loops.iter().map(|around| &model.parameters[around.counter.0]).collect();
    let changing = changing(model, outermost);
    let unknown: Vec<String> = changing.iter().filter(|name| !counters.contains(name)).cloned().collect();
    if !all.for_any(&unknown)?.is_subset(&all)? {
        return Ok(None);
    }
    all.for_any(&changing)?.coalesce().map(Some)
}

/// The values that a loop's counter has at its turns; `None`: they are not known.
///
/// # Errors
/// When the work bound is reached.
pub fn turns(model: &Model, around: &LoopAround) -> Result<Option<Set>> {
    let Some(test) = &around.tested else { return Ok(None) };
    let counter = model.parameters[around.counter.0].clone();
    let starts = Condition::Compare(Expr::Parameter(around.counter), Comparison::Equal, around.first.clone());
    let (starts, tested) = (model.where_all_hold(&[starts])?, model.where_all_hold(std::slice::from_ref(test))?);
    let ctx = starts.context();
    let point = Set::read(ctx, "{ [] }")?;
    let steps = Map::read(ctx, &format!("{{ [x] -> [y] : exists m : m >= 0 and y = x {} * m }}", signed(around.step)))?;
    let now = Set::read(ctx, &format!("[{counter}] -> {{ [y] : y = {counter} }}"))?;
    let names = std::slice::from_ref(&counter);
    let values =
        point.intersect_params(&starts)?.with_dimensions_for(names)?.apply(&steps)?.intersect(&now)?.params()?;
    let turns = values.intersect(&tested)?;
    let before = [format!("{counter} {}", signed(around.step.saturating_neg()))];
    let goes_on = substituted(model, &point.intersect_params(&tested)?, names, &before)?.params()?;
    Ok(turns.subtract(&starts)?.is_subset(&goes_on)?.then_some(turns))
}

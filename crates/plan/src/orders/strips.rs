//! Innermost loops that carry values from iteration to iteration, in strips.
//!
//! A fused loop keeps the few values that later iterations need, in circular buffers that no
//! compiler makes vectors of. In strips each statement runs for [`STRIP`] iterations before the
//! next one does. That takes so many cells more in each array, and gives loops that vectorise.

use super::ordered::{Ordered, ordered};
use super::refused::Refused;
use super::wish::Wish;
use super::{Source, for_all_sizes};
use polyfold_codegen::{LoopForm, without_vectors};
use polyfold_flow::{Model, join_text};
use polyfold_isl::{Context, Map, Result};
use polyfold_nests::{InStrips, STRIP, Whole, dependences, order_in_strips, strips};
use polyfold_scop::{InOrder, Scop, StatementId};

/// What became of a scop.
pub enum Striped {
    /// Some loops are in strips.
    Striped(Box<Ordered>),
    /// No loop can be cut.
    Whole(Whole),
    /// The order with strips is not taken.
    Refused(Refused),
}

/// A scop, perhaps in a fused order, with loops in strips; `grew` hears of each array that gets
/// more memory.
///
/// # Errors
/// When isl fails, or the program in the new order computes something else.
pub fn in_strips(
    ctx: &Context,
    source: &Source,
    scop: &Scop,
    grew: &mut dyn FnMut(&str),
) -> std::result::Result<Striped, Refused> {
    let (schedule, strips) = match ctx.with_quota(source.bound(), || wished(ctx, source, scop))? {
        Ok(found) => found,
        Err(why) => return Ok(Striped::Whole(why)),
    };
    let form = LoopForm::Strips { dimensions: &strips, turns: STRIP };
    let wish = Wish { given: Some(&schedule), parallel: &[], form };
    let scop = scop.order.as_ref().map_or(scop, |order| &order.source);
    match ordered(ctx, source, scop, &wish, grew) {
        Ok(ordered) => Ok(Striped::Striped(Box::new(ordered))),
        Err(refused) => Ok(Striped::Refused(refused.unless_differs()?)),
    }
}

/// A scop's order with loops in strips, and the dimensions of its dates that count these. The order
/// is one of the file's statements: a scop in another order than the file's runs them with other
/// counters.
fn wished(ctx: &Context, source: &Source, scop: &Scop) -> Result<std::result::Result<(String, Vec<usize>), Whole>> {
    let general = for_all_sizes(scop);
    let model = Model::build(ctx, &general)?;
    let alone = without_vectors(source.text, scop);
    let groups = match strips(&model, &dependences(&model)?, &alone)? {
        Ok(groups) => groups,
        Err(why) => return Ok(Err(why)),
    };
    let InStrips { dates, strips } = order_in_strips(&model, &groups)?;
    let dates = scop.order.as_ref().map_or_else(|| Ok(dates.clone()), |order| of_source(&model, order, &dates))?;
    let dates: Vec<String> = dates.iter().map(ToString::to_string).collect();
    Ok(Ok((join_text(&dates), strips)))
}

/// The dates of the file's statements, from those of the statements of a scop in another order.
fn of_source(model: &Model, order: &InOrder, dates: &[Map]) -> Result<Vec<Map>> {
    let mut all: Vec<Option<Map>> = vec![None; order.source.statements.len()];
    for (k, dates) in dates.iter().enumerate() {
        let (id, values) = order.instance_of(StatementId(k));
        let name = &order.source.statement(id).name;
        let own = model.values(StatementId(k), (name, values))?.reverse()?.apply_range(dates)?;
        all[id.0] = Some(match all[id.0].take() {
            None => own,
            Some(others) => others.union(&own)?,
        });
    }
    Ok(all.into_iter().flatten().collect())
}

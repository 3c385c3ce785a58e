//! More memory for an array, so that a given order does not write its cells too early.
//!
//! What grows is looked at with all iterations one after the other. A loop of the source may be
//! parallel, and an array that its body declared stand in front of it by now. Then iterations share
//! cells, and only growth makes them independent again.

use super::grown::{grown, growths};
use super::refused::Refused;
use super::wish::Wish;
use super::{Source, for_all_sizes};
use polyfold_flow::Model;
use polyfold_isl::Context;
use polyfold_schedule::Dependence;
use polyfold_scop::{ArrayId, Scop};

/// The scop with as much more memory for an array as lets it be in the given order; `None`: there
/// is none that does.
pub(super) fn grow(
    ctx: &Context,
    source: &Source,
    (scop, array): (&Scop, ArrayId),
    wish: &Wish,
) -> Result<Option<Scop>, Refused> {
    let in_sequence = for_all_sizes(scop).in_sequence();
    let model = &Model::build(ctx, &in_sequence)?;
    for growth in growths(model.scop, array) {
        let Some(larger) = grown(source.text, model, (array, growth), source.dialect)? else { continue };
        if !is_in_the_way(ctx, source, &larger, wish)? {
            return Ok(Some(Scop { body: scop.body.clone(), assumed: scop.assumed.clone(), ..larger }));
        }
    }
    Ok(None)
}

/// Whether what became of an array still is used in a wrong order.
fn is_in_the_way(ctx: &Context, source: &Source, grown: &Scop, wish: &Wish) -> Result<bool, Refused> {
    let general = for_all_sizes(grown);
    let model = Model::build(ctx, &general)?;
    Ok(wish.check(ctx, source, &model)?.verdict.err().is_some_and(|violation| match violation.dependence {
        Dependence::Memory(array) => grown.is_new(array),
        Dependence::Value(_) | Dependence::Overlap(..) | Dependence::Effects | Dependence::Date => false,
    }))
}

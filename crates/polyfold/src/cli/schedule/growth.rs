//! More memory for an array, so that a given order does not write its cells too early.
//!
//! What grows is looked at with all iterations one after the other. A loop of the source may be parallel, and an array that its body
//! declared stand in front of it by now: then iterations share cells, and only growth makes them independent again.

use super::super::input::Input;
use super::super::{compiler, messages, output};
use super::refusals::{Refused, failed};
use super::{Wish, for_all_sizes};
use polyfold_flow::Model;
use polyfold_frontend::Severity;
use polyfold_isl::Context;
use polyfold_plan::{grown, growths};
use polyfold_schedule::Dependence;
use polyfold_scop::{ArrayId, Code, Scop};

/// The scop with as much more memory for an array as lets it be in the given order; `None`: there is none that does.
pub(super) fn grow(
    ctx: &Context,
    input: &Input,
    (model, array): (&Model, ArrayId),
    wish: &Wish,
) -> Result<Option<Scop>, Refused> {
    let name = &model.scop.array(array).name;
    let Some(own) = input.parsed.scops.iter().find(|own| own.span == model.scop.span) else { return Ok(None) };
    let in_sequence = model.scop.in_sequence();
    let model = &Model::build(ctx, &in_sequence).map_err(failed)?;
    for growth in growths(model.scop, array) {
        let dialect = compiler::dialect(&input.path);
        let Some(larger) = grown(&input.source, model, (array, growth), dialect).map_err(failed)? else { continue };
        if !is_in_the_way(ctx, &larger, (input, wish))? {
            let message =
                format!("`{name}` gets more cells, which this order needs; what is saved below is saved of these");
            output::tell(&messages::plain(Severity::Note, Code::MoreCells, &message));
            return Ok(Some(Scop { body: own.body.clone(), assumed: own.assumed.clone(), ..larger }));
        }
    }
    Ok(None)
}

/// Whether what became of an array still is used in a wrong order.
fn is_in_the_way(ctx: &Context, grown: &Scop, (input, wish): (&Input, &Wish)) -> Result<bool, Refused> {
    let general = for_all_sizes(grown);
    let model = Model::build(ctx, &general).map_err(failed)?;
    Ok(wish.check(ctx, input, &model)?.verdict.err().is_some_and(|violation| match violation.dependence {
        Dependence::Memory(array) => grown.is_new(array),
        Dependence::Value(_) | Dependence::Overlap(..) | Dependence::Effects | Dependence::Date => false,
    }))
}

//! More memory for an array, so that a given order does not write its cells too early.
//!
//! What grows is looked at with all iterations one after the other. A loop of the source may be parallel, and an array that its body
//! declared stand in front of it by now: then iterations share cells, and only growth makes them independent again.

use super::super::input::{self, Input};
use super::super::{compiler, messages, output};
use super::refusals::{Refused, failed};
use super::{Wish, for_all_sizes};
use polyfold::grown::{Grown, grown, growths};
use polyfold_flow::Model;
use polyfold_frontend::Severity;
use polyfold_isl::Context;
use polyfold_schedule::Dependence;
use polyfold_scop::{ArrayId, Code};

/// The program with as much more memory for an array as lets it be in the given order; `None`: there is none that does.
pub(super) fn grow(
    ctx: &Context,
    input: &Input,
    (model, array): (&Model, ArrayId),
    wish: &Wish,
) -> Result<Option<String>, Refused> {
    let name = &model.scop.array(array).name;
    let in_sequence = model.scop.in_sequence();
    let model = &Model::build(ctx, &in_sequence).map_err(failed)?;
    for growth in growths(model.scop, array) {
        let dialect = compiler::dialect(&input.path);
        let Some(larger) = grown(&input.source, model, (array, growth), dialect).map_err(failed)? else { continue };
        if !is_in_the_way(ctx, &larger, (input, wish))? {
            let message =
                format!("`{name}` gets more cells, which this order needs; what is saved below is saved of these");
            output::tell(&messages::plain(Severity::Note, Code::MoreCells, &message));
            return Ok(Some(larger.text));
        }
    }
    Ok(None)
}

/// Whether what became of an array still is used in a wrong order.
fn is_in_the_way(ctx: &Context, grown: &Grown, (input, wish): (&Input, &Wish)) -> Result<bool, Refused> {
    let Some(larger) = input::reread(input, grown.text.clone(), wish.program)? else { return Ok(true) };
    let [scop] = &larger.parsed.scops[..] else { return Ok(true) };
    let general = for_all_sizes(scop);
    let model = Model::build(ctx, &general).map_err(failed)?;
    Ok(wish.check(ctx, &larger, &model)?.verdict.err().is_some_and(|violation| match violation.dependence {
        Dependence::Memory(array) => grown.names.contains(&scop.array(array).name),
        Dependence::Value(_) | Dependence::Overlap(..) | Dependence::Effects | Dependence::Date => false,
    }))
}

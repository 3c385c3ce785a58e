//! More memory for an array, so that a given order does not write its cells too early.

use super::super::input::{self, Input};
use super::super::{Failure, compiler, output};
use super::Wish;
use super::refusals::failed;
use polyfold::grown::{grown, growths};
use polyfold_flow::Model;
use polyfold_isl::Context;
use polyfold_schedule::Dependence;
use polyfold_scop::ArrayId;

/// The program with as much more memory for an array as lets it be in the given order; `None`: there is none that does.
pub(super) fn grow(
    ctx: &Context,
    input: &Input,
    (model, array): (&Model, ArrayId),
    wish: &Wish,
) -> Result<Option<String>, Failure> {
    let name = &model.scop.array(array).name;
    for growth in growths(model.scop, array) {
        let dialect = compiler::dialect(&input.path);
        let Some(text) = grown(&input.source, model, (array, growth), dialect).map_err(failed)? else { continue };
        if !is_in_the_way(ctx, &text, name, (input, wish))? {
            output::tell(&format!(
                "note: `{name}` gets more cells, which this order needs; the table counts from there\n"
            ));
            return Ok(Some(text));
        }
    }
    Ok(None)
}

/// Whether what became of an array still is used in a wrong order.
fn is_in_the_way(ctx: &Context, text: &str, name: &str, (input, wish): (&Input, &Wish)) -> Result<bool, Failure> {
    let larger = input::understood(&input.path, text.to_string(), Some(String::new()), wish.program)?;
    let [scop] = &larger.parsed.scops[..] else { return Ok(true) };
    let model = Model::build(ctx, scop).map_err(failed)?;
    Ok(wish.check(ctx, &model)?.err().is_some_and(|violation| match violation.dependence {
        Dependence::Memory(array) => scop.array(array).name.starts_with(name),
        Dependence::Value(_) | Dependence::Effects | Dependence::Date => false,
    }))
}

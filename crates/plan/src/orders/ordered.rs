//! A scop in an order that is given.
//!
//! The scop gets new loops. An order that changes what it computes is refused, with two operations
//! that show it. Where the order only needs more memory, arrays grow first ([`grow`]), one after
//! the other.

use super::growth::grow;
use super::pragmas::{LeftOut, with_new_loops};
use super::refused::Refused;
use super::wish::{Checked, Wish};
use super::{Source, for_all_sizes};
use polyfold_codegen::pieces;
use polyfold_flow::Model;
use polyfold_isl::{Context, Error, Set};
use polyfold_schedule::Dependence;
use polyfold_scop::Scop;

/// A scop in another order.
pub struct Ordered {
    /// The scop.
    pub scop: Scop,
    /// The pieces of the source that were moved.
    pub pieces: Scop,
    /// Pragmas of the source that its loops don't have.
    pub left_out: Vec<LeftOut>,
}

/// What becomes of a scop next.
enum Step {
    /// It is in the given order.
    Ordered(Box<Ordered>),
    /// An array of this name gets more memory, so that the order needs one array less to stay as it
    /// is.
    Grown(String, Box<Scop>),
}

/// A scop in the order that is wished for, with more memory if it needs that; `grew` hears of each
/// array that gets more.
///
/// # Errors
/// When the order doesn't fit the scop, or changes what it computes; and when the scop's loops
/// cannot be replaced.
pub fn ordered(
    ctx: &Context,
    source: &Source,
    scop: &Scop,
    wish: &Wish,
    grew: &mut dyn FnMut(&str),
) -> Result<Ordered, Refused> {
    let mut current = scop.clone();
    loop {
        match source.in_bound(ctx, || step(ctx, source, &current, wish))? {
            Step::Ordered(ordered) => return Ok(*ordered),
            Step::Grown(name, scop) => {
                grew(&name);
                current = *scop;
            }
        }
    }
}

fn step(ctx: &Context, source: &Source, scop: &Scop, wish: &Wish) -> Result<Step, Refused> {
    let general = for_all_sizes(scop);
    let wrong = match in_order(ctx, source, (scop, &Model::build(ctx, &general)?), wish) {
        Err(Refused::Wrong(wrong)) => wrong,
        ordered => return Ok(Step::Ordered(Box::new(ordered?))),
    };
    let Dependence::Memory(array) = wrong.violation.dependence else { return Err(Refused::Wrong(wrong)) };
    let larger = grow(ctx, source, (scop, array), wish)?.ok_or(Refused::Wrong(wrong))?;
    Ok(Step::Grown(scop.array(array).name.clone(), Box::new(larger)))
}

/// A scop in an order for which it has memory enough; `model` is that of the scop for all sizes.
pub(super) fn in_order(
    ctx: &Context,
    source: &Source,
    (scop, model): (&Scop, &Model),
    wish: &Wish,
) -> Result<Ordered, Refused> {
    pieces(source.text, model.scop, &[])?;
    if !model.known.is_subset(&model.context)? {
        return Err(Refused::MayWrap);
    }
    if let Some(name) = negative_counter(ctx, model)? {
        return Err(Refused::CounterMayWrap(name));
    }
    let Checked { pieces, verdict } = wish.check(ctx, source, model)?;
    match verdict {
        Ok(legal) => with_new_loops(ctx, source, (scop, model), (pieces, &legal, wish)),
        Err(violation) => Err(Refused::wrong(model.scop, pieces, violation)),
    }
}

/// An unsigned counter that is not shown to stay above 0.
fn negative_counter(ctx: &Context, model: &Model) -> Result<Option<String>, Error> {
    let loops = model.scop.loops();
    for (statement, modelled) in model.scop.statements.iter().zip(&model.statements) {
        let counters: Vec<String> = (0..statement.loops.len()).map(|k| format!("i{k}")).collect();
        for (k, id) in statement.loops.iter().enumerate() {
            let Some(l) = loops.iter().find(|l| l.id == *id && !l.counter.signed) else { continue };
            let below = format!("{{ {}[{}] : i{k} < 0 }}", statement.name, counters.join(", "));
            let domain = modelled.domain.intersect_params(&model.context)?;
            if !domain.intersect(&Set::read(ctx, &below)?)?.is_empty()? {
                return Ok(Some(l.iterator.clone()));
            }
        }
    }
    Ok(None)
}

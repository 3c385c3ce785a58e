//! `--schedule strips`: loops fused as by `fuse`, and innermost loops that carry values from turn to turn in strips.
//!
//! A fused loop keeps the few values that later turns need, in rings that no compiler makes vectors of. In strips each statement runs for [`STRIP`] turns before
//! the next one does: so many cells more in each array, and loops that vectorise.

use super::super::arguments::OptimizeArguments;
use super::super::input::Input;
use super::super::optimize::{in_plain_rows, options};
use super::super::{Failure, messages, output};
use super::fusing::{Aim, Fusion, fuse};
use super::fusion_notes::note;
use super::refusals::{Refused, failed};
use super::wish::Wish;
use super::{Reordered, Solution, for_all_sizes, ordered};
use polyfold_codegen::{LoopForm, without_vectors};
use polyfold_flow::{Model, join_text};
use polyfold_isl::{Context, Map};
use polyfold_nests::{InStrips, STRIP, Whole, dependences, order_in_strips, strips};
use polyfold_plan::optimize;
use polyfold_scop::{Code, InOrder, Scop, Span, StatementId};
use std::time::Instant;

/// The program with its loops fused, and in strips where that helps; by rows, if no loop gets strips.
pub(super) fn in_strips(ctx: &Context, input: Input, arguments: &OptimizeArguments) -> Result<Reordered, Failure> {
    let first = |scop: &Scop| scop.statements.first().map_or(scop.span.clone(), |statement| statement.span.clone());
    let places: Vec<Span> = input.parsed.scops.iter().map(first).collect();
    let Fusion { input: fused, said, mut solved } = fuse(ctx, &input, arguments, Aim::Strips)?;
    let (mut current, mut kept) = (fused, Vec::new());
    for (place, span) in places.into_iter().enumerate() {
        match scop_in_strips(ctx, current.as_ref().unwrap_or(&input), place, arguments)? {
            Striped::New(next) => {
                current = Some(*next);
                // What follows stands elsewhere now.
                solved.retain(|solved, _| *solved < place);
            }
            Striped::Kept(message) => {
                let at = input.shown_at(span.start)..input.shown_at(span.end);
                kept.push(note(Code::LoopsStay, message, at, "from here on"));
            }
        }
        let now = current.as_ref().unwrap_or(&input);
        if now.parsed.scops[place].order.is_some() {
            solved.remove(&place);
            solved.extend(in_rows(ctx, now, place, arguments).map(|solution| (place, solution)));
        }
    }
    let shown = input.shown().to_string();
    let mut result = if kept.len() == input.parsed.scops.len() {
        fuse(ctx, &input, arguments, Aim::Rows)?.told(input)
    } else {
        Fusion { input: current, said, solved }.told(input)
    };
    kept.iter().for_each(|note| output::tell(&messages::render(&result.input.path, &shown, note)));
    result.said.extend(kept);
    Ok(result)
}

/// Storage in plain rows, which others would keep from being windows, and loops from having vectors; `None`: whoever looks for storage says why there is none.
fn in_rows(ctx: &Context, input: &Input, place: usize, arguments: &OptimizeArguments) -> Option<Solution> {
    let (begun, scop) = (Instant::now(), &input.parsed.scops[place]);
    let options = in_plain_rows(options(scop, &input.source, arguments));
    let result = optimize(ctx, scop, &options, &mut |_| {}).ok()?;
    Some(Solution { result, seconds: begun.elapsed().as_secs_f64(), stages: None })
}

/// What became of a scop.
enum Striped {
    /// Some loops are in strips.
    New(Box<Input>),
    /// None is, and why.
    Kept(String),
}

fn scop_in_strips(
    ctx: &Context,
    input: &Input,
    place: usize,
    arguments: &OptimizeArguments,
) -> Result<Striped, Failure> {
    let (program, scop) = (&arguments.program, &input.parsed.scops[place]);
    let bound = (program.max_ops / 10).max(1);
    let found = ctx.with_quota(bound, || wished(ctx, input, scop)).map_err(failed)?;
    let (schedule, strips) = match found {
        Ok(found) => found,
        Err(why) => return Ok(Striped::Kept(no_strips(why))),
    };
    let form = LoopForm::Strips { dimensions: &strips, turns: STRIP };
    let wish = Wish { given: Some(schedule), parallel: &[], program, form };
    let source = scop.order.as_ref().map(|order| input.with_scop(place, order.source.clone()));
    match ordered(ctx, source.as_ref().unwrap_or(input), place, &wish)? {
        Ok((next, _)) => Ok(Striped::New(Box::new(next))),
        Err(refused) => Ok(Striped::Kept(refusal(refused.unless_wrong()?))),
    }
}

/// A scop's order with loops in strips, and the dimensions of its dates that count these. The order is one of the file's statements: a
/// scop in another order than the file's runs them with other counters.
///
/// # Errors
/// When the work bound is reached.
fn wished(ctx: &Context, input: &Input, scop: &Scop) -> polyfold_isl::Result<Result<(String, Vec<usize>), Whole>> {
    let general = for_all_sizes(scop);
    let model = Model::build(ctx, &general)?;
    let alone = without_vectors(&input.source, scop);
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
fn of_source(model: &Model, order: &InOrder, dates: &[Map]) -> polyfold_isl::Result<Vec<Map>> {
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

fn no_strips(why: Whole) -> String {
    let why = match why {
        Whole::NothingCarried => {
            "none reads, from an array of the scop's own, what statements in front wrote in its earlier turns"
                .to_string()
        }
        Whole::ByData => {
            "data decide what runs in some (`if (x[j] > 0) …`; a choice `x[j] > 0 ? … : …` may stand there), and the \
                          others carry no values of the scop's own arrays from turn to turn"
                .to_string()
        }
        Whole::Far => format!("values from earlier turns are read more than {STRIP} turns later"),
        Whole::Short => format!("those that could be cut have at most {} turns", 2 * STRIP),
        Whole::Cyclic => "statements that could be apart need each other's values turn by turn".to_string(),
    };
    format!("no innermost loop gets strips: {why}")
}

fn refusal(refused: Refused) -> String {
    let why = refused.place().map_or(String::new(), |place| format!(": {}", place.message));
    format!("no loop gets strips of {STRIP} turns{why}")
}

//! `--schedule strips`: loops fused as by `fuse`, and innermost loops that carry values from turn to turn in strips.
//!
//! A fused loop keeps the few values that later turns need, in rings that no compiler makes vectors of. In strips each statement runs for [`STRIP`] turns before
//! the next one does: so many cells more in each array, and loops that vectorise.

use super::super::arguments::OptimizeArguments;
use super::super::input::{self, Input};
use super::super::optimize::{in_plain_rows, options};
use super::super::{Failure, messages, output};
use super::fusing::{Aim, Fusion, fuse};
use super::fusion_notes::note;
use super::refusals::{Refused, failed};
use super::wish::Wish;
use super::{Reordered, Solution, for_all_sizes, new_text};
use polyfold_codegen::{LoopForm, in_blocks, without_vectors};
use polyfold_flow::Model;
use polyfold_isl::Context;
use polyfold_nests::{InStrips, STRIP, Whole, dependences, order_in_strips, strips};
use polyfold_plan::optimize;
use polyfold_scop::{Code, Scop, Span};
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
        if text_of(now, place) != text_of(&input, place) {
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

fn text_of(input: &Input, place: usize) -> String {
    input.source[input.parsed.scops[place].span.clone()].to_string()
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
    let bound = (arguments.program.max_ops / 10).max(1);
    let (mut current, mut is_in_blocks): (Option<Input>, bool) = (None, false);
    loop {
        let input = current.as_ref().unwrap_or(input);
        let scop = &input.parsed.scops[place];
        let general = for_all_sizes(scop);
        let step = ctx.with_quota(bound, || {
            let model = Model::build(ctx, &general)?;
            let alone = without_vectors(&input.source, scop);
            let groups = match strips(&model, &dependences(&model)?, &alone)? {
                Ok(groups) => groups,
                Err(why) => return Ok(Ok(Step::Nothing(why))),
            };
            let in_blocks = in_blocks(&input.source, scop, &groups).filter(|_| !is_in_blocks);
            if let Some(text) = in_blocks {
                return Ok(Ok(Step::Prepared(text)));
            }
            let InStrips { schedule, strips } = order_in_strips(&model, &groups)?;
            let form = LoopForm::Strips { dimensions: &strips, turns: STRIP };
            let program = &arguments.program;
            let wish = Wish { given: Some(schedule), parallel: &[], program, form, as_text: true };
            Ok(new_text(ctx, input, &model, &wish).map(Step::Written))
        });
        let text = match step.map_err(failed)? {
            Ok(Step::Nothing(why)) => return Ok(Striped::Kept(no_strips(why))),
            Err(refused) => return Ok(Striped::Kept(refusal(refused.unless_wrong()?))),
            Ok(Step::Written(super::Step::NewLoops(loops, _))) => {
                let next = loops.read(input, place, &arguments.program)?;
                let lost = || Striped::Kept(NOT_READ.to_string());
                return Ok(next.map_or_else(lost, |next| Striped::New(Box::new(next))));
            }
            Ok(Step::Written(super::Step::Grown(text))) => text,
            Ok(Step::Prepared(text)) => {
                is_in_blocks = true;
                text
            }
        };
        match input::reread(input, text, &arguments.program)? {
            Some(next) => current = Some(next),
            None => return Ok(Striped::Kept(NOT_READ.to_string())),
        }
    }
}

/// What is done next for a scop.
enum Step {
    /// No loop gets strips, and why.
    Nothing(Whole),
    /// What runs together in strips is in blocks of its own first.
    Prepared(String),
    Written(super::Step),
}

const NOT_READ: &str = "no loop gets strips: polyfold does not understand its own loops";

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

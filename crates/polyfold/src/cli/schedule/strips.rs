//! `--schedule strips`: loops fused as by `fuse`, and innermost loops that carry values from turn to turn in strips.
//!
//! A fused loop keeps the few values that later turns need, in rings that no compiler makes vectors of. In strips each statement runs for [`STRIP`] turns before
//! the next one does: so many cells more in each array, and loops that vectorise.

use super::super::arguments::OptimizeArguments;
use super::super::input::{self, Input};
use super::super::optimize::{in_plain_rows, options};
use super::super::{Failure, messages, output};
use super::fusing::fuse;
use super::fusion_notes::note;
use super::refusals::{Refused, failed};
use super::wish::Wish;
use super::{Reordered, Solution, for_all_sizes, new_text};
use polyfold::optimize::optimize;
use polyfold_codegen::in_blocks;
use polyfold_flow::Model;
use polyfold_isl::Context;
use polyfold_nests::{STRIP, dependences, order_in_strips, strips};
use polyfold_scop::{Scop, Span};
use std::time::Instant;

/// The program with its loops fused, and in strips where that helps.
pub(super) fn in_strips(ctx: &Context, input: Input, arguments: &OptimizeArguments) -> Result<Reordered, Failure> {
    let first = |scop: &Scop| scop.statements.first().map_or(scop.span.clone(), |statement| statement.span.clone());
    let (places, before): (Vec<Span>, String) =
        (input.parsed.scops.iter().map(first).collect(), input.shown().to_string());
    let places: Vec<Span> = places.into_iter().map(|at| input.shown_at(at.start)..input.shown_at(at.end)).collect();
    let texts: Vec<String> = (0..places.len()).map(|place| text_of(&input, place)).collect();
    let mut now = fuse(ctx, input, arguments)?;
    for (place, span) in places.into_iter().enumerate() {
        match scop_in_strips(ctx, &now.input, place, arguments)? {
            Striped::New(input) => {
                now.input = *input;
                // What follows stands elsewhere now.
                now.solved.retain(|solved, _| *solved < place);
            }
            Striped::Kept(message) => {
                let note = note(message, span, "from here on");
                output::tell(&messages::render(&now.input.path, &before, &note));
                now.said.push(note);
            }
        }
        if text_of(&now.input, place) != texts[place] {
            now.solved.remove(&place);
            now.solved.extend(in_rows(ctx, &now.input, place, arguments).map(|solution| (place, solution)));
        }
    }
    Ok(now)
}

fn text_of(input: &Input, place: usize) -> String {
    input.source[input.parsed.scops[place].span.clone()].to_string()
}

/// Storage in plain rows, which others would keep from being windows, and loops from having vectors; `None`: whoever looks for storage says why there is none.
fn in_rows(ctx: &Context, input: &Input, place: usize, arguments: &OptimizeArguments) -> Option<Solution> {
    let (begun, scop) = (Instant::now(), &input.parsed.scops[place]);
    let options = in_plain_rows(options(scop, &input.source, arguments));
    let result = optimize(ctx, scop, &options, &mut |_| {}).ok()?;
    Some(Solution { result, seconds: begun.elapsed().as_secs_f64() })
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
            let groups = strips(&model, &dependences(&model)?)?;
            if groups.is_empty() {
                return Ok(Ok(Step::Nothing));
            }
            let in_blocks = in_blocks(&input.source, scop, &groups).filter(|_| !is_in_blocks);
            if let Some(text) = in_blocks {
                return Ok(Ok(Step::Prepared(text)));
            }
            let given = Some(order_in_strips(&model, &groups)?);
            let wish = Wish { given, parallel: &[], program: &arguments.program, peels: false };
            Ok(new_text(ctx, input, &model, &wish).map(Step::Written))
        });
        let text = match step.map_err(failed)? {
            Ok(Step::Nothing) => return Ok(Striped::Kept(NOTHING_CARRIED.to_string())),
            Err(refused) => return Ok(Striped::Kept(refusal(refused))),
            Ok(Step::Written(super::Step::NewLoops(text, _))) => {
                let next = input::reread(input, text, &arguments.program)?;
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
    /// No loop needs strips.
    Nothing,
    /// What runs together in strips is in blocks of its own first.
    Prepared(String),
    Written(super::Step),
}

const NOT_READ: &str = "no loop gets strips: polyfold does not understand its own loops";

const NOTHING_CARRIED: &str = "no innermost loop gets strips: none reads, from an array of the scop's own, what other statements wrote in \
                               its earlier turns, or they need each other's values turn by turn";

fn refusal(refused: Refused) -> String {
    let why = refused.place().map_or(String::new(), |place| format!(": {}", place.message));
    format!("no loop gets strips of {STRIP} turns{why}")
}

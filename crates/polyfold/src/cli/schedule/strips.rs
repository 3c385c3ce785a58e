//! `--schedule strips`: loops fused as by `fuse`, and innermost loops that carry values from
//! iteration to iteration in strips.

use super::super::arguments::OptimizeArguments;
use super::super::input::Input;
use super::super::optimize::options;
use super::super::{Failure, messages, output};
use super::fusing::{Fusion, fuse};
use super::fusion_notes::note;
use super::refusals::{place_of, told};
use super::{Reordered, Solution, tell_of_growth};
use polyfold_isl::Context;
use polyfold_nests::{STRIP, Whole};
use polyfold_plan::{Aim, Refused, Striped, optimize};
use polyfold_scop::{Code, Scop, Span};
use std::time::Instant;

/// The program with its loops fused, and in strips where that helps; by rows, if no loop gets
/// strips.
pub(super) fn in_strips(ctx: &Context, input: Input, arguments: &OptimizeArguments) -> Result<Reordered, Failure> {
    let first = |scop: &Scop| scop.statements.first().map_or(scop.span.clone(), |statement| statement.span.clone());
    let places: Vec<Span> = input.parsed.scops.iter().map(first).collect();
    let source = input.search_source(&arguments.program);
    let Fusion { input: fused, said, mut solved } = fuse(ctx, &input, arguments, Aim::Strips)?;
    let (mut current, mut kept) = (fused, Vec::new());
    for (place, span) in places.into_iter().enumerate() {
        let scop = &current.as_ref().unwrap_or(&input).parsed.scops[place];
        let striped = polyfold_plan::in_strips(ctx, &source, scop, &mut tell_of_growth);
        let message = match striped.map_err(|refused| told(&refused, &input, scop))? {
            Striped::Striped(ordered) => {
                current = Some(current.as_ref().unwrap_or(&input).with_scop(place, ordered.scop));
                // What follows stands elsewhere now.
                solved.retain(|solved, _| *solved < place);
                None
            }
            Striped::Whole(why) => Some(no_strips(why)),
            Striped::Refused(why) => Some(refusal(&why)),
        };
        if let Some(message) = message {
            kept.push(note(Code::LoopsStay, message, span, "from here on"));
        }
        let scop = &current.as_ref().unwrap_or(&input).parsed.scops[place];
        if scop.order.is_some() {
            solved.remove(&place);
            solved.extend(in_rows(ctx, scop, &input, arguments).map(|solution| (place, solution)));
        }
    }
    let mut result = if kept.len() == input.parsed.scops.len() {
        fuse(ctx, &input, arguments, Aim::Rows)?.told(input)
    } else {
        Fusion { input: current, said, solved }.told(input)
    };
    kept.iter().for_each(|note| output::tell(&messages::render(&result.input.path, &result.input.source, note)));
    result.said.extend(kept);
    Ok(result)
}

/// Storage in plain rows, which others would keep from being windows, and loops from having
/// vectors; `None`: whoever looks for storage says why there is none.
fn in_rows(ctx: &Context, scop: &Scop, input: &Input, arguments: &OptimizeArguments) -> Option<Solution> {
    let begun = Instant::now();
    let options = options(scop, &input.source, arguments).in_plain_rows();
    let result = optimize(ctx, scop, &options, &mut |_| {}).ok()?;
    Some(Solution { result, seconds: begun.elapsed().as_secs_f64(), stages: None })
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

fn refusal(refused: &Refused) -> String {
    let why = place_of(refused).map_or(String::new(), |place| format!(": {}", place.message));
    format!("no loop gets strips of {STRIP} turns{why}")
}

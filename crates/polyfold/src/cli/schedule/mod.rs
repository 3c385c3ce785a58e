//! `--schedule` and `--parallel`: the program in another order of execution.
//!
//! The search for orders is [`polyfold_plan`]'s. What it finds is told here, in the user's words.
//! What follows takes the scops like any others, so that it knows nothing of schedules.

mod fusing;
mod fusion_notes;
mod pragmas;
mod refusals;
mod staged;
mod strips;

use super::arguments::{OptimizeArguments, ProgramArguments};
use super::input::{self, Input};
use super::{Failure, messages, output, problems};
use polyfold_codegen::LoopForm;
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_isl::Context;
use polyfold_plan::{Aim, Optimized, Wish, ordered};
use polyfold_report::Stages;
use polyfold_scop::{Code, Scop};
use refusals::{no_scop, told};
use std::collections::BTreeMap;
use std::path::Path;

/// The orders that have a name.
const KNOWN: [&str; 4] = ["keep", "fuse", "fuse-rows", "strips"];

/// How alike a mistyped name and the one that is meant are at least, from 0 to 1: as for the names
/// of options.
const LIKE_ENOUGH: f64 = 0.7;

/// The program with new loops, unless `--schedule` says to keep those that it has, and none is to
/// be parallel.
///
/// # Errors
/// When the schedule does not fit the program, or changes what it computes; and when the program's
/// loops cannot be replaced.
pub(crate) fn in_order(ctx: &Context, input: Input, arguments: &OptimizeArguments) -> Result<Reordered, Failure> {
    let (parallel, program) = (&arguments.parallel[..], &arguments.program);
    let given = match arguments.schedule.as_str() {
        "keep" if parallel.is_empty() => return Ok(Reordered::from(input)),
        "keep" => None,
        "fuse" | "fuse-rows" | "strips" if !parallel.is_empty() => {
            let message = "--parallel numbers the dimensions of a schedule that you give, or of the source's own order";
            return Err(Failure::Usage(Some(message.to_string())));
        }
        "fuse" => return Ok(fusing::fuse(ctx, &input, arguments, Aim::Cells)?.told(input)),
        "fuse-rows" => return Ok(fusing::fuse(ctx, &input, arguments, Aim::Rows)?.told(input)),
        "strips" => return strips::in_strips(ctx, input, arguments),
        text => Some(given(&input, text, program)?),
    };
    let [scop] = &input.parsed.scops[..] else { return Err(no_scop(&input)) };
    let wish = Wish { given: given.as_deref(), parallel, form: LoopForm::Plain };
    let found = ordered(&Context::new(), &input.search_source(program), scop, &wish, &mut tell_of_growth);
    let found = found.map_err(|refused| told(&refused, &input, scop))?;
    let notes = pragmas::notes(&found);
    notes.iter().for_each(|note| output::tell(&messages::render(&input.path, &input.source, note)));
    Ok(Reordered::from(input.with_scop(0, found.scop)))
}

/// Says that an array gets more memory.
fn tell_of_growth(name: &str) {
    let message = format!("`{name}` gets more cells, which this order needs; what is saved below is saved of these");
    output::tell(&messages::plain(Severity::Note, Code::MoreCells, &message));
}

/// By scop, the cells of its temporaries with loops fused for the fewest of them; `None`: they
/// stay, or nobody can say.
pub(crate) fn cells_of_fused(
    ctx: &Context,
    input: &Input,
    arguments: &OptimizeArguments,
) -> Result<Vec<Option<u64>>, Failure> {
    let fused = fusing::fuse(ctx, input, arguments, Aim::Cells)?;
    let program = fused.input.as_ref().unwrap_or(input);
    let cells = |(place, scop): (usize, &Scop)| {
        let solution = fused.solved.get(&place)?;
        solution.result.cells_after(solution.result.scop(scop)).ok().flatten()
    };
    Ok(program.parsed.scops.iter().enumerate().map(cells).collect())
}

/// A program in its order.
pub(crate) struct Reordered {
    pub(crate) input: Input,
    /// What there is to say about it, with places in the text as it was.
    pub(crate) said: Vec<Diagnostic>,
    /// Storage that was found on the way, for scops by their place in the file.
    pub(crate) solved: BTreeMap<usize, Solution>,
}

/// A scop's storage.
pub(crate) struct Solution {
    pub(crate) result: Optimized,
    /// How long it took to find, and the order that it is for.
    pub(crate) seconds: f64,
    /// The stages of that order, if loops were fused.
    pub(crate) stages: Option<Stages>,
}

impl From<Input> for Reordered {
    fn from(input: Input) -> Reordered {
        Reordered { input, said: Vec::new(), solved: BTreeMap::new() }
    }
}

/// The schedule in isl notation: as it is given, or from a file.
fn given(input: &Input, schedule: &str, program: &ProgramArguments) -> Result<String, Failure> {
    let path = Path::new(schedule);
    match &input.parsed.scops[..] {
        _ if schedule.contains('{') => Ok(schedule.to_string()),
        [scop] if problems::is_problem(path) => problems::schedule(path, scop, program.max_ops),
        _ if !path.exists() => Err(unknown(schedule)),
        _ => input::text(path),
    }
}

/// What `--schedule` says is no order in isl notation, and there is no such file.
fn unknown(schedule: &str) -> Failure {
    let mut message =
        format!("--schedule {schedule}: this is neither one of {} nor a file that is there", KNOWN.join(", "));
    let likeness = |name: &&str| strsim::jaro(schedule, name);
    let nearest = KNOWN.into_iter().filter(|name| likeness(name) > LIKE_ENOUGH);
    if let Some(name) = nearest.max_by(|a, b| likeness(a).total_cmp(&likeness(b))) {
        message += &format!("; did you mean `{name}`?");
    }
    Failure::Usage(Some(message))
}

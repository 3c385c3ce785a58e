//! `--schedule` and `--parallel`: the program in an order of execution that the user gives.
//!
//! The scop gets new loops first; what follows takes it like any other scop, so that it knows nothing of schedules. Refused is a schedule that changes what the program computes, with two operations that show it. Where it only needs
//! more memory, arrays grow first ([`growth`]), one after the other.

mod candidates;
mod found;
mod fusing;
mod fusion_notes;
mod growth;
mod pragmas;
mod proposed;
mod readings;
mod refusals;
mod staged;
mod strips;
mod trial;
mod wish;

use super::arguments::{OptimizeArguments, ProgramArguments};
use super::input::{self, Input};
use super::{Failure, messages, output, problems};
use fusing::Aim;
use growth::grow;
use polyfold_codegen::LoopForm;
use polyfold_flow::Model;
use polyfold_frontend::Diagnostic;
use polyfold_isl::{Context, Error, Set};
use polyfold_plan::Optimized;
use polyfold_report::Stages;
use polyfold_schedule::Dependence;
use polyfold_scop::Scop;
use refusals::{MayOverlap, Refused, failed, no_scop, wrong};
use std::collections::BTreeMap;
use std::path::Path;
use wish::{Checked, Wish, movable};

/// The orders that have a name.
const KNOWN: [&str; 4] = ["keep", "fuse", "fuse-rows", "strips"];

/// How alike a mistyped name and the one that is meant are at least, from 0 to 1: as for the names of options.
const LIKE_ENOUGH: f64 = 0.7;

/// The program with new loops, unless `--schedule` says to keep those that it has, and none is to be parallel.
///
/// # Errors
/// When the schedule does not fit the program, or changes what it computes; and when the program's loops cannot be replaced.
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
    let [_] = &input.parsed.scops[..] else { return Err(no_scop(&input)) };
    let wish = Wish { given, parallel, program, form: LoopForm::Plain };
    let (next, notes) = ordered(&Context::new(), &input, 0, &wish)?.map_err(|refused| refused.told(&input))?;
    notes.iter().for_each(|note| output::tell(&messages::render(&input.path, &input.source, note)));
    Ok(Reordered::from(next))
}

/// By scop, the cells of its temporaries with loops fused for the fewest of them; `None`: they stay, or nobody can say.
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

/// The program with one scop in the order that is wished for, with more memory if it needs that, and what there is to say about it.
fn ordered(
    ctx: &Context,
    input: &Input,
    place: usize,
    wish: &Wish,
) -> Result<Result<(Input, Vec<Diagnostic>), Refused>, Failure> {
    let bound = (wish.program.max_ops / 10).max(1);
    let mut current = input.clone();
    loop {
        let general = for_all_sizes(&current.parsed.scops[place]);
        let step = ctx.with_quota(bound, || Ok(step(ctx, &current, &Model::build(ctx, &general)?, wish)));
        match step.map_err(failed)? {
            Err(refused) => return Ok(Err(refused)),
            Ok(Step::NewLoops(scop, notes)) => return Ok(Ok((current.with_scop(place, *scop), notes))),
            Ok(Step::Grown(scop)) => current = current.with_scop(place, *scop),
        }
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

/// What becomes of a scop next.
enum Step {
    /// It is in the given order, and what there is to say about it.
    NewLoops(Box<Scop>, Vec<Diagnostic>),
    /// It gets more memory, so that the order needs one array less to stay as it is.
    Grown(Box<Scop>),
}

/// `model` is that of the scop for all sizes.
fn step(ctx: &Context, input: &Input, model: &Model, wish: &Wish) -> Result<Step, Refused> {
    movable(input, model.scop, &[])?;
    if !model.known.is_subset(&model.context).map_err(failed)? {
        let message =
            "new loops need arithmetic that cannot wrap around: unsigned sizes, bounds or subscripts in this scop may";
        return Err(Failure::input(message).into());
    }
    if let Some(name) = negative_counter(ctx, model).map_err(failed)? {
        let message =
            format!("new loops need counters that do not wrap around, as the unsigned `{name}` may: use a signed type");
        return Err(Failure::input(message).into());
    }
    let Checked { pieces, verdict } = wish.check(ctx, input, model)?;
    let violation = match verdict {
        Ok(legal) => {
            let (scop, notes) = pragmas::written(ctx, input, (&pieces, &legal, model), wish)?;
            return Ok(Step::NewLoops(Box::new(scop), notes));
        }
        Err(violation) => violation,
    };
    let larger = match violation.dependence {
        Dependence::Memory(array) => grow(ctx, input, (model, array), wish)?,
        Dependence::Value(_) | Dependence::Overlap(..) | Dependence::Effects | Dependence::Date => None,
    };
    let overlap = MayOverlap::of(model.scop, &pieces, &violation);
    larger.map(|scop| Step::Grown(Box::new(scop))).ok_or_else(|| wrong(&pieces.scop, &violation).by(overlap))
}

/// The scop without the user's assumptions: no test guards new loops.
fn for_all_sizes(scop: &Scop) -> Scop {
    Scop { assumed: Vec::new(), ..scop.clone() }
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

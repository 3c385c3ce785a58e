//! `--schedule` and `--parallel`: the program in an order of execution that the user gives.
//!
//! The scop gets new loops first; what follows takes it like any other scop, so that it knows nothing of schedules. Refused is a schedule that changes what the program computes, with two operations that show it. Where it only needs
//! more memory, arrays grow first ([`growth`]), one after the other, as text, too.

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
use readings::with_own_names;
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
    let wish = Wish { given, parallel, program, form: LoopForm::Plain, as_text: false };
    ordered(&input, &wish).map(Reordered::from)
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

/// The program in the order that is wished for.
fn ordered(input: &Input, wish: &Wish) -> Result<Input, Failure> {
    let mut grown = named(input, wish.program)?;
    loop {
        let input = grown.as_ref().unwrap_or(input);
        let (next, is_done) = match step(input, wish)? {
            Step::NewLoops(loops, _) => (loops.read(input, 0, wish.program)?, true),
            Step::Grown(text) => (input::reread(input, text, wish.program)?, false),
        };
        let Some(next) = next else {
            return Err(Failure::Check("--schedule: polyfold does not understand its own loops".to_string()));
        };
        if is_done {
            return Ok(next);
        }
        grown = Some(next);
    }
}

/// The program with names of its own for variables that are in the way of new loops.
fn named(input: &Input, program: &ProgramArguments) -> Result<Option<Input>, Failure> {
    let [scop] = &input.parsed.scops[..] else { return Ok(None) };
    if movable(input, scop, &[]).is_ok() {
        return Ok(None);
    }
    let named = with_own_names(input, 0, program)?;
    Ok(named.filter(|named| movable(named, &named.parsed.scops[0], &[]).is_ok()))
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

/// New loops of a scop.
enum Loops {
    /// The scop with them.
    Read(Box<Scop>),
    /// The file with them, which is still to be read.
    Text(String),
}

impl Loops {
    /// The program with them; `None`: they aren't understood.
    fn read(self, input: &Input, place: usize, program: &ProgramArguments) -> Result<Option<Input>, Failure> {
        match self {
            Loops::Read(scop) => Ok(Some(input.with_scop(place, *scop))),
            Loops::Text(text) => input::reread(input, text, program),
        }
    }
}

/// What becomes of the program next.
enum Step {
    /// It is in the given order, and what there is to say about it.
    NewLoops(Loops, Vec<Diagnostic>),
    /// It gets more memory, so that the order needs one array less to stay as it is.
    Grown(String),
}

fn step(input: &Input, wish: &Wish) -> Result<Step, Failure> {
    let [scop] = &input.parsed.scops[..] else { return Err(no_scop(input)) };
    let ctx = Context::new();
    let text = ctx.with_quota((wish.program.max_ops / 10).max(1), || {
        let general = for_all_sizes(scop);
        Ok(new_text(&ctx, input, &Model::build(&ctx, &general)?, wish))
    });
    let step = text.map_err(failed)?.map_err(|refused| refused.told(input))?;
    if let Step::NewLoops(_, notes) = &step {
        notes.iter().for_each(|note| output::tell(&messages::render(&input.path, &input.source, note)));
    }
    Ok(step)
}

/// `model` is that of the scop for all sizes.
fn new_text(ctx: &Context, input: &Input, model: &Model, wish: &Wish) -> Result<Step, Refused> {
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
            let (loops, notes) = pragmas::written(ctx, input, (&pieces, &legal, model), wish)?;
            return Ok(Step::NewLoops(loops, notes));
        }
        Err(violation) => violation,
    };
    let larger = match violation.dependence {
        Dependence::Memory(array) => match pieces.with_declarations_in_front(&input.source) {
            None => grow(ctx, input, (model, array), wish)?,
            in_front => in_front,
        },
        Dependence::Value(_) | Dependence::Overlap(..) | Dependence::Effects | Dependence::Date => None,
    };
    let overlap = MayOverlap::of(model.scop, &pieces, &violation);
    larger.map(Step::Grown).ok_or_else(|| wrong(&pieces.scop, &violation).by(overlap))
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

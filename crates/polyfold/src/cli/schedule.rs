//! `--schedule` and `--parallel`: the program in an order of execution that the user gives.
//!
//! The scop gets new loops first, as text, with pragmas where they are parallel; what follows reads that text like any other program,
//! so that it knows nothing of schedules. Refused is a schedule that changes what the program computes, with two operations that show it.

use super::arguments::ProgramArguments;
use super::input::{self, Input};
use super::{Failure, messages, output};
use polyfold_codegen::{Misfit, Order, why_not, with_new_loops};
use polyfold_flow::Model;
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_isl::{Context, Error, ErrorKind, Set};
use polyfold_schedule::{Dependence, Fault, Given, Operation, Turn, Violation, check};
use polyfold_scop::{Scop, StatementId};
use std::path::Path;

/// The program with new loops, unless `schedule` says to keep those that it has, and none is to be parallel.
///
/// # Errors
/// When the schedule does not fit the program, or changes what it computes; and when the program's loops cannot be replaced.
pub(crate) fn in_order(
    input: Input,
    schedule: &str,
    parallel: &[usize],
    program: &ProgramArguments,
) -> Result<Input, Failure> {
    let given = match schedule {
        "keep" if parallel.is_empty() => return Ok(input),
        "keep" => None,
        text if text.contains('{') => Some(text.to_string()),
        file => Some(input::text(Path::new(file))?),
    };
    let wish = Wish { given, parallel };
    let [scop] = &input.parsed.scops[..] else {
        let count = input.parsed.scops.len();
        return Err(Failure::Usage(Some(format!(
            "--schedule and --parallel give the order of one scop, and the file has {count}"
        ))));
    };
    if let Some(obstacle) = why_not(&input.source, scop) {
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            message: format!("new loops cannot be written: {}", obstacle.what),
            span: obstacle.span,
            about_options: false,
            label: "here".to_string(),
            help: Some(obstacle.help.to_string()),
        };
        output::tell(&messages::render(&input.path, &input.source, &diagnostic));
        return Err(Failure::Input(None));
    }
    let ctx = Context::new();
    let text = ctx.with_quota((program.max_ops / 10).max(1), || Ok(new_text(&ctx, &input, scop, &wish)));
    let text = text.map_err(failed)??;
    input::understood(&input.path, text, Some(input.source), program)
}

/// What the user asks for.
struct Wish<'a> {
    /// A schedule as text; `None`: the source's order.
    given: Option<String>,
    parallel: &'a [usize],
}

fn new_text(ctx: &Context, input: &Input, scop: &Scop, wish: &Wish) -> Result<String, Failure> {
    let model = Model::build(ctx, scop).map_err(failed)?;
    if !model.known.is_subset(&model.context).map_err(failed)? {
        let message =
            "new loops need arithmetic that cannot wrap around: unsigned sizes, bounds or subscripts in this scop may";
        return Err(Failure::input(message));
    }
    if let Some(name) = negative_counter(ctx, &model).map_err(failed)? {
        let message =
            format!("new loops need counters that do not wrap around, as the unsigned `{name}` may: use a signed type");
        return Err(Failure::input(message));
    }
    let given = wish.given.clone().unwrap_or_else(|| model.schedule_text());
    let given = Given::read(ctx, &model, &given).map_err(|fault| faulty(scop, &fault))?;
    let dimensions = given.dimensions().map_err(failed)?;
    if let Some(beyond) = wish.parallel.iter().find(|dimension| **dimension >= dimensions) {
        let message =
            format!("--parallel {beyond}: the schedule's dates have {dimensions} dimensions, numbered from 0");
        return Err(Failure::Usage(Some(message)));
    }
    let legal = check(&model, given, wish.parallel).map_err(failed)?;
    let legal = legal.map_err(|violation| wrong(input, scop, &violation))?;
    let parallel = wish.parallel;
    let order = Order { dates: legal.dates(), context: &model.context, parameters: &model.parameters, parallel };
    with_new_loops(&input.source, scop, &order).map_err(misfit)
}

fn misfit(misfit: Misfit) -> Failure {
    let message = match misfit {
        Misfit::Isl(error) => return failed(error),
        Misfit::NoLoop(dimension) => {
            format!("--parallel {dimension}: that dimension becomes no loop, so nothing of it can run at once")
        }
        Misfit::NotCanonical(dimension) => {
            format!(
                "--parallel {dimension}: OpenMP takes no loop that ends otherwise than at one bound, as that one does"
            )
        }
    };
    Failure::Usage(Some(message))
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

fn failed(error: Error) -> Failure {
    match error.kind {
        ErrorKind::Quota => Failure::input(format!("--schedule: {error}; --max-ops raises the bound")),
        ErrorKind::Limit | ErrorKind::Invalid | ErrorKind::Refused => {
            Failure::Usage(Some(format!("--schedule: {error}")))
        }
    }
}

fn faulty(scop: &Scop, fault: &Fault) -> Failure {
    let name = |id: &StatementId| scop.statement(*id).name.as_str();
    let message = match fault {
        Fault::Isl(error) => return failed(error.clone()),
        Fault::Unknown(unknown) => {
            let known: Vec<&str> = scop.statements.iter().map(|s| s.name.as_str()).collect();
            format!("there is no statement `{unknown}`; the scop has {}", known.join(", "))
        }
        Fault::Iterators(id, wanted, given) => {
            format!("{} has {wanted} loops around it, and the schedule is for {given}", name(id))
        }
        Fault::Missing(id, iterators) => format!("{} has no date", operation(scop, *id, iterators)),
        Fault::Several(id) => format!("operations of {} have several dates", name(id)),
    };
    Failure::Usage(Some(format!("--schedule: {message}")))
}

fn operation(scop: &Scop, id: StatementId, iterators: &[i64]) -> String {
    let iterators: Vec<String> = iterators.iter().map(i64::to_string).collect();
    format!("{}[{}]", scop.statement(id).name, iterators.join(", "))
}

/// The two operations, and why they must stay in their order, at the line of the second one.
fn wrong(input: &Input, scop: &Scop, violation: &Violation) -> Failure {
    let text = |o: &Operation| operation(scop, o.statement, &o.iterators);
    let (first, second) = (text(&violation.first), text(&violation.second));
    let (comes_early, change_places, help) = match violation.turn {
        Turn::Back => {
            ("would run before it", "would change places", format!("give {first} an earlier date than {second}"))
        }
        Turn::AtOnce(dimension) => {
            let help = format!("leave {dimension} out of --parallel");
            ("may run at the same time", "may run at the same time", help)
        }
    };
    let why = match violation.dependence {
        Dependence::Value(array) => {
            format!("{second} reads what {first} writes to `{}`, and {comes_early}", scop.array(array).name)
        }
        Dependence::Memory(array) => {
            format!("{first} and {second} use the same cell of `{}`, and {change_places}", scop.array(array).name)
        }
        Dependence::Effects => {
            format!("{first} or {second} may do more than can be seen, as a call does, and they {change_places}")
        }
        Dependence::Date => format!("{first} and {second} get the same date"),
    };
    let sizes: Vec<String> = violation.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let at = if sizes.is_empty() { String::new() } else { format!(" at {}", sizes.join(", ")) };
    let diagnostic = Diagnostic {
        severity: Severity::Error,
        message: format!("the schedule changes what the program computes: {why}{at}"),
        span: scop.statement(violation.second.statement).span.clone(),
        about_options: false,
        label: "this statement".to_string(),
        help: Some(help),
    };
    output::tell(&messages::render(&input.path, &input.source, &diagnostic));
    Failure::Usage(None)
}

//! `--schedule`: the program in an order of execution that the user gives.
//!
//! The scop gets new loops first, as text; what follows reads that text like any other program, so that it knows nothing of
//! schedules. Refused is a schedule that changes what the program computes, with two operations that show it.

use super::arguments::ProgramArguments;
use super::input::{self, Input};
use super::{Failure, compiler, messages, output, problems};
use polyfold::grown::{grown, growths};
use polyfold_codegen::{Order, why_not, with_new_loops};
use polyfold_flow::Model;
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_isl::{Context, Error, ErrorKind};
use polyfold_schedule::{Dependence, Fault, Given, Operation, Violation, check};
use polyfold_scop::{ArrayId, Scop, StatementId};
use std::path::Path;

/// The program with new loops, unless `schedule` says to keep those that it has.
///
/// # Errors
/// When the schedule does not fit the program, or changes what it computes; and when the program's loops cannot be replaced.
pub(crate) fn in_order(input: Input, schedule: &str, program: &ProgramArguments) -> Result<Input, Failure> {
    if schedule == "keep" {
        return Ok(input);
    }
    let given = given(&input, schedule, program)?;
    let original = input.original.clone().unwrap_or_else(|| input.source.clone());
    let mut input = input;
    loop {
        let (text, is_done) = match step(&input, &given, program)? {
            Step::NewLoops(text) => (text, true),
            Step::Grown(text) => (text, false),
        };
        input = input::understood(&input.path, text, Some(original.clone()), program)?;
        if is_done {
            return Ok(input);
        }
    }
}

/// The schedule in isl notation: as it is given, or from a file.
fn given(input: &Input, schedule: &str, program: &ProgramArguments) -> Result<String, Failure> {
    let path = Path::new(schedule);
    match &input.parsed.scops[..] {
        _ if schedule.contains('{') => Ok(schedule.to_string()),
        [scop] if problems::is_problem(path) => problems::schedule(path, scop, program.max_ops),
        _ => input::text(path),
    }
}

/// A new text of the program.
enum Step {
    /// In the given order.
    NewLoops(String),
    /// With more memory, so that the order needs one array less to stay as it is.
    Grown(String),
}

fn step(input: &Input, given: &str, program: &ProgramArguments) -> Result<Step, Failure> {
    let [scop] = &input.parsed.scops[..] else {
        let count = input.parsed.scops.len();
        return Err(Failure::Usage(Some(format!("--schedule gives the order of one scop, and the file has {count}"))));
    };
    if let Some(obstacle) = why_not(&input.source, scop) {
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            message: format!("--schedule cannot write new loops: {}", obstacle.what),
            span: obstacle.span,
            about_options: false,
            label: "here".to_string(),
            help: Some(obstacle.help.to_string()),
        };
        output::tell(&messages::render(&input.path, &input.source, &diagnostic));
        return Err(Failure::Input(None));
    }
    let ctx = Context::new();
    let text = ctx.with_quota((program.max_ops / 10).max(1), || Ok(new_text(&ctx, input, scop, given, program)));
    text.map_err(failed)?
}

fn new_text(
    ctx: &Context,
    input: &Input,
    scop: &Scop,
    text: &str,
    program: &ProgramArguments,
) -> Result<Step, Failure> {
    let model = Model::build(ctx, scop).map_err(failed)?;
    if !model.known.is_subset(&model.context).map_err(failed)? {
        let message = "--schedule needs arithmetic that cannot wrap around: unsigned sizes, bounds or subscripts in this scop may";
        return Err(Failure::input(message));
    }
    let given = Given::read(ctx, &model, text).map_err(|fault| faulty(scop, &fault))?;
    let violation = match check(&model, given).map_err(failed)? {
        Ok(legal) => {
            let order = Order { dates: legal.dates(), context: &model.context, parameters: &model.parameters };
            return with_new_loops(&input.source, scop, &order).map(Step::NewLoops).map_err(failed);
        }
        Err(violation) => violation,
    };
    match violation.dependence {
        Dependence::Memory(array) => grow(ctx, input, &model, (array, text), program)?,
        _ => None,
    }
    .map_or_else(|| Err(wrong(input, scop, &violation)), |grown| Ok(Step::Grown(grown)))
}

/// The program with as much more memory for an array as lets it be in the given order; `None`: there is none that does.
fn grow(
    ctx: &Context,
    input: &Input,
    model: &Model,
    (array, given): (ArrayId, &str),
    program: &ProgramArguments,
) -> Result<Option<String>, Failure> {
    let name = &model.scop.array(array).name;
    for growth in growths(model.scop, array) {
        let dialect = compiler::dialect(&input.path);
        let Some(text) = grown(&input.source, model, (array, growth), dialect).map_err(failed)? else { continue };
        let larger = input::understood(&input.path, text.clone(), input.original.clone(), program)?;
        let [scop] = &larger.parsed.scops[..] else { continue };
        let model = Model::build(ctx, scop).map_err(failed)?;
        let given = Given::read(ctx, &model, given).map_err(|fault| faulty(scop, &fault))?;
        let breaks = check(&model, given).map_err(failed)?.err();
        let is_still_broken = breaks.is_some_and(|violation| match violation.dependence {
            Dependence::Memory(array) => scop.array(array).name.starts_with(name),
            _ => false,
        });
        if !is_still_broken {
            return Ok(Some(text));
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
        Fault::Several(id) => format!(
            "operations of {} have several dates (sizes are named in front, as in '[n] -> {{ S0[i] -> [n - i] }}')",
            name(id)
        ),
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
    let why = match violation.dependence {
        Dependence::Value(array) => {
            format!("{second} reads what {first} writes to `{}`, and would run before it", scop.array(array).name)
        }
        Dependence::Memory(array) => {
            format!("{first} and {second} use the same cell of `{}`, and would change places", scop.array(array).name)
        }
        Dependence::Effects => {
            format!("{first} or {second} may do more than can be seen, as a call does, and they would change places")
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
        help: Some(format!("give {first} an earlier date than {second}")),
    };
    output::tell(&messages::render(&input.path, &input.source, &diagnostic));
    Failure::Usage(None)
}

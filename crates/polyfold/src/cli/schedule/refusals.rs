//! Why a schedule is not taken, in the user's words.

use super::super::input::Input;
use super::super::{Failure, messages, output};
use polyfold_codegen::{Misfit, Obstacle};
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_isl::{Error, ErrorKind};
use polyfold_plan::Refused;
use polyfold_schedule::{Dependence, Fault, Operation, Turn, Violation};
use polyfold_scop::{ArrayId, Code, Scop, StatementId};

/// What a refusal ends with, once the user has been told of the place.
pub(super) fn told(refused: &Refused, input: &Input, scop: &Scop) -> Failure {
    if let Some(place) = place_of(refused) {
        output::tell(&messages::render(&input.path, &input.source, &place));
    }
    let message = match refused {
        Refused::NoNewLoops(_) => return Failure::Input(None),
        Refused::Wrong(_) => return Failure::Usage(None),
        Refused::Faulty(fault) => return faulty(scop, fault),
        Refused::Misfit(why) => return misfit(&input.source, why),
        Refused::Failed(error) => return failed(error),
        Refused::Differs(why) => {
            return Failure::Check(format!("`{}`: {why}; nothing was written", scop.function));
        }
        Refused::NoDimension { parallel, dimensions } => {
            let message =
                format!("--parallel {parallel}: the schedule's dates have {dimensions} dimensions, numbered from 0");
            return Failure::Usage(Some(message));
        }
        Refused::MayWrap => {
            "new loops need arithmetic that cannot wrap around: unsigned sizes, bounds or subscripts in this scop may"
                .to_string()
        }
        Refused::CounterMayWrap(name) => {
            format!("new loops need counters that do not wrap around, as the unsigned `{name}` may: use a signed type")
        }
        Refused::LessIsKnown => "--schedule: less is known of the scop's pieces than of the scop".to_string(),
        Refused::NoLoops => "--schedule: polyfold finds no loops of this scop's statements for this order".to_string(),
    };
    Failure::input(message)
}

/// What stands in the way at a place of the input, if something does.
pub(super) fn place_of(refused: &Refused) -> Option<Diagnostic> {
    match refused {
        Refused::NoNewLoops(obstacle) => Some(no_new_loops(obstacle, Severity::Error)),
        Refused::Wrong(wrong) => Some(self::wrong(&wrong.pieces, &wrong.violation)),
        _ => None,
    }
}

fn failed(error: &Error) -> Failure {
    match error.kind {
        ErrorKind::Quota => Failure::input(format!("--schedule: {error}; --max-ops raises the bound")),
        ErrorKind::Limit | ErrorKind::Invalid | ErrorKind::Refused => {
            Failure::Usage(Some(format!("--schedule: {error}")))
        }
    }
}

/// The file does not have one scop: with none that is understood, why not.
pub(super) fn no_scop(input: &Input) -> Failure {
    let of_one = "--schedule and --parallel give the order of one scop";
    let count = input.parsed.scops.len();
    let why = || {
        let about_scops = |d: &&Diagnostic| d.severity == Severity::Warning && !d.about_options;
        let reason = input.parsed.diagnostics.iter().rfind(about_scops)?;
        let (line, _) = messages::position(&input.source, reason.span.start);
        Some(format!("{of_one}, and the one in this file is not understood: {}, line {line}", reason.message))
    };
    let message = (count == 0).then(why).flatten();
    Failure::Usage(Some(message.unwrap_or_else(|| format!("{of_one}, and the file has {count}"))))
}

fn faulty(scop: &Scop, fault: &Fault) -> Failure {
    let name = |id: &StatementId| scop.statement(*id).name.as_str();
    let message = match fault {
        Fault::Isl(error) => return failed(error),
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

/// Of a scop that keeps its loops.
pub(super) fn no_new_loops(obstacle: &Obstacle, severity: Severity) -> Diagnostic {
    Diagnostic {
        severity,
        code: Code::NoNewLoops,
        message: format!("new loops cannot be written: {}", obstacle.what),
        span: obstacle.span.clone(),
        about_options: false,
        label: "here".to_string(),
        help: Some(obstacle.help.to_string()),
    }
}

/// Whether one of the operations may use any cell of an array, as far as is known.
fn is_guess(scop: &Scop, violation: &Violation, array: ArrayId) -> bool {
    [&violation.first, &violation.second].into_iter().any(|operation| {
        let accesses = &scop.statement(operation.statement).accesses;
        accesses.iter().any(|access| access.array == array && access.subscripts.is_none())
    })
}

/// The two operations, and why they must stay in their order, at the line of the second one.
fn wrong(scop: &Scop, violation: &Violation) -> Diagnostic {
    let first = operation_of(scop, &violation.first);
    let (what, help) = match violation.turn {
        Turn::Back => {
            let second = operation_of(scop, &violation.second);
            ("the schedule changes what the program computes", format!("give {first} an earlier date than {second}"))
        }
        Turn::AtOnce(dimension) => {
            ("iterations of a parallel dimension depend on each other", format!("leave {dimension} out of --parallel"))
        }
    };
    Diagnostic {
        severity: Severity::Error,
        code: Code::WrongOrder,
        message: format!("{what}: {}", why_wrong(scop, violation)),
        span: scop.statement(violation.second.statement).span.clone(),
        about_options: false,
        label: "this statement".to_string(),
        help: Some(help),
    }
}

fn operation_of(scop: &Scop, o: &Operation) -> String {
    operation(scop, o.statement, &o.iterators)
}

/// How two operations depend on each other, and at which sizes.
pub(super) fn why_wrong(scop: &Scop, violation: &Violation) -> String {
    let (first, second) = (operation_of(scop, &violation.first), operation_of(scop, &violation.second));
    let (comes_early, change_places) = match violation.turn {
        Turn::Back => ("would run before it", "would change places"),
        Turn::AtOnce(_) => ("may run at the same time", "may run at the same time"),
    };
    let why = match violation.dependence {
        Dependence::Value(array) => {
            let reads = if is_guess(scop, violation, array) { "may read" } else { "reads" };
            format!("{second} {reads} what {first} writes to `{}`, and {comes_early}", scop.array(array).name)
        }
        Dependence::Memory(array) => {
            let both = if is_guess(scop, violation, array) { "may use" } else { "use" };
            format!("{first} and {second} {both} the same cell of `{}`, and {change_places}", scop.array(array).name)
        }
        Dependence::Overlap(pointer, other) => {
            let (pointer, other) = (&scop.array(pointer).name, &scop.array(other).name);
            format!(
                "{first} and {second} use `{other}` and what `{pointer}` points to, which may be the same (parameters are taken not to \
                 overlap), and {change_places}"
            )
        }
        Dependence::Effects => {
            format!("{first} or {second} may do more than can be seen, as a call does, and they {change_places}")
        }
        Dependence::Date => format!("{first} and {second} get the same date"),
    };
    let sizes: Vec<String> = violation.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let at = if sizes.is_empty() { String::new() } else { format!(" at {}", sizes.join(", ")) };
    format!("{why}{at}")
}

fn misfit(source: &str, misfit: &Misfit) -> Failure {
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
        Misfit::Divided(pragma) => {
            let (line, _) = messages::position(source, pragma.start);
            return Failure::input(format!(
                "the pragma at line {line} divides a loop among threads that run all of the scop, and the new loops would \
                 not be divided: `omp parallel for` makes threads of its own"
            ));
        }
    };
    Failure::Usage(Some(message))
}

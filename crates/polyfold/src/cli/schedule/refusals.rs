//! Why a schedule is not taken, in the user's words.

use super::super::input::Input;
use super::super::{Failure, messages, output};
use polyfold_codegen::{Misfit, Obstacle, Pieces};
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_isl::{Error, ErrorKind};
use polyfold_schedule::{Dependence, Fault, Operation, Turn, Violation};
use polyfold_scop::{ArrayId, Code, Scop, StatementId};

/// Why an order is not taken; nobody has been told.
pub(super) struct Refused {
    said: Option<Box<Diagnostic>>,
    failure: Failure,
    overlap: Option<MayOverlap>,
}

/// Two statements that keep their order, since what two names lead to may be one memory.
#[derive(Clone, Copy)]
pub(super) struct MayOverlap {
    pub(super) statements: [StatementId; 2],
    /// The pointer first.
    pub(super) arrays: [ArrayId; 2],
}

impl MayOverlap {
    /// Why pieces of a scop are not in some order.
    pub(super) fn of(scop: &Scop, pieces: &Pieces, violation: &Violation) -> Option<MayOverlap> {
        let Dependence::Overlap(pointer, other) = violation.dependence else { return None };
        let uses = |id: &&StatementId| {
            let mut accesses = scop.statement(**id).accesses.iter();
            accesses.any(|access| access.array == pointer || access.array == other)
        };
        let of_piece = |id: StatementId| pieces.all[id.0].statements.iter().find(uses).copied();
        let statements = [of_piece(violation.first.statement)?, of_piece(violation.second.statement)?];
        Some(MayOverlap { statements, arrays: [pointer, other] })
    }
}

impl Refused {
    /// With what may overlap.
    pub(super) fn by(self, overlap: Option<MayOverlap>) -> Refused {
        Refused { overlap, ..self }
    }

    /// What may overlap, if that is why.
    pub(super) fn overlap(&self) -> Option<MayOverlap> {
        self.overlap
    }

    /// For what stands at a place of the input.
    pub(super) fn at(said: Diagnostic) -> Refused {
        Refused { said: Some(Box::new(said)), failure: Failure::Input(None), overlap: None }
    }

    /// What it stands for, once the user has been told of the place.
    pub(super) fn told(self, input: &Input) -> Failure {
        if let Some(said) = self.said {
            output::tell(&messages::render(&input.path, &input.source, &said));
        }
        self.failure
    }

    /// The same, unless a new order was found to be wrong.
    pub(super) fn unless_wrong(self) -> Result<Refused, Failure> {
        match self.failure {
            Failure::Check(_) => Err(self.failure),
            _ => Ok(self),
        }
    }

    /// The place.
    pub(super) fn place(self) -> Option<Diagnostic> {
        self.said.map(|said| *said)
    }
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Refused {
        Refused { said: None, failure, overlap: None }
    }
}

pub(super) fn failed(error: Error) -> Failure {
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

pub(super) fn faulty(scop: &Scop, fault: &Fault) -> Failure {
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
pub(super) fn wrong(scop: &Scop, violation: &Violation) -> Refused {
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
    let diagnostic = Diagnostic {
        severity: Severity::Error,
        code: Code::WrongOrder,
        message: format!("{what}: {}", why_wrong(scop, violation)),
        span: scop.statement(violation.second.statement).span.clone(),
        about_options: false,
        label: "this statement".to_string(),
        help: Some(help),
    };
    Refused { said: Some(Box::new(diagnostic)), failure: Failure::Usage(None), overlap: None }
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

pub(super) fn misfit(source: &str, misfit: Misfit) -> Failure {
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

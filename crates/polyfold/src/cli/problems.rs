//! Files that hold problems: OpenScop, and isl notation.

use super::arguments::ProgramArguments;
use super::{Failure, compiler, input};
use polyfold_formats::{Fault, Problem, function, isl_text, openscop};
use polyfold_isl::Context;
use polyfold_scop::Scop;
use std::path::Path;

/// How a problem is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    OpenScop,
    Isl,
}

impl Format {
    /// By the ending of a file's name.
    pub(crate) fn of(path: &Path) -> Option<Format> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("scop") => Some(Format::OpenScop),
            Some("isl") => Some(Format::Isl),
            _ => None,
        }
    }

    /// A file with these problems.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(crate) fn write(self, problems: &[Problem], path: &Path) -> Result<String, Failure> {
        let text = match self {
            Format::OpenScop => openscop::write(problems),
            Format::Isl => isl_text::write(problems),
        };
        text.map_err(|fault| faulty(path, &fault))
    }
}

/// Whether a file holds problems, by its name and what is in it.
pub(crate) fn is_problem(path: &Path) -> bool {
    match Format::of(path) {
        Some(Format::OpenScop) => true,
        Some(Format::Isl) => std::fs::read_to_string(path).is_ok_and(|text| text.contains(":=")),
        None => false,
    }
}

/// The problems of a file.
///
/// # Errors
/// When it cannot be read, or holds none.
pub(crate) fn read(ctx: &Context, path: &Path, max_operations: u64) -> Result<Vec<Problem>, Failure> {
    let text = input::text(path)?;
    let read = match Format::of(path) {
        Some(Format::Isl) => isl_text::read,
        _ => openscop::read,
    };
    let mut outcome = Ok(Vec::new());
    let bounded = ctx.with_quota(max_operations, || {
        outcome = read(ctx, &text);
        Ok(())
    });
    bounded.map_err(|error| faulty(path, &error.into()))?;
    outcome.map_err(|fault| faulty(path, &fault))
}

/// The problems of a file as functions in C.
///
/// # Errors
/// As [`read`], and when there are no loops for them.
pub(crate) fn as_program(path: &Path, program: &ProgramArguments) -> Result<String, Failure> {
    let ctx = Context::new();
    let mut problems = read(&ctx, path, program.max_ops)?;
    for k in 1..problems.len() {
        while problems[..k].iter().any(|other| other.name == problems[k].name) {
            problems[k].name.push('_');
        }
    }
    let functions = problems.iter().map(function).collect::<Result<Vec<_>, _>>();
    let text = functions.map_err(|fault| faulty(path, &fault))?.join("\n");
    compiler::accepts(&text, path, &program.compiler.flags()).map_err(|why| {
        let message = "the texts of its statements make no C file by themselves";
        let help =
            "give what they use in <polyfold>, or put its loops into the file that they are from: `convert --into`";
        Failure::input(format!("{}: {message}; {help}\n{why}", path.display()))
    })?;
    Ok(text)
}

/// The order in which a file runs the statements of a scop, in isl notation.
///
/// # Errors
/// As [`read`], and when the file does not describe one scop with as many statements.
pub(crate) fn schedule(path: &Path, scop: &Scop, max_operations: u64) -> Result<String, Failure> {
    let ctx = Context::new();
    let problems = read(&ctx, path, max_operations)?;
    let wanted = scop.statements.len();
    let [problem] = &problems[..] else {
        let message = format!("{} describes {} scops: --schedule takes one", path.display(), problems.len());
        return Err(Failure::Usage(Some(message)));
    };
    if problem.statements.len() != wanted {
        let count = problem.statements.len();
        let message = format!("{} has {count} statements, and the scop {wanted}", path.display());
        return Err(Failure::Usage(Some(format!("--schedule: {message}"))));
    }
    let names: Vec<&str> = scop.statements.iter().map(|statement| statement.name.as_str()).collect();
    problem.schedule_text(&names).map_err(|error| faulty(path, &error.into()))
}

pub(crate) fn faulty(path: &Path, fault: &Fault) -> Failure {
    let line = fault.line.map_or(String::new(), |line| format!(", line {line}"));
    Failure::input(format!("{}{line}: {}; {}", path.display(), fault.message, fault.help))
}

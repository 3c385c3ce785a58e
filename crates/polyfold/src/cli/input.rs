//! A C file, read and understood.

use super::arguments::ProgramArguments;
use super::problems::{as_program, is_problem};
use super::{Failure, compiler, encoding, messages, output};
use polyfold_frontend::{Diagnostic, Options, Parsed, Severity};
use polyfold_plan::Source;
use polyfold_scop::Scop;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A file and its scops.
#[derive(Clone)]
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    pub(crate) source: String,
    pub(crate) parsed: Parsed,
    /// What the compiler's preprocessor makes of it.
    preprocessed: Rc<str>,
}

impl Input {
    /// What the search for orders takes.
    pub(crate) fn search_source(&self, program: &ProgramArguments) -> Source<'_> {
        Source { text: &self.source, dialect: compiler::dialect(&self.path), max_operations: program.max_ops }
    }

    /// The program with one scop in another order.
    pub(crate) fn with_scop(&self, place: usize, scop: Scop) -> Input {
        let mut next = self.clone();
        next.parsed.scops[place] = scop;
        next
    }
}

/// Reads and parses a file, and prints all messages about it.
///
/// # Errors
/// When the file cannot be read, or is malformed.
pub(crate) fn read(path: &Path, program: &ProgramArguments) -> Result<Input, Failure> {
    let source = if is_problem(path) { as_program(path, program)? } else { text(path)? };
    let preprocessed = preprocessed(path, &source, program)?;
    understood(path, (source, preprocessed), Vec::new(), program, &|_| true)
}

/// Parses a text, and prints some of the messages about it.
///
/// # Errors
/// When it is malformed.
fn understood(
    path: &Path,
    (source, preprocessed): (String, Rc<str>),
    pinned: Vec<String>,
    program: &ProgramArguments,
    is_told: &dyn Fn(&Diagnostic) -> bool,
) -> Result<Input, Failure> {
    let options = Options {
        temporary: program.temporary.clone(),
        live_in: program.live_in.clone(),
        live_out: program.live_out.clone(),
        pure: program.pure.clone(),
        assume: program.assume.clone(),
        pinned,
        local: false,
    };
    let parsed = polyfold_frontend::parse(&source, &preprocessed, &options);
    for diagnostic in parsed.diagnostics.iter().filter(|d| is_told(d)) {
        output::tell(&messages::render(path, &source, diagnostic));
    }
    let mut errors = parsed.diagnostics.iter().filter(|d| d.severity == Severity::Error).peekable();
    if errors.peek().is_some() {
        return Err(if errors.all(|e| e.about_options) { Failure::Usage(None) } else { Failure::Input(None) });
    }
    Ok(Input { path: path.to_path_buf(), source, parsed, preprocessed })
}

/// What the compiler's preprocessor makes of a text, in which marks say where each part of the file goes.
fn preprocessed(path: &Path, source: &str, program: &ProgramArguments) -> Result<Rc<str>, Failure> {
    let (instrumented, flags) = (polyfold_frontend::instrument(source), program.compiler.flags());
    compiler::preprocess(&instrumented, path, compiler::language(path), &flags).map(Rc::from)
}

/// The program with some constants taken at their values.
///
/// # Errors
/// When the text is malformed.
pub(crate) fn at_values(input: &Input, pinned: Vec<String>, program: &ProgramArguments) -> Result<Input, Failure> {
    let text = (input.source.clone(), Rc::clone(&input.preprocessed));
    // The user has been told already.
    understood(&input.path, text, pinned, program, &|d| d.severity == Severity::Error)
}

/// The text of a file.
///
/// # Errors
/// When it cannot be read, or is not text.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|e| Failure::input(format!("cannot read {name}: {e}")))?;
    decoded(&name, bytes)
}

/// The text on standard input.
///
/// # Errors
/// As [`text`].
pub(crate) fn standard() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().read_to_end(&mut bytes);
    read.map_err(|e| Failure::input(format!("cannot read standard input: {e}")))?;
    decoded("standard input", bytes)
}

fn decoded(name: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    if bytes.contains(&0) {
        return Err(Failure::input(format!("{name} is not a text file: it holds zero bytes")));
    }
    encoding::decoded(&bytes).ok_or_else(|| {
        let what = "it holds characters of Unicode's private use area, from U+F780 to U+F7FF";
        Failure::input(format!("{name}: {what}, which polyfold uses itself; write them as escapes"))
    })
}

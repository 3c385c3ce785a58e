//! A C file, read and understood.

use super::arguments::ProgramArguments;
use super::problems::{as_program, is_problem};
use super::{Failure, compiler, encoding, messages, output};
use polyfold_codegen::Change;
use polyfold_frontend::{Diagnostic, Options, Parsed, Severity};
use polyfold_plan::Source;
use polyfold_scop::{Scop, Span};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A file and its scops.
#[derive(Clone)]
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    pub(crate) source: String,
    /// The text of the file, if `source` stands for that.
    pub(crate) original: Option<String>,
    /// Where `source` is not the text of the file: copies of borders come.
    pub(crate) changes: Vec<Change>,
    pub(crate) parsed: Parsed,
    /// What the compiler's preprocessor makes of it.
    preprocessed: Rc<str>,
}

impl Input {
    /// The text that messages show: the user's own.
    pub(crate) fn shown(&self) -> &str {
        self.original.as_ref().unwrap_or(&self.source)
    }

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

    /// A place of `source` in that text.
    pub(crate) fn shown_at(&self, at: usize) -> usize {
        let before = self.changes.iter().take_while(|change| change.span.start < at);
        let more = before.map(|change| (at.min(change.span.end) - change.span.start, change.bytes_before));
        more.fold(at, |at, (new, old)| at - new + old)
    }

    /// A line of `source`, from 1, in that text.
    pub(crate) fn shown_line(&self, line: usize) -> usize {
        let at = self.source.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        messages::position(self.shown(), self.shown_at(at)).0
    }

    /// The line of a place of `source`, from 1, in that text.
    pub(crate) fn shown_line_of(&self, span: &Span) -> usize {
        messages::position(self.shown(), self.shown_at(span.start)).0
    }

    /// A message about `source`, as one about that text.
    pub(crate) fn about_shown(&self, diagnostic: &Diagnostic) -> Diagnostic {
        let Span { start, end } = diagnostic.span;
        Diagnostic { span: self.shown_at(start)..self.shown_at(end), ..diagnostic.clone() }
    }
}

/// What a text stands for that is not as the user wrote it.
pub(crate) struct Instead {
    /// The text of the file.
    pub(crate) original: String,
    /// Constants that are taken at their values.
    pub(crate) pinned: Vec<String>,
}

/// Reads and parses a file, and prints all messages about it.
///
/// # Errors
/// When the file cannot be read, or is malformed.
pub(crate) fn read(path: &Path, program: &ProgramArguments) -> Result<Input, Failure> {
    let source = if is_problem(path) { as_program(path, program)? } else { text(path)? };
    let preprocessed = preprocessed(path, &source, program)?;
    understood(path, (source, preprocessed), None, program)
}

/// Parses a text that stands for a file, and prints all messages about it; of one that is not as the user wrote it, errors only.
///
/// # Errors
/// When it is malformed.
fn understood(
    path: &Path,
    (source, preprocessed): (String, Rc<str>),
    instead: Option<Instead>,
    program: &ProgramArguments,
) -> Result<Input, Failure> {
    let (original, pinned) = instead.map_or((None, Vec::new()), |instead| (Some(instead.original), instead.pinned));
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
    // Of a text of ours, the user has been told already.
    let is_new = |d: &&Diagnostic| original.is_none() || d.severity == Severity::Error;
    for diagnostic in parsed.diagnostics.iter().filter(is_new) {
        output::tell(&messages::render(path, &source, diagnostic));
    }
    let mut errors = parsed.diagnostics.iter().filter(|d| d.severity == Severity::Error).peekable();
    if errors.peek().is_some() {
        return Err(if errors.all(|e| e.about_options) { Failure::Usage(None) } else { Failure::Input(None) });
    }
    Ok(Input { path: path.to_path_buf(), source, original, changes: Vec::new(), parsed, preprocessed })
}

/// What the compiler's preprocessor makes of a text, in which marks say where each part of the file goes.
fn preprocessed(path: &Path, source: &str, program: &ProgramArguments) -> Result<Rc<str>, Failure> {
    let (instrumented, flags) = (polyfold_frontend::instrument(source), program.compiler.flags());
    compiler::preprocess(&instrumented, path, compiler::language(path), &flags).map(Rc::from)
}

/// The program with another text; `None`: not all of its scops are understood in that.
///
/// # Errors
/// When the text is malformed.
pub(crate) fn reread(input: &Input, text: String, program: &ProgramArguments) -> Result<Option<Input>, Failure> {
    reread_at_values(input, text, Vec::new(), program)
}

/// The same with some constants taken at their values.
///
/// # Errors
/// When the text is malformed.
pub(crate) fn reread_at_values(
    input: &Input,
    text: String,
    pinned: Vec<String>,
    program: &ProgramArguments,
) -> Result<Option<Input>, Failure> {
    let original = input.original.as_ref().unwrap_or(&input.source).clone();
    let preprocessed = match text == input.source {
        true => Rc::clone(&input.preprocessed),
        false => preprocessed(&input.path, &text, program)?,
    };
    let mut next = understood(&input.path, (text, preprocessed), Some(Instead { original, pinned }), program)?;
    let functions = |parsed: &Parsed| parsed.scops.iter().map(|scop| scop.function.clone()).collect::<Vec<_>>();
    if functions(&next.parsed) != functions(&input.parsed) {
        return Ok(None);
    }
    for (scop, before) in next.parsed.scops.iter_mut().zip(&input.parsed.scops) {
        scop.line = before.line;
    }
    Ok(Some(next))
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

//! `polyfold lattice`.

use super::arguments::LatticeArguments;
use super::progress::doing;
use super::{Failure, input, messages, output};
use polyfold::lattice::{Answer, Fault, Question, figure, study};
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_isl::{Context, Set};
use polyfold_report::{lattice_table, to_json};
use polyfold_scop::Code;
use std::path::{Path, PathBuf};

pub(crate) fn run(arguments: &LatticeArguments) -> Result<(), Failure> {
    if arguments.json.is_some() && arguments.json == arguments.svg {
        return Err(Failure::Usage(Some("--json and --svg name the same file".to_string())));
    }
    let body = Body::read(arguments.body.as_deref())?;
    let ctx = Context::new();
    let set = body.parse(&ctx)?;
    let parameters = set.parameter_names().map_err(|e| Failure::input(e.message))?;
    warn_about_unused_sizes(&parameters, &arguments.param);
    let assume = |fact: &String| assumption(&ctx, &parameters, fact);
    let question = Question {
        set,
        assumptions: arguments.assume.iter().map(assume).collect::<Result<_, _>>()?,
        sizes: arguments.param.clone(),
        max_operations: arguments.max_ops,
    };
    let progress = doing("lattices for these differences");
    let answer = study(&question).map_err(|fault| body.failure(fault))?;
    progress.finish_and_clear();
    finish(arguments, &answer)
}

/// Everything is ready before the first file is written.
fn finish(arguments: &LatticeArguments, answer: &Answer) -> Result<(), Failure> {
    let svg = if arguments.svg.is_some() { drawing(answer)? } else { String::new() };
    let (json, table) = (to_json(&answer.report).map_err(Failure::report)?, lattice_table(&answer.report));
    let svg_file = arguments.svg.as_deref().map(|path| (path, svg.as_str()));
    let json_file = arguments.json.as_deref().map(|path| (path, json.as_str()));
    output::write_all(&svg_file.into_iter().chain(json_file).collect::<Vec<_>>())?;
    output::print(&table)
}

fn drawing(answer: &Answer) -> Result<String, Failure> {
    let usage = |message: String| Failure::Usage(Some(message));
    let dimensions = answer.report.coordinates.len();
    if dimensions != 2 {
        return Err(usage(format!("--svg draws sets of two dimensions; this one has {dimensions}")));
    }
    let missing = || match answer.report.examples.first() {
        Some(name) => usage(format!("--svg draws the set at given sizes: add --param {name}=…")),
        None => Failure::input(format!("--svg: nothing to draw: {}", answer.report.notes.join("; "))),
    };
    let scene = answer.scene.as_ref().ok_or_else(missing)?;
    figure(scene).ok_or_else(missing)
}

/// The text that holds the set.
struct Body {
    path: PathBuf,
    text: String,
}

impl Body {
    fn read(path: Option<&Path>) -> Result<Body, Failure> {
        match path {
            Some(path) if path != Path::new("-") => Ok(Body { path: path.to_path_buf(), text: input::text(path)? }),
            _ => Ok(Body { path: PathBuf::from("standard input"), text: input::standard()? }),
        }
    }

    fn parse(&self, ctx: &Context) -> Result<Set, Failure> {
        Set::parse(ctx, &self.text).map_err(|error| {
            let doubtful = error.message == "syntax error" && !error.is_exact;
            let label = if doubtful { "the mistake is here, or at most two words before" } else { "here" };
            let help = "a set in isl notation looks like [n] -> { [i, j] : -n < i < n and -3 <= i - j <= 3 }";
            self.at(error.start..error.end, error.message, label.to_string(), Some(help.to_string()))
        })
    }

    fn failure(&self, fault: Fault) -> Failure {
        match fault {
            Fault::Set { message, help } => {
                let start = self.text.len() - self.text.trim_start().len();
                let end = self.text.trim_end().len().max(start);
                self.at(start..end, message, "this set".to_string(), help)
            }
            Fault::Sizes(message) => Failure::Usage(Some(message)),
            Fault::Check(message) => Failure::Check(format!("{message}: a bug in polyfold; nothing was written")),
        }
    }

    /// Shows the place.
    fn at(&self, span: std::ops::Range<usize>, message: String, label: String, help: Option<String>) -> Failure {
        let severity = Severity::Error;
        let diagnostic = Diagnostic { severity, code: Code::NotASet, message, span, about_options: false, label, help };
        output::tell(&messages::render(&self.path, &self.text, &diagnostic));
        Failure::Input(None)
    }
}

/// A condition such as `n >= 3`, or a set of parameter values such as `[n] -> { : n >= 3 }`.
pub(crate) fn assumption(ctx: &Context, parameters: &[String], fact: &str) -> Result<Set, Failure> {
    let text =
        if fact.contains('{') { fact.to_string() } else { format!("[{}] -> {{ : {fact} }}", parameters.join(", ")) };
    let refused = |why: &str| Failure::Usage(Some(format!("--assume '{fact}': {why}")));
    let set = Set::parse(ctx, &text).map_err(|_| {
        let known = if parameters.is_empty() { "the set has no parameters".to_string() } else { parameters.join(", ") };
        refused(&format!("not a condition on parameters ({known}), such as n >= 3"))
    })?;
    if set.dimensions().unwrap_or(0) > 0 {
        return Err(refused("a set of points, not of parameter values such as [n] -> { : n >= 3 }"));
    }
    set.params().map_err(|e| refused(&e.message))
}

/// A size that is no parameter was probably misspelled.
pub(crate) fn warn_about_unused_sizes(parameters: &[String], sizes: &[(String, i64)]) {
    for (name, _) in sizes.iter().filter(|(name, _)| !parameters.contains(name)) {
        output::tell(&messages::plain(
            Severity::Warning,
            Code::UnknownName,
            &format!("--param {name}=…: the set has no parameter of that name"),
        ));
    }
}

//! `polyfold convert`: C to OpenScop or isl notation, and back.

use super::arguments::{ConvertArguments, ProgramArguments};
use super::input::{self, Input};
use super::problems::{self, Format, faulty, is_problem};
use super::{Failure, messages, output};
use polyfold_c::definitions::definitions;
use polyfold_codegen::{Obstacle, indent_of, why_not_as_text, with_body};
use polyfold_flow::Model;
use polyfold_formats::{At, Place, Problem, Refusal, loops};
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_isl::Context;
use polyfold_scop::{Code, Scop, Span};
use std::path::Path;

pub(crate) fn run(arguments: &ConvertArguments) -> Result<(), Failure> {
    if let Some(output) = &arguments.output
        && [Some(&arguments.input), arguments.into.as_ref()]
            .iter()
            .flatten()
            .any(|input| output::is_same(output, input))
    {
        let message = "-o names an input file, which would be lost: name another one";
        return Err(Failure::Usage(Some(message.to_string())));
    }
    let text = text(arguments)?;
    match &arguments.output {
        Some(path) => output::write_all(&[(path, &text)]),
        None => output::print(&text),
    }
}

fn text(arguments: &ConvertArguments) -> Result<String, Failure> {
    let to = arguments.output.as_deref().and_then(Format::of);
    let most = arguments.program.max_ops;
    match (is_problem(&arguments.input), &arguments.into, to) {
        (false, Some(_), _) => {
            let message = "--into takes loops from an OpenScop file (.scop) or a problem in isl notation (.isl)";
            Err(Failure::Usage(Some(message.to_string())))
        }
        (false, None, to) => of_program(arguments, to.unwrap_or(Format::OpenScop)),
        (true, Some(_), Some(_)) => Err(Failure::Usage(Some("--into makes a C file, and -o names none".to_string()))),
        (true, Some(into), None) => into_program(&arguments.input, into, &arguments.program),
        (true, None, Some(format)) => {
            let ctx = Context::new();
            format.write(&problems::read(&ctx, &arguments.input, most)?, &arguments.input)
        }
        (true, None, None) => problems::as_program(&arguments.input, &arguments.program),
    }
}

fn of_program(arguments: &ConvertArguments, format: Format) -> Result<String, Failure> {
    let input = input::read(&arguments.input, &arguments.program)?;
    let ctx = Context::new();
    let problems = input.parsed.scops.iter().map(|scop| problem(&ctx, &input, scop)).collect::<Result<Vec<_>, _>>()?;
    if problems.is_empty() {
        let is_declined = input.parsed.diagnostics.iter().any(|d| d.severity == Severity::Warning);
        let why = if is_declined {
            "none of its scops is understood, for the reasons above"
        } else {
            "it has no scop: put `#pragma scop` and `#pragma endscop` around loops"
        };
        return Err(Failure::input(format!("{}: {why}", input.path.display())));
    }
    format.write(&problems, &input.path)
}

fn problem(ctx: &Context, input: &Input, scop: &Scop) -> Result<Problem, Failure> {
    let failed = |error| Failure::input(format!("{}: {error}", input.path.display()));
    let model = Model::build(ctx, scop).map_err(failed)?;
    if let Some(obstacle) = why_not_as_text(&input.source, scop) {
        return Err(in_one_piece(input, obstacle));
    }
    let mut problem = Problem::of(&model).map_err(|refusal| match refusal {
        Refusal::Isl(error) => failed(error),
        Refusal::Wraps => {
            let message = "unsigned sizes, bounds or subscripts may wrap around, and sets have none that do";
            Failure::input(format!("{}, line {}: {message}; use signed ones", input.path.display(), scop.line))
        }
        Refusal::Whole(own) => {
            in_one_piece(input, Obstacle { what: own.what, span: place(scop, own.at), help: own.help })
        }
    })?;
    problem.prelude = definitions(&input.source[..scop.span.start]);
    let line = |at: usize| messages::position(&input.source, at).0;
    problem.place = Some(Place {
        file: input.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        lines: (line(scop.span.start), line(scop.span.end)),
        indent: indent_of(&input.source, scop).len(),
    });
    Ok(problem)
}

/// Says what keeps a scop in one piece.
fn in_one_piece(input: &Input, obstacle: Obstacle) -> Failure {
    let diagnostic = Diagnostic {
        severity: Severity::Error,
        code: Code::Problem,
        message: format!("this scop cannot be taken apart into statements: {}", obstacle.what),
        span: obstacle.span,
        about_options: false,
        label: "here".to_string(),
        help: Some(obstacle.help.to_string()),
    };
    output::tell(&messages::render(&input.path, &input.source, &diagnostic));
    Failure::Input(None)
}

/// Bytes of the file.
fn place(scop: &Scop, at: At) -> Span {
    let found = match at {
        At::Loop(id) => scop.loops().into_iter().find(|l| l.id == id).map(|l| l.span.start..l.span.start + 3),
        At::Statement(id) => Some(scop.statement(id).span.clone()),
        At::Declaration(id) => scop.array(id).declaration.as_ref().map(|own| own.statement.clone()),
        At::Scop => None,
    };
    found.unwrap_or(scop.span.start..scop.span.start)
}

/// The text of a C file with the loops that another file describes.
fn into_program(from: &Path, into: &Path, program: &ProgramArguments) -> Result<String, Failure> {
    let ctx = Context::new();
    let problems = problems::read(&ctx, from, program.max_ops)?;
    let input = input::read(into, program)?;
    let scops = &input.parsed.scops;
    if scops.len() != problems.len() {
        let message = format!(
            "{} describes {} scops, and {} has {}",
            from.display(),
            problems.len(),
            into.display(),
            scops.len()
        );
        return Err(Failure::input(format!("{message}; give each scop one")));
    }
    let mut text = input.source.clone();
    // From behind, so that places in front stay.
    for (scop, problem) in scops.iter().zip(&problems).rev() {
        let lines =
            loops(problem, &input.source, &indent_of(&input.source, scop)).map_err(|fault| faulty(from, &fault))?;
        text = with_body(&text, scop, &lines);
    }
    Ok(text)
}

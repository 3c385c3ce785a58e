//! `polyfold analyze`.

use super::arguments::AnalyzeArguments;
use super::{Failure, input, output};
use polyfold::analyze::analyze;
use polyfold_codegen::TextLimits;
use polyfold_isl::{Context, Error, ErrorKind};
use polyfold_plan::{Options, Scope, Slack};
use std::path::Path;

pub(crate) fn run(arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let input = input::read(&arguments.input, &arguments.program)?;
    if let Some(name) = &arguments.array
        && !input.parsed.scops.iter().any(|s| s.array_named(name).is_some())
    {
        return Err(Failure::input(format!("no scop of {} uses an array `{name}`", input.path.display())));
    }
    let options = Options {
        method: None,
        scope: Scope::Intra,
        sizes: arguments.program.param.clone(),
        assumptions: arguments.program.assume.clone(),
        max_operations: arguments.program.max_ops,
        slack: Slack::NONE,
        text: TextLimits::default(),
        in_strips: false,
    };
    let ctx = Context::new();
    for scop in &input.parsed.scops {
        let text = analyze(&ctx, scop, &input.source, arguments.array.as_deref(), &options)
            .map_err(|error| failure(&input.path, &error))?;
        output::print(&(text + "\n"))?;
    }
    Ok(())
}

fn failure(path: &Path, error: &Error) -> Failure {
    match error.kind {
        ErrorKind::Quota => Failure::input(format!("{}: {error}; --max-ops raises the bound", path.display())),
        ErrorKind::Limit | ErrorKind::Invalid | ErrorKind::Refused => Failure::Usage(Some(error.message.clone())),
    }
}

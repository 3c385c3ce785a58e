//! `polyfold optimize` for a conflict set.

use super::arguments::{MethodArgument, OptimizeCommand};
use super::lattice::{assumption, warn_about_unused_sizes};
use super::problems::{Format, is_problem};
use super::{Failure, input, output};
use polyfold::conflicts::{Fault, Question, study};
use polyfold_isl::{Context, Map};
use polyfold_report::{conflicts_table, to_json};
use polyfold_smo::Engine;
use std::path::Path;

/// Whether a file holds a conflict set rather than a program.
pub(crate) fn is_conflict_set(path: &Path) -> bool {
    Format::of(path) == Some(Format::Isl) && !is_problem(path)
}

pub(crate) fn run(command: &OptimizeCommand) -> Result<(), Failure> {
    let arguments = &command.optimize;
    let Some(engine) = engine(arguments.method) else {
        let message = "a conflict set is solved with --method smo, joint, fast, or auto";
        return Err(Failure::Usage(Some(message.to_string())));
    };
    if command.output.is_some() || arguments.verify {
        return Err(Failure::Usage(Some("-o and --verify are for programs, not for conflict sets".to_string())));
    }
    if arguments.reuse_outputs {
        return Err(Failure::Usage(Some("--reuse-outputs is for programs, not for conflict sets".to_string())));
    }
    if arguments.room.is_some_and(|room| room > 0) {
        return Err(Failure::Usage(Some("--room is for programs, not for conflict sets".to_string())));
    }
    if arguments.schedule != "keep" || !arguments.parallel.is_empty() || arguments.reallocate {
        let message = "--schedule, --parallel and --reallocate are for programs, not for conflict sets";
        return Err(Failure::Usage(Some(message.to_string())));
    }
    let program = &arguments.program;
    let ctx = Context::new();
    let pairs = pairs(&ctx, &arguments.input)?;
    let parameters = parameters(&pairs).map_err(|e| Failure::input(e.to_string()))?;
    warn_about_unused_sizes(&parameters, &program.param);
    let assume = |fact: &String| assumption(&ctx, &parameters, fact);
    let question = Question {
        pairs,
        assumptions: program.assume.iter().map(assume).collect::<Result<_, _>>()?,
        sizes: program.param.iter().filter(|(name, _)| parameters.contains(name)).cloned().collect(),
        engine,
        max_operations: program.max_ops,
    };
    let report = study(&question).map_err(|fault| match fault {
        Fault::Conflicts(message) => Failure::input(format!("{}: {message}", arguments.input.display())),
        Fault::Sizes(message) => Failure::Usage(Some(message)),
        Fault::Check(message) => Failure::Check(format!("{message}: a bug in polyfold; nothing was written")),
    })?;
    if let Some(json) = &command.json {
        let text = to_json(&report).map_err(Failure::report)?;
        output::write_all(&[(json, &text)])?;
    }
    output::print(&conflicts_table(&report))
}

/// What solves a conflict set with a method; `None` if that is for programs.
fn engine(method: MethodArgument) -> Option<Engine> {
    match method {
        MethodArgument::Auto => Some(Engine::Auto),
        MethodArgument::Smo => Some(Engine::Smo),
        MethodArgument::Joint => Some(Engine::Joint),
        MethodArgument::Fast => Some(Engine::Fast),
        MethodArgument::SuccessiveModulo | MethodArgument::Lattice | MethodArgument::Optimal => None,
    }
}

fn pairs(ctx: &Context, path: &Path) -> Result<Vec<Map>, Failure> {
    let text = input::text(path)?;
    let refused = |why: &str| {
        let example = "[N] -> { S[i] -> S[j] : 0 <= i < j < N; S[i] -> T[j] : 0 <= j <= i < N }";
        Failure::input(format!("{}: {why}; a conflict set looks like {example}", path.display()))
    };
    if has_more_than_one_relation(&text) {
        return Err(refused("more text after the conflict set"));
    }
    Map::read_each(ctx, &text)
        .map_err(|_| refused("this is not a relation between values of statements in isl notation"))
}

/// isl reads one relation and ignores what follows it.
fn has_more_than_one_relation(text: &str) -> bool {
    let code = text.lines().map(|line| line.split('#').next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    code.split_once('}').is_some_and(|(_, rest)| !rest.trim().is_empty())
}

fn parameters(pairs: &[Map]) -> polyfold_isl::Result<Vec<String>> {
    let mut all: Vec<String> = Vec::new();
    for map in pairs {
        all.extend(map.params()?.parameter_names()?);
    }
    all.sort();
    all.dedup();
    Ok(all)
}

//! Programs whose steps take the border of their grids along, where that saves memory or makes loops plain.

use super::Failure;
use super::arguments::{EmitArgument, MethodArgument, OptimizeArguments, ScopeArgument};
use super::optimize::{agreed, internal, options};
use super::schedule::{Reordered, Solution};
use indicatif::ProgressBar;
use polyfold_isl::Context;
use polyfold_plan::{WithBorder, with_border};
use std::time::Instant;

/// The program with copies in the scops that gain by them, and the storage that was found on the way.
///
/// # Errors
/// When isl fails, or a program with copies computes something else.
pub(super) fn with_borders(
    ctx: &Context,
    mut program: Reordered,
    arguments: &OptimizeArguments,
    progress: &ProgressBar,
) -> Result<Reordered, Failure> {
    let is_asked_for = (arguments.emit, arguments.scope, arguments.method)
        == (EmitArgument::Fast, ScopeArgument::Inter, MethodArgument::Auto);
    let has_changed = program.input.parsed.scops.iter().any(|scop| scop.order.is_some() || scop.expanded.is_some());
    if !is_asked_for || has_changed {
        return Ok(program);
    }
    for place in 0..program.input.parsed.scops.len() {
        let (begun, scop, source) = (Instant::now(), &program.input.parsed.scops[place], &program.input.source);
        let found = with_border(ctx, (scop, source), &options(scop, source, arguments), &mut |array| {
            progress.set_message(format!("{}: {array}", scop.function));
            progress.tick();
        });
        let result = match found.map_err(internal)? {
            Some(WithBorder::Copied { scop, result, judgement }) => {
                agreed(&scop, Ok(judgement))?;
                program.input.parsed.scops[place] = *scop;
                result
            }
            Some(WithBorder::AsItWas(result)) => result,
            None => continue,
        };
        let solution = Solution { result: *result, seconds: begun.elapsed().as_secs_f64(), stages: None };
        program.solved.insert(place, solution);
    }
    Ok(program)
}

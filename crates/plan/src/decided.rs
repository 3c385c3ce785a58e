//! From the storage that was found to what the code generator is told.

use crate::applied::{BufferNames, facts, with_new_storage, with_windows};
use crate::forms::{tiles, windows};
use crate::loop_facts::{LoopFacts, loop_facts};
use crate::optimize::{Optimized, Outcome};
use crate::registers::registers;
use crate::sliding::slides;
use crate::values::value_buffers;
use polyfold_codegen::{CNames, Decisions, Form, free_local_name, windows_written};
use polyfold_isl::Error;
use polyfold_prove::{Placed, Reach};
use polyfold_scop::Scop;

/// What was decided for a scop, with what the form of its loops needs; `has_new_order`: its loops were written by us.
///
/// # Errors
/// When isl fails.
pub fn decisions<'a>(
    scop: &'a Scop,
    source: &str,
    (result, names): (&'a Optimized, &'a CNames),
    (form, has_new_order): (Form, bool),
) -> Result<Decisions<'a>, Error> {
    let mapped = result.outcomes.iter().filter_map(|(_, outcome)| match outcome {
        Outcome::Mapped { storage, .. } => Some(storage.place().clone()),
        Outcome::Shared { buffer, member } => Some(result.buffers[*buffer].storage.place(*member).clone()),
        Outcome::Hosted { place } => Some((**place).clone()),
        Outcome::Values { .. } | Outcome::Removed | Outcome::Kept { .. } => None,
    });
    let values = result.outcomes.iter().filter_map(|(_, outcome)| match outcome {
        Outcome::Values { values, .. } => Some((**values).clone()),
        _ => None,
    });
    let mapped: Vec<_> = mapped.collect();
    let LoopFacts { apart, scalar_cells } =
        if form == Form::Fast { loop_facts(scop, result, &mapped, has_new_order)? } else { LoopFacts::default() };
    let registers = match form {
        Form::Plain => Vec::new(),
        Form::Fast => registers(scop, result, &mapped, Reach::InnermostLoops)?,
        Form::Hls => registers(scop, result, &mapped, Reach::Around)?,
    };
    let values: Vec<_> = values.collect();
    let sliding = if form == Form::Fast { slides(scop, result, &values)? } else { Vec::new() };
    let (windows, tiled) = match form {
        Form::Plain => (Vec::new(), Vec::new()),
        Form::Fast | Form::Hls => (windows(scop, result, &mapped)?, tiles(scop, result, &mapped)?),
    };
    let mut decisions = Decisions {
        scop,
        parameters: &result.parameters,
        names,
        mapped,
        values,
        value_buffers: value_buffers(scop, source, &result.buffers),
        removed: result.dead.arrays.clone(),
        dead: result.dead.statements.clone(),
        known: &result.known,
        proved: &result.proved,
        program: None,
        in_windows: None,
        facts: Vec::new(),
        form,
        apart,
        scalar_cells,
        registers,
        windows,
        sliding,
        tiled,
    };
    let of_storage = |place: &Placed| decisions.name(place, source);
    let of_values = |place: &Placed| decisions.name_of_values(place);
    let of_locals = |stem: &str| free_local_name(stem, scop, source);
    let names = BufferNames { of_storage: &of_storage, of_values: &of_values, of_locals: &of_locals };
    let program = with_new_storage(scop, result, &names)?;
    let windows = windows_written(source, &decisions);
    let in_windows = if windows.is_empty() { None } else { with_windows(scop, result, &names, &windows)? };
    (decisions.program, decisions.in_windows) = (program, in_windows);
    decisions.facts = facts(scop, result)?;
    Ok(decisions)
}

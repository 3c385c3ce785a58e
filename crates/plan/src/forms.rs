//! From the storage that was found to the form of its loops: what the code generator is told.
//!
//! Shift registers, windows, variables for cells and loops that may become vectors are proved of the
//! storage. No question takes longer than what it saves: what does is left out.

use crate::applied::{BufferNames, facts, with_new_storage, with_windows};
use crate::optimize::{Optimized, Outcome, in_bound};
use crate::values::value_buffers;
use polyfold_codegen::{Decisions, Form, ProvedForms, SizesInC, free_local_name, windows_written};
use polyfold_isl::Error;
use polyfold_prove::{
    Placed, PlacedValues, Reach, Storage, apart_loops, scalar_cells, shift_registers, sliding_windows, tile_windows,
};
use polyfold_scop::{ArrayId, Pointer, Scop};

/// Steps of isl for one question about the loops of a scop, about a third of a second.
const MOST_STEPS: u64 = 1_000_000;

/// The same about strips and tiles.
const MOST_STEPS_OF_WINDOWS: u64 = 2 * MOST_STEPS;

/// The same of what saves more.
const MOST_STEPS_OF_FACTS: u64 = 3_000_000;

/// What was decided for a scop, with what the form of its loops needs; `has_new_order`: its loops were written by us.
///
/// # Errors
/// When isl fails.
pub fn decisions<'a>(
    scop: &'a Scop,
    source: &str,
    (result, names): (&'a Optimized, &'a SizesInC),
    (form, has_new_order): (Form, bool),
) -> Result<Decisions<'a>, Error> {
    let mapped = result.outcomes.iter().filter_map(|(_, outcome)| outcome.place(&result.buffers).cloned());
    let values = result.outcomes.iter().filter_map(|(_, outcome)| match outcome {
        Outcome::Values { values, .. } => Some((**values).clone()),
        _ => None,
    });
    let mut decisions = Decisions {
        scop,
        parameters: &result.parameters,
        names,
        mapped: mapped.collect(),
        values: values.collect(),
        value_buffers: value_buffers(scop, source, &result.buffers),
        removed: result.dead.arrays.clone(),
        dead: result.dead.statements.clone(),
        known: &result.known,
        proved: &result.proved,
        program: None,
        in_windows: None,
        facts: facts(scop, result)?,
        form,
        forms: ProvedForms::default(),
    };
    if form != Form::Plain {
        decisions.forms = proved_forms(&decisions, result, has_new_order)?;
    }
    let of_storage = |place: &Placed| decisions.name(place, source);
    let of_values = |place: &Placed| decisions.name_of_values(place);
    let of_locals = |stem: &str| free_local_name(stem, scop, source);
    let names = BufferNames { of_storage: &of_storage, of_values: &of_values, of_locals: &of_locals };
    let program = with_new_storage(scop, result, &names)?;
    let windows = windows_written(source, &decisions);
    let in_windows = if windows.is_empty() { None } else { with_windows(scop, result, &names, &windows)? };
    (decisions.program, decisions.in_windows) = (program, in_windows);
    Ok(decisions)
}

/// What is proved of the loops.
fn proved_forms(decisions: &Decisions, result: &Optimized, has_new_order: bool) -> Result<ProvedForms, Error> {
    let (scop, mapped) = (decisions.scop, &decisions.mapped);
    let (program, gone, context) = ((scop, &result.statements[..]), &result.dead.statements[..], &result.proved);
    let reach = if decisions.form == Form::Fast { Reach::InnermostLoops } else { Reach::Around };
    let registers = in_time(result, MOST_STEPS, || shift_registers(program, mapped, gone, context, reach))?;
    let windows = in_time(result, MOST_STEPS_OF_WINDOWS, || tile_windows(program, mapped, gone, context))?;
    let mut forms = ProvedForms { registers, windows, ..ProvedForms::default() };
    if decisions.form == Form::Fast {
        let values: Vec<PlacedValues> = decisions.values.iter().map(|values| values.placed().clone()).collect();
        forms.sliding = in_time(result, MOST_STEPS, || sliding_windows(scop, &values, context))?;
        let restricted = &restricted(scop)[..];
        let values = values.iter().collect();
        let storage = Storage { mapped, values, gone, context, restricted, are_distinct: has_new_order };
        if !mapped.is_empty() || !decisions.values.is_empty() {
            forms.apart = in_time(result, MOST_STEPS_OF_FACTS, || apart_loops(program, &storage))?;
            forms.scalar_cells = in_time(result, MOST_STEPS_OF_FACTS, || scalar_cells(program, &storage))?;
        }
    }
    Ok(forms)
}

/// What is found within a bound of steps; nothing otherwise.
fn in_time<T: Default>(
    result: &Optimized,
    most_steps: u64,
    find: impl FnOnce() -> Result<T, Error>,
) -> Result<T, Error> {
    Ok(in_bound(result.proved.context().with_quota(most_steps, find))?.unwrap_or_default())
}

/// The parameters whose declarations say that what they lead to is reached in no other way.
fn restricted(scop: &Scop) -> Vec<ArrayId> {
    let says_so = |id: &ArrayId| {
        let declared = scop.array(*id).declaration.as_ref().filter(|d| d.storage == polyfold_scop::Storage::Parameter);
        declared.and_then(|d| d.pointer).is_some_and(Pointer::is_restrict)
    };
    (0..scop.arrays.len()).map(ArrayId).filter(says_so).collect()
}

//! What the text of a program does not let change.
//!
//! A result that needs new sizes in front of the scop, or a test with the old program in its other branch, is taken back for
//! arrays whose declaration cannot move, and for scops that cannot stand twice.

use crate::apart::is_variable;
use crate::optimize::{Outcome, keep};
use polyfold_codegen::{TextLimits, keeps_its_rows};
use polyfold_flow::{DeadCode, Model};
use polyfold_isl::Error;
use polyfold_prove::Placed;
use polyfold_scop::{Array, ArrayId, ParameterId, ParameterOrigin, Scop};

/// Keeps what the text of the program does not let change.
pub(crate) fn respect_text(
    model: &Model,
    text: &TextLimits,
    outcomes: &mut [(ArrayId, Outcome)],
    dead: &mut DeadCode,
) -> Result<(), Error> {
    let is_guarded = has_second_text(model)?;
    if is_guarded && let Some(reason) = no_second_text(model.scop, text, &dead.arrays) {
        *dead = DeadCode::default();
        for (id, outcome) in outcomes.iter_mut().filter(|(_, o)| !matches!(o, Outcome::Kept { .. })) {
            *outcome = keep(&reason, model.scop.array(*id).is_temporary());
        }
    }
    for (id, reason) in &text.fixed {
        for (_, outcome) in outcomes.iter_mut().filter(|(other, _)| other == id) {
            if is_guarded && matches!(outcome, Outcome::Mapped { .. }) || declares_new_sizes(model, outcome)? {
                *outcome = keep(reason, true);
            }
        }
    }
    for (id, outcome) in outcomes.iter_mut() {
        let Outcome::Mapped { storage, .. } = outcome else { continue };
        if let Some(reason) = fixed_allocation(model.scop, model.scop.array(*id), storage.place(), is_guarded) {
            *outcome = keep(&reason, true);
        }
    }
    Ok(())
}

/// Whether the program as it was may stay in the other branch of a test.
pub(crate) fn has_second_text(model: &Model) -> Result<bool, Error> {
    let at_run_time = model.scop.parameters.iter().any(|p| p.origin == ParameterOrigin::Variable);
    Ok(at_run_time && !model.known.is_subset(&model.context)?)
}

/// Why an allocation cannot get another size.
fn fixed_allocation(scop: &Scop, array: &Array, place: &Placed, is_guarded: bool) -> Option<String> {
    array.declaration.as_ref()?.allocation()?;
    if let Some(reason) = one_size_only(scop, array).filter(|_| is_guarded) {
        return Some(reason);
    }
    (!keeps_its_rows(array, place)).then(|| "its rows would be of another length than its declaration says".to_string())
}

/// Why the scop as it was cannot stand beside the new one, in the other branch of a test.
fn no_second_text(scop: &Scop, text: &TextLimits, removed: &[ArrayId]) -> Option<String> {
    if !scop.outlived.is_empty() {
        return Some(format!(
            "a result that holds for some sizes only needs a test around the scop, and `{}` is declared in it and used \
             after it",
            scop.outlived.iter().map(|own| own.name.as_str()).collect::<Vec<_>>().join("`, `")
        ));
    }
    let unmoved = text.fixed.iter().find(|(id, _)| removed.contains(id)).map(|(_, reason)| reason.clone());
    let allocated = || removed.iter().find_map(|id| one_size_only(scop, scop.array(*id)));
    text.single.clone().or(unmoved).or_else(allocated)
}

/// Why the call that allocates an array cannot ask for one size or the other.
fn one_size_only(scop: &Scop, array: &Array) -> Option<String> {
    let allocation = array.declaration.as_ref()?.allocation()?;
    let later = (0..scop.parameters.len()).map(ParameterId).find(|id| !allocation.known.contains(id));
    if let Some(id) = later {
        let name = &scop.parameters[id.0].name;
        return Some(format!("what is found holds for some sizes only, and `{name}` may change after its allocation"));
    }
    let reason = "what is found holds for some sizes only, and calloc takes two numbers: use malloc";
    allocation.is_cleared.then(|| reason.to_string())
}

/// Whether new storage has sizes that are known at the scop only.
fn declares_new_sizes(model: &Model, outcome: &Outcome) -> Result<bool, Error> {
    let Outcome::Mapped { storage, .. } = outcome else { return Ok(false) };
    if storage.place().linear().is_some() {
        return Ok(true);
    }
    for row in storage.place().rows() {
        if row.own_extent.is_none() && row.modulus.parameters()?.iter().any(|name| is_variable(model, name)) {
            return Ok(true);
        }
    }
    Ok(false)
}

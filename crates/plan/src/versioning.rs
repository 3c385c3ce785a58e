//! Results that hold for some sizes only.
//!
//! Such a result needs a second version of the scop: the loops as they were, in the other branch of
//! a test. It is taken back
//!
//! * where the scop can't stand twice in the text, or a declaration would have to move that can't,
//! * where so few sizes pass the test that nobody wants the loops twice for them. What the user
//!   assumes is another matter: those sizes are the user's.
//!
//! Example: `for (unsigned i = 0; i < 2 - n; i++)` wraps around for n >= 3. A test `n <= 2` would
//! serve three sizes.
//!
//! The sizes that a result says nothing of are reported with the places in the source that are the
//! reason ([`exclusions`]).
//!
//! The values of macros, or the case that they are in, may make a result better or simpler. They are
//! worth an assertion then ([`facts_about_constants`]).

use crate::conditions::{sizes_text, sizes_to_read};
use crate::optimize::{Optimized, Options, Outcome, keep};
use crate::sizes::{constants, smallest_examples};
use crate::stack::is_variable;
use polyfold_alloc::{Mapping, Method};
use polyfold_codegen::{TextLimits, keeps_its_rows};
use polyfold_flow::{Cause, DeadCode, Exclusion, Model};
use polyfold_isl::{Error, Set};
use polyfold_prove::Placed;
use polyfold_scop::{Array, ArrayId, ParameterId, ParameterOrigin, Scop};
use std::collections::BTreeSet;

/// Keeps what the text of the program does not let change.
pub(crate) fn respect_text(
    model: &Model,
    text: &TextLimits,
    outcomes: &mut [(ArrayId, Outcome)],
    dead: &mut DeadCode,
) -> Result<(), Error> {
    let is_guarded = has_second_text(model)?;
    if is_guarded && let Some(reason) = no_second_text(model.scop, text, &dead.arrays) {
        take_back(model, outcomes, dead, &reason);
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

/// So many values of the sizes that a test asks for are not worth it.
const FEW_SIZES: usize = 4;

/// Takes back what holds for a few run-time sizes only.
pub(crate) fn refuse_few_sizes(
    model: &Model,
    outcomes: &mut [(ArrayId, Outcome)],
    dead: &mut DeadCode,
) -> Result<(), Error> {
    let changes = outcomes.iter().any(|(_, outcome)| !matches!(outcome, Outcome::Kept { .. }));
    if !changes || !model.scop.assumed.is_empty() || model.known.is_subset(&model.context)? {
        return Ok(());
    }
    let tested = model.context.gist_params(&model.known)?.coalesce()?;
    let to_read = sizes_to_read(&model.known, &model.parameters, model.scop)?;
    let variables = variables_of(model, &tested)?;
    let here = model.context.at(&constants(model.scop, &model.parameters))?;
    let sizes = sizes_text(&to_read.condition(&tested)?);
    let reason = match here.is_empty()? {
        true => format!("smaller storage is proved {sizes} only, and the macros have other values"),
        false if variables.is_empty() || !are_few(&here, &variables)? => return Ok(()),
        false => format!("smaller storage is proved {sizes} only, too few sizes for a second copy of the loops"),
    };
    take_back(model, outcomes, dead, &reason);
    Ok(())
}

/// Keeps all arrays, and what nobody reads.
fn take_back(model: &Model, outcomes: &mut [(ArrayId, Outcome)], dead: &mut DeadCode, reason: &str) {
    *dead = DeadCode::default();
    for (id, outcome) in outcomes.iter_mut().filter(|(_, o)| !matches!(o, Outcome::Kept { .. })) {
        *outcome = keep(reason, model.scop.array(*id).is_temporary());
    }
}

/// The variables that decide whether sizes are in a set, in isl notation.
fn variables_of(model: &Model, sizes: &Set) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    for name in model.parameters.iter().filter(|name| is_variable(model, name)) {
        if !sizes.for_any(std::slice::from_ref(name))?.is_equal(sizes)? {
            found.push(name.clone());
        }
    }
    Ok(found)
}

/// Whether the sizes have few values of the variables.
fn are_few(sizes: &Set, variables: &[String]) -> Result<bool, Error> {
    let mut rest = sizes.clone();
    let names = rest.parameter_names()?;
    for _ in 0..FEW_SIZES {
        let Ok(Some((values, _))) = rest.sample() else { break };
        let given: Vec<(&str, i64)> = names.iter().map(String::as_str).zip(values).collect();
        let one: Vec<(&str, i64)> = given.into_iter().filter(|(name, _)| variables.iter().any(|v| v == name)).collect();
        rest = rest.subtract(&rest.at(&one)?)?;
    }
    rest.is_empty()
}

/// What makes the result hold for fewer sizes than C allows, or keeps the report from speaking of the usual examples; as few
/// places as account for it. Where nothing changes, only what may be the reason for that. Of an array that accesses leave
/// whenever the source runs, the first of them.
pub(crate) fn exclusions(model: &Model, options: &Options, changes: bool) -> Result<Vec<Exclusion>, Error> {
    let mut unexplained = model.known.subtract(&model.context)?.union(&smallest_examples(model, options)?)?;
    let mut found = Vec::new();
    let mut left = BTreeSet::new();
    for exclusion in &model.exclusions {
        if let (Cause::Leaves(id, at), Some(_)) = (exclusion.cause, &exclusion.witness) {
            if left.insert(model.scop.statement(id).accesses[at].array) {
                found.push(exclusion.clone());
            }
            continue;
        }
        if (changes || may_hinder(model, exclusion)) && !exclusion.sizes.intersect(&unexplained)?.is_empty()? {
            unexplained = unexplained.subtract(&exclusion.sizes)?;
            found.push(exclusion.clone());
        }
    }
    Ok(found)
}

fn may_hinder(model: &Model, exclusion: &Exclusion) -> bool {
    match exclusion.cause {
        Cause::Wraps(_) => true,
        Cause::Leaves(id, at) => model.leaves_bounds.contains(&model.scop.statement(id).accesses[at].array),
    }
}

/// Facts about macros that would make the result better or simpler: their values, if an array disappoints or the user asks
/// for the optimum; else the case that they are in, where sizes distinguish cases by macros alone.
pub(crate) fn facts_about_constants(
    result: &Optimized,
    scop: &Scop,
    method: Option<Method>,
) -> Result<Option<Set>, Error> {
    let constants = constants(scop, &result.parameters);
    if constants.is_empty() {
        return Ok(None);
    }
    let disappoints =
        |id: ArrayId, o: &Outcome| matches!(o, Outcome::Kept { surprising: true, .. }) && scop.array(id).is_temporary();
    if method == Some(Method::Optimal) || result.outcomes.iter().any(|(id, outcome)| disappoints(*id, outcome)) {
        return Ok(Some(result.proved.at(&constants)?.coalesce()?));
    }
    let mut facts: Option<Set> = None;
    for mapping in result.considered(scop)? {
        for modulus in mapping.as_modular().into_iter().flat_map(|mapping| &mapping.moduli) {
            let by_constants = modulus.parameters()?.iter().all(|p| constants.iter().any(|(name, _)| name == p));
            let pieces = modulus.pieces()?;
            if !by_constants || pieces.len() < 2 {
                continue;
            }
            for (case, _) in pieces {
                if !case.at(&constants)?.is_empty()? {
                    facts = Some(facts.map_or(Ok(case.clone()), |f| f.intersect(&case))?);
                }
            }
        }
    }
    Ok(facts)
}

impl Optimized {
    /// The mappings that arrays have, and, where more is used than is alive at once, those that they would have by themselves:
    /// what beat these for all sizes need not do so for those of macros.
    fn considered(&self, scop: &Scop) -> Result<impl Iterator<Item = &Mapping>, Error> {
        let floor = self.alive.estimate(|| self.useful(scop), &self.counted).map_or(0, |live| live.total);
        let is_least = self.cells_at(scop, &self.sizes.values)? <= floor;
        let alone = if is_least { &[] } else { self.alone.as_slice() };
        let own = self.outcomes.iter().chain(alone).filter_map(|(_, outcome)| match outcome {
            Outcome::Mapped { storage, .. } => Some(&storage.get().mapping),
            _ => None,
        });
        Ok(own.chain(self.buffers.iter().map(|buffer| &buffer.storage.get().mapping)))
    }
}

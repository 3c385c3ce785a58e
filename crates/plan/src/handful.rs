//! Results for so few sizes that nobody wants the scop twice in the text for them.
//!
//! Example: `for (unsigned i = 0; i < 2 - n; i++)` wraps around for n >= 3. A test `n <= 2` around a second copy of the loops
//! would serve three sizes. What the user assumes is another matter: those sizes are the user's.

use crate::apart::is_variable;
use crate::conditions::{names_in_c, sizes_text};
use crate::optimize::{Outcome, keep};
use polyfold_flow::{DeadCode, Model};
use polyfold_isl::{Error, Set};
use polyfold_scop::{ArrayId, Scop};

/// So many values of the sizes that a test asks for are not worth it.
const HANDFUL: usize = 4;

/// Takes back what holds for a handful of run-time sizes only.
pub(crate) fn refuse_handful(
    model: &Model,
    outcomes: &mut [(ArrayId, Outcome)],
    dead: &mut DeadCode,
) -> Result<(), Error> {
    let changes = outcomes.iter().any(|(_, outcome)| !matches!(outcome, Outcome::Kept { .. }));
    if !changes || !model.scop.assumed.is_empty() || model.known.is_subset(&model.context)? {
        return Ok(());
    }
    let tested = model.context.gist_params(&model.known)?.coalesce()?;
    let condition = names_in_c(&model.known, &model.parameters, model.scop)?.condition(&tested)?;
    let variables = variables_of(model, &condition);
    let here = model.context.at(&constants(model.scop, &model.parameters))?;
    let sizes = sizes_text(&condition);
    let reason = match here.is_empty()? {
        true => format!("smaller storage is proved {sizes} only, and the macros have other values"),
        false if variables.is_empty() || !is_handful(&here, &variables)? => return Ok(()),
        false => format!("smaller storage is proved {sizes} only, too few sizes for a second copy of the loops"),
    };
    *dead = DeadCode::default();
    for (id, outcome) in outcomes.iter_mut().filter(|(_, o)| !matches!(o, Outcome::Kept { .. })) {
        *outcome = keep(&reason, model.scop.array(*id).is_temporary());
    }
    Ok(())
}

/// The variables in a condition, in isl notation.
fn variables_of(model: &Model, condition: &str) -> Vec<String> {
    let words: Vec<&str> = condition.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let parameters = model.scop.parameters.iter().zip(&model.parameters);
    let read = parameters.filter(|(p, name)| words.contains(&p.name.as_str()) && is_variable(model, name));
    read.map(|(_, name)| name.clone()).collect()
}

fn constants<'a>(scop: &Scop, parameters: &'a [String]) -> Vec<(&'a str, i64)> {
    let named = scop.parameters.iter().zip(parameters);
    named.filter_map(|(parameter, name)| Some((name.as_str(), parameter.constant()?))).collect()
}

/// Whether the sizes have few values of the variables.
fn is_handful(sizes: &Set, variables: &[String]) -> Result<bool, Error> {
    let mut rest = sizes.clone();
    let names = rest.parameter_names()?;
    for _ in 0..HANDFUL {
        let Ok(Some((values, _))) = rest.sample() else { break };
        let given: Vec<(&str, i64)> = names.iter().map(String::as_str).zip(values).collect();
        let one: Vec<(&str, i64)> = given.into_iter().filter(|(name, _)| variables.iter().any(|v| v == name)).collect();
        rest = rest.subtract(&rest.at(&one)?)?;
    }
    rest.is_empty()
}

//! The sizes at which cells are counted: given ones, else examples.

use super::question::{Checked, Fault};
use polyfold_isl::Result;

/// What parameters are taken to be where nobody says.
const EXAMPLES: [i64; 3] = [100, 10, 1000];

/// A value for every parameter.
pub(crate) struct Sizes {
    pub(crate) values: Vec<(String, i64)>,
    /// Names whose value is only an example.
    pub(crate) examples: Vec<String>,
}

impl Sizes {
    pub(crate) fn named(&self) -> Vec<(&str, i64)> {
        self.values.iter().map(|(name, value)| (name.as_str(), *value)).collect()
    }
}

/// Given sizes, and examples for the rest.
pub(crate) fn choose(checked: &Checked, given: &[(String, i64)]) -> Result<std::result::Result<Sizes, Fault>> {
    let given = |name: &String| given.iter().rev().find(|(n, _)| n == name).cloned();
    let known: Vec<(String, i64)> = checked.parameters.iter().filter_map(given).collect();
    if let Some((name, value)) = known.iter().find(|(_, value)| i32::try_from(*value).is_err()) {
        return Ok(Err(Fault::Sizes(format!("--param {name}={value}: sizes have to fit into 32 bits"))));
    }
    let context = checked.context.at(&refs(&known))?;
    if context.is_empty()? {
        let at: Vec<String> = known.iter().map(|(name, value)| format!("{name}={value}")).collect();
        return Ok(Err(Fault::Sizes(format!("--param {}: the set has no points there", at.join(",")))));
    }
    let missing = |name: &&String| !known.iter().any(|(n, _)| n == *name);
    let examples: Vec<String> = checked.parameters.iter().filter(missing).cloned().collect();
    let mut values = known;
    if !examples.is_empty() {
        values.extend(example(checked, &context, &examples)?);
    }
    Ok(Ok(Sizes { values, examples }))
}

fn example(checked: &Checked, context: &polyfold_isl::Set, names: &[String]) -> Result<Vec<(String, i64)>> {
    for value in EXAMPLES {
        let all: Vec<(String, i64)> = names.iter().map(|name| (name.clone(), value)).collect();
        if !context.at(&refs(&all))?.is_empty()? {
            return Ok(all);
        }
    }
    let (values, _) = context.sample()?.unwrap_or_default();
    let all = checked.parameters.iter().cloned().zip(values);
    Ok(all.filter(|(name, _)| names.contains(name)).collect())
}

fn refs(sizes: &[(String, i64)]) -> Vec<(&str, i64)> {
    sizes.iter().map(|(name, value)| (name.as_str(), *value)).collect()
}

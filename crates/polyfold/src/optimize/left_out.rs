//! Sizes that the result says nothing of, with the places in the source that are the reason.

use super::Options;
use super::sizes::smallest_examples;
use polyfold_flow::{Exclusion, Model};
use polyfold_isl::Error;

/// What makes the result hold for fewer sizes than C allows, or keeps the report from speaking of the usual examples; as few
/// places as account for it.
pub(super) fn left_out(model: &Model, options: &Options) -> Result<Vec<Exclusion>, Error> {
    let mut unexplained = model.known.subtract(&model.context)?.union(&smallest_examples(model, options)?)?;
    let mut found = Vec::new();
    for exclusion in &model.exclusions {
        if !exclusion.sizes.intersect(&unexplained)?.is_empty()? {
            unexplained = unexplained.subtract(&exclusion.sizes)?;
            found.push(exclusion.clone());
        }
    }
    Ok(found)
}

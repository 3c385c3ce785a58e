//! Sizes that the result says nothing of, with the places in the source that are the reason.

use crate::optimize::Options;
use crate::sizes::smallest_examples;
use polyfold_flow::{Cause, Exclusion, Model};
use polyfold_isl::Error;
use std::collections::BTreeSet;

/// What makes the result hold for fewer sizes than C allows, or keeps the report from speaking of the usual examples; as few
/// places as account for it. Where nothing changes, only what may be the reason for that. Of an array that accesses leave
/// whenever the source runs, the first of them.
pub(crate) fn left_out(model: &Model, options: &Options, changes: bool) -> Result<Vec<Exclusion>, Error> {
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

//! Arrays of their own for the values of a temporary: every statement that writes it gets one.

use super::Source;
use super::grown::grown;
use crate::optimize::in_bound;
use polyfold_flow::{Grain, Model};
use polyfold_isl::{Context, Error};
use polyfold_scop::{Array, ArrayId, Scop};
use std::collections::BTreeSet;

/// The names of temporaries that last: what each iteration declares anew holds the values of one
/// iteration only.
pub fn own_temporaries(scop: &Scop) -> Vec<String> {
    let lasts = |array: &&Array| {
        array.is_temporary() && array.declaration.as_ref().is_none_or(|declaration| !declaration.inside_scop)
    };
    let ids = (0..scop.arrays.len()).map(ArrayId).filter(|id| !scop.is_gone(*id));
    ids.map(|id| scop.array(id)).filter(lasts).map(|array| array.name.clone()).collect()
}

/// The scop in which the values of some temporaries have arrays of their own, of those that can;
/// `None`: none can.
pub(super) fn with_own_arrays(source: &Source, scop: &Scop, names: &BTreeSet<String>) -> Result<Option<Scop>, Error> {
    let mut current = None;
    for name in own_temporaries(scop).iter().filter(|name| names.contains(*name)) {
        let next = with_own_array(source, current.as_ref().unwrap_or(scop), name)?;
        current = next.or(current);
    }
    Ok(current)
}

/// The scop in which one temporary's values have arrays of their own; `None`: they can't, or it
/// takes more work than the bound.
///
/// # Errors
/// When isl fails.
pub fn with_own_array(source: &Source, scop: &Scop, name: &str) -> Result<Option<Scop>, Error> {
    let Some(array) = scop.array_named(name) else { return Ok(None) };
    let ctx = Context::new();
    let found = ctx.with_quota(source.bound(), || {
        let model = Model::build(&ctx, scop)?;
        if !model.known.is_subset(&model.context)? {
            return Ok(None);
        }
        grown(source.text, &model, (array, Grain::Operations), source.dialect)
    });
    Ok(in_bound(found)?.flatten())
}

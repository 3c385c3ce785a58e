//! From which lifetimes an array's conflicts are taken.

use polyfold_flow::{Model, union};
use polyfold_isl::Result;
use polyfold_live::Precision;
use polyfold_scop::ArrayId;

/// One interval per cell first; per value too where cells are written more than once.
pub(crate) fn precisions(model: &Model, id: ArrayId) -> Result<Vec<Precision>> {
    let writes = union(model.accesses(id).writes())?;
    let once = match writes {
        None => true,
        Some(writes) => model.unordered.is_some() || writes.is_injective()?,
    };
    Ok(if once { vec![Precision::Cell] } else { vec![Precision::Cell, Precision::Value] })
}

/// Per value where that can make a difference.
pub(crate) fn finest(model: &Model, id: ArrayId) -> Result<Precision> {
    Ok(precisions(model, id)?.into_iter().fold(Precision::Cell, finer))
}

/// For conflicts between two arrays.
pub(crate) fn finer(a: Precision, b: Precision) -> Precision {
    if a == Precision::Value { a } else { b }
}

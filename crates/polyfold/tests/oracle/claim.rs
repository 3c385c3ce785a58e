//! What the analysis says, to be compared with what happens.

use polyfold_flow::Model;
use polyfold_live::{DifferenceSet, Lifetimes, Precision, conflicts};
use polyfold_scop::ArrayId;

/// What the analysis says of one array.
pub(crate) struct Claim {
    pub(crate) precision: Precision,
    pub(crate) differences: DifferenceSet,
}

impl Claim {
    pub(crate) fn both(model: &Model, array: ArrayId) -> polyfold_isl::Result<[Claim; 2]> {
        let lifetimes = Lifetimes::of(model, array)?;
        Ok([
            Claim::of(model, array, &lifetimes, Precision::Cell)?,
            Claim::of(model, array, &lifetimes, Precision::Value)?,
        ])
    }

    pub(crate) fn of(
        model: &Model,
        array: ArrayId,
        lifetimes: &Lifetimes,
        precision: Precision,
    ) -> polyfold_isl::Result<Claim> {
        let conflicts = conflicts(lifetimes, precision)?;
        let dimensions = model.scop.array(array).extents.len();
        let differences = DifferenceSet::of(model.context.context(), conflicts, dimensions)?;
        Ok(Claim { precision, differences })
    }
}

//! Example sizes at which something is left of differences.
//!
//! Examples are equal where nobody says more. Then `hi - lo` and `n - m + 1` are next to nothing, and so is what is found there:
//!
//! ```text
//! double t[hi - lo]; for (i = lo; i < hi; i++) …     hi = 100, lo = 100: no cell, no iteration     hi = 100, lo = 0: 100 of both
//! ```
//!
//! One size after the other becomes 0, or a quarter, where that lets more statements run or more extents be at least a quarter of the
//! largest example, and neither the other way around.

use crate::sizes::{Sizes, borrow, running};
use polyfold_flow::Model;
use polyfold_isl::Error;
use polyfold_scop::Scop;

/// How much a choice of sizes leaves: statements that run, and long extents.
type Left = (usize, usize);

/// Moves examples apart where that leaves more.
pub(crate) fn move_apart(model: &Model, sizes: &mut Sizes) -> Result<(), Error> {
    let is_example = |k: &usize| sizes.examples.contains(&model.scop.parameters[*k].name);
    let examples: Vec<usize> = (0..sizes.values.len()).filter(is_example).collect();
    let Some(largest) = examples.iter().map(|k| sizes.values[*k].1).max() else { return Ok(()) };
    let mut best = left(model, sizes, largest / 4)?;
    if best == all(model.scop) {
        return Ok(());
    }
    for k in examples {
        for value in [0, sizes.values[k].1 / 4] {
            let mut other = sizes.clone();
            other.values[k].1 = value;
            if model.context.at(&borrow(&other.values))?.is_empty()? {
                continue;
            }
            let left = left(model, &other, largest / 4)?;
            if left.0 >= best.0 && left.1 >= best.1 && left != best {
                (best, *sizes) = (left, other);
                break;
            }
        }
    }
    Ok(())
}

fn left(model: &Model, sizes: &Sizes, least: i64) -> Result<Left, Error> {
    let values: Vec<i64> = sizes.values.iter().map(|(_, value)| *value).collect();
    let extents = model.scop.arrays.iter().flat_map(|array| array.extents.iter().flatten());
    let long = extents.filter(|extent| extent.value(&values).is_some_and(|cells| cells >= least)).count();
    Ok((running(model, sizes)?, long))
}

/// All statements and all extents.
fn all(scop: &Scop) -> Left {
    (scop.statements.len(), scop.arrays.iter().flat_map(|array| array.extents.iter().flatten()).count())
}

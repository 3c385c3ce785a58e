//! Which accesses leave their arrays, and what that says of the parameters.
//!
//! A program whose access surely leaves a temporary's declared extents has no meaning in C, so the sizes for which
//! that happens are excluded. Where it happens for every size that the source can have, or only data decides, the array may be
//! addressed across rows on purpose, and it is set aside instead.
//!
//! Example: `double t[n]` with a read of `t[4]` in every run excludes `n <= 4`. With `#define n 3` it sets `t` aside.

use crate::exclusion::Exclusion;
use polyfold_isl::{Result, Set};
use polyfold_scop::ArrayId;

/// Parameter values for which some access leaves its array's extents.
pub(crate) struct Outside {
    /// The access surely happens.
    pub(crate) surely: Set,
    /// Data decides whether it happens.
    pub(crate) perhaps: Set,
    /// The accesses that surely happen, each with the sizes for which it is outside.
    pub(crate) noted: Vec<Exclusion>,
}

/// What accesses out of bounds say.
pub(crate) struct Bounded {
    /// Parameter values for which no access surely leaves its array.
    pub(crate) sizes: Set,
    /// Arrays that are left for every size, or when data decides so.
    pub(crate) left: Vec<ArrayId>,
}

/// Narrows the parameter values, array by array.
///
/// # Errors
/// When the work bound is reached.
pub(crate) fn bounded(known: &Set, outside: Vec<(ArrayId, Outside)>) -> Result<Bounded> {
    let mut bounded = Bounded { sizes: known.clone(), left: Vec::new() };
    let mut perhaps = Vec::new();
    for (array, outside) in outside {
        let inside = without(&bounded.sizes, &outside.surely)?;
        if inside.is_empty()? {
            bounded.left.push(array);
        } else {
            bounded.sizes = inside;
            perhaps.push((array, outside.perhaps));
        }
    }
    for (array, sizes) in perhaps {
        if !sizes.intersect(&bounded.sizes)?.is_empty()? {
            bounded.left.push(array);
        }
    }
    Ok(bounded)
}

/// Some parameter values but for others, in pieces that mention remainders only around those: `u[steps % 2]` leaves `steps >= 0` as it is, and even numbers below.
fn without(sizes: &Set, others: &Set) -> Result<Set> {
    let around = others.remove_divs()?;
    let beside = sizes.subtract(&around)?;
    beside.union(&sizes.intersect(&around)?.subtract(others)?)?.coalesce()
}

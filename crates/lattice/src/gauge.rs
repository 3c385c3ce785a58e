//! Moduli one axis after the other.
//!
//! For an order π of the canonical axes,
//!
//! ```text
//! b_π(k) = 1 + max { d_π(k) : d ∈ DS, d_π(1) = … = d_π(k−1) = 0 }
//! ```
//!
//! and the mapping is `x -> x mod b`. A nonzero d in DS and in the kernel has a first nonzero coordinate along π;
//! it is a multiple of its modulus, and smaller by the definition, so there is no such d.
//!
//! Paper: Bee §4.2, heuristic 3 on the canonical basis, with the largest integer point of the exact set in place of
//! `1/F_i` on the hull; in the order of the array's own axes this is Lefebvre and Feautrier's successive modulo. Unlike
//! heuristics 1 and 2 it needs no successive minima, hence works with parameters.
//!
//! ```
//! use polyfold_isl::{Context, Set};
//! use polyfold_lattice::successive_moduli;
//! let ctx = Context::new();
//! // Bee §3.2: the difference set of Durbin's y, n >= 3
//! let ds = Set::read(&ctx, "[n] -> { [i, k] : n >= 3 and -n < i + 2k < n and -n < i - k < n and -1 <= k <= 1 }")?;
//! let n3 = Set::read(&ctx, "[n] -> { : n >= 3 }")?;
//! let mapping = successive_moduli(&ds, &n3, &[0, 1], &[("n", 100)])?;
//! assert_eq!(mapping.cells(&[("n", 100)])?, Some(200));
//! # Ok::<(), polyfold_isl::Error>(())
//! ```

use crate::ModularMapping;
use crate::bound::{constant, simple_bound};
use polyfold_isl::{PwAff, Result, Set};

/// At most this many orders are tried: all of them up to four dimensions.
const MOST_ORDERS: usize = 24;

/// The mapping of one order of the axes, in the order of the axes; DS contains 0 for all parameters in `context`, for
/// which the moduli are then defined. Where a modulus is piecewise, `sizes` tells which simplification is the cheapest.
///
/// # Errors
/// When DS is unbounded, or the work bound is reached.
pub fn successive_moduli(ds: &Set, context: &Set, order: &[usize], sizes: &[(&str, i64)]) -> Result<ModularMapping> {
    let ctx = ds.context();
    let mut moduli: Vec<Option<PwAff>> = vec![None; order.len()];
    let mut rest = ds.clone();
    for &axis in order {
        let exact = rest.dim_max(axis)?.add(&constant(ctx, 1)?)?.intersect_params(context)?;
        moduli[axis] = Some(simple_bound(&exact.gist_params(context)?.coalesce()?, context, sizes)?);
        rest = rest.fix(axis, 0)?;
    }
    let rows = (0..order.len()).map(|k| (0..order.len()).map(|j| i64::from(j == k)).collect()).collect();
    Ok(ModularMapping { rows, moduli: moduli.into_iter().flatten().collect() })
}

/// Orders of `dimensions` axes, beginning with their own: all of them up to four dimensions, else the first 24 in
/// lexicographic order.
pub fn canonical_orders(dimensions: usize) -> Vec<Vec<usize>> {
    let mut orders = Vec::new();
    extend(&mut Vec::new(), dimensions, &mut orders);
    orders
}

fn extend(prefix: &mut Vec<usize>, dimensions: usize, orders: &mut Vec<Vec<usize>>) {
    if orders.len() == MOST_ORDERS {
        return;
    }
    if prefix.len() == dimensions {
        orders.push(prefix.clone());
        return;
    }
    for axis in 0..dimensions {
        if !prefix.contains(&axis) {
            prefix.push(axis);
            extend(prefix, dimensions, orders);
            prefix.pop();
        }
    }
}

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
use polyfold_isl::{ErrorKind, PwAff, Result, Set};

/// At most this many orders are tried: all of them up to four dimensions.
const MOST_ORDERS: usize = 24;

/// Sets with more pieces are tried in their own order of the axes only: a maximum over each can take seconds.
const MANY_PIECES: usize = 60;

/// Bound on the work for a maximum of differences with integer divisions, in isl's steps.
const DIVISION_WORK: u64 = 100_000;

/// A mapping for every order of the axes, beginning with their own: all orders up to four dimensions, else the first 24
/// in lexicographic order; their own order only for a set of more than 60 pieces. Orders share the work on their common
/// beginnings.
///
/// # Errors
/// When DS is unbounded, or the work bound is reached.
pub fn successive_moduli_in_every_order(
    ds: &Set,
    context: &Set,
    sizes: &[(&str, i64)],
) -> Result<Vec<(Vec<usize>, ModularMapping)>> {
    let most = if ds.pieces()? > MANY_PIECES { 1 } else { MOST_ORDERS };
    let mut search = OrderSearch { context, sizes, dimensions: ds.dimensions()?, most, found: Vec::new() };
    search.extend(&mut Vec::new(), ds)?;
    Ok(search.found)
}

struct OrderSearch<'a> {
    context: &'a Set,
    sizes: &'a [(&'a str, i64)],
    dimensions: usize,
    most: usize,
    found: Vec<(Vec<usize>, ModularMapping)>,
}

impl OrderSearch<'_> {
    /// All orders that begin with `prefix`, whose axes are fixed to 0 in `rest`.
    fn extend(&mut self, prefix: &mut Vec<(usize, PwAff)>, rest: &Set) -> Result<()> {
        if prefix.len() == self.dimensions {
            let order = prefix.iter().map(|(axis, _)| *axis).collect();
            self.found.push((order, mapping(prefix.clone())));
            return Ok(());
        }
        for axis in 0..self.dimensions {
            if self.found.len() == self.most || prefix.iter().any(|(used, _)| *used == axis) {
                continue;
            }
            prefix.push((axis, modulus(rest, axis, self.context, self.sizes)?));
            self.extend(prefix, &rest.fix(axis, 0)?)?;
            prefix.pop();
        }
        Ok(())
    }
}

/// The mapping of one order of the axes, in the order of the axes; DS contains 0 for all parameters in `context`, for
/// which the moduli are then defined. Where a modulus is piecewise, `sizes` tells which simplification is the cheapest.
///
/// # Errors
/// When DS is unbounded, or the work bound is reached.
pub fn successive_moduli(ds: &Set, context: &Set, order: &[usize], sizes: &[(&str, i64)]) -> Result<ModularMapping> {
    Ok(mapping(settle(ds, context, order, sizes)?.moduli))
}

/// Some axes with their moduli, and the differences that these leave.
pub(crate) struct Settled {
    pub(crate) moduli: Vec<(usize, PwAff)>,
    /// Those with 0 on the settled axes.
    pub(crate) rest: Set,
}

impl Settled {
    /// The cells of the settled axes; as many as can be counted where a modulus is not defined.
    pub(crate) fn cells(&self, sizes: &[(&str, i64)]) -> Result<u64> {
        Ok(self.mapping(0).cells(sizes)?.unwrap_or(u64::MAX))
    }

    /// The mapping by these axes alone, of points with so many coordinates.
    pub(crate) fn mapping(&self, dimensions: usize) -> ModularMapping {
        let row = |axis: usize| (0..dimensions).map(|k| i64::from(k == axis)).collect();
        let (rows, moduli) = self.moduli.iter().map(|(axis, modulus)| (row(*axis), modulus.clone())).unzip();
        ModularMapping { rows, moduli }
    }
}

/// Moduli for some axes, in the given order.
pub(crate) fn settle(ds: &Set, context: &Set, axes: &[usize], sizes: &[(&str, i64)]) -> Result<Settled> {
    let mut settled = Settled { moduli: Vec::new(), rest: ds.clone() };
    for &axis in axes {
        settled.moduli.push((axis, modulus(&settled.rest, axis, context, sizes)?));
        settled.rest = settled.rest.fix(axis, 0)?;
    }
    Ok(settled)
}

/// `1 + max d_axis`, or a little more if that is simpler. Of differences with integer divisions, as loops in strips have them, a superset without
/// takes their place where the maximum takes too much work: with bounds that sizes move, that is more than a minute.
fn modulus(differences: &Set, axis: usize, context: &Set, sizes: &[(&str, i64)]) -> Result<PwAff> {
    let line = along(differences, axis, context)?;
    let most = match line.divisions()? {
        0 => line.dim_max(0),
        _ => match line.context().with_quota(DIVISION_WORK, || line.dim_max(0)) {
            Err(error) if error.kind == ErrorKind::Quota => line.remove_divs()?.coalesce()?.dim_max(0),
            most => most,
        },
    }?;
    let exact = most.add(&constant(differences.context(), 1)?)?.intersect_params(context)?;
    simple_bound(&exact.gist_params(context)?.coalesce()?, context, sizes)
}

/// `{ [d_axis] }`, not negative. One dimension has few pieces, of which a maximum is quickly found.
fn along(differences: &Set, axis: usize, context: &Set) -> Result<Set> {
    let dimensions = differences.dimensions()?;
    let alone = differences.project_out(axis + 1, dimensions - axis - 1)?.project_out(0, axis)?;
    let upwards = Set::read(differences.context(), "{ [d] : d >= 0 }")?;
    alone.intersect(&upwards)?.intersect_params(context)?.coalesce()
}

/// `x -> x mod b`.
fn mapping(mut moduli: Vec<(usize, PwAff)>) -> ModularMapping {
    moduli.sort_by_key(|(axis, _)| *axis);
    let count = moduli.len();
    let rows = (0..count).map(|k| (0..count).map(|j| i64::from(j == k)).collect()).collect();
    ModularMapping { rows, moduli: moduli.into_iter().map(|(_, modulus)| modulus).collect() }
}

#[cfg(test)]
mod tests {
    use super::successive_moduli;
    use polyfold_isl::{Context, Result, Set};

    /// Strips of 128 turns up to n, from t + k on: the exact maximum took 90 seconds. Neighbours are up to 129 apart.
    #[test]
    fn strips_between_sizes_are_bounded_without_divisions() -> Result<()> {
        let ctx = Context::new();
        let piece = "0 < c <= 129 and c <= 1 + n - t - k and e >= 0 and 128e >= -257 + t + k + c \
                     and -129 + t + k <= 128e <= -127 + n - c and 128e <= -131 + n + c";
        let ds = format!(
            "[n, t, k] -> {{ [c] : (exists (e: {piece})) or \
             (exists (e: k < n - t and 0 < c <= 127 and c <= 1 + n - t - k and e >= 0 and -129 + t + k + c <= 128e < n - c and 128e <= -3 + n)) \
             or c = 0 }}"
        );
        let ds = Set::read(&ctx, &ds)?;
        let context = Set::read(&ctx, "[n, t, k] -> { : n >= 0 }")?;
        let mapping = successive_moduli(&ds, &context, &[0], &[("n", 400), ("t", 0), ("k", 0)])?;
        let cells = |n: i64| mapping.cells(&[("n", n), ("t", 0), ("k", 0)]);
        assert!(cells(400)?.is_some_and(|cells| (130..=402).contains(&cells)));
        assert!(cells(4000)?.is_some_and(|cells| cells >= 130));
        Ok(())
    }
}

//! How few cells arrays can need at some sizes, with a newcomer at a shift.
//!
//! At given sizes successive moduli are numbers. With the axes S settled, the next axis k takes
//!
//! ```text
//! b(S, k) = 1 + max { |d_k| : d a difference, d_s = 0 for s in S },      cells = min over orders of the axes of Π b(S, k)
//! ```
//!
//! A shift δ moves the differences T between the newcomer and the others, and no others: of T − δ those with 0 on S are those of T
//! with δ on S. The maxima of all others are found once for all shifts. The least product over all orders comes from
//! sets of axes, by dynamic programming.
//!
//! Invariant: differences that are merged into fewer pieces, and moduli as functions of the sizes, may be a little more where that is
//! simpler, and never less. So this is a lower bound.

use polyfold_isl::{Result, Set};

/// Past so many axes there are too many sets of them.
const MOST_AXES: usize = 4;

/// Differences at some sizes.
pub(super) struct Bound {
    axes: usize,
    /// `b(S, k)` without T, by S as a bit set and k.
    alone: Vec<Vec<u64>>,
    to_new: Option<Set>,
}

impl Bound {
    /// `alone` are differences that a shift does not move, symmetric; `to_new` those between other arrays and the newcomer.
    ///
    /// `None`: there are too many axes.
    pub(super) fn new(alone: &Set, to_new: Option<&Set>, at: &[(&str, i64)]) -> Result<Option<Bound>> {
        let axes = alone.dimensions()?;
        if axes > MOST_AXES {
            return Ok(None);
        }
        let origin = vec![0; axes];
        let alone = alone.at(at)?;
        let of =
            |settled: usize| (0..axes).map(|axis| width(&alone, &origin, settled, axis)).collect::<Result<Vec<_>>>();
        let alone = (0..1 << axes).map(of).collect::<Result<_>>()?;
        Ok(Some(Bound { axes, alone, to_new: to_new.map(|set| set.at(at)).transpose()? }))
    }

    /// The fewest cells with the newcomer at a shift; `None`: conflicting cells would stand at the same point.
    pub(super) fn cells(&self, shift: &[i64]) -> Result<Option<u64>> {
        let all = (1 << self.axes) - 1;
        if let Some(to_new) = &self.to_new
            && !fixed(to_new, shift, all)?.is_empty()?
        {
            return Ok(None);
        }
        let mut least = vec![1u64; 1 << self.axes];
        for settled in (0..all).rev() {
            let mut cells = u64::MAX;
            for axis in (0..self.axes).filter(|axis| settled & (1 << axis) == 0) {
                let behind = least[settled | (1 << axis)];
                cells = cells.min(self.modulus(shift, settled, axis)?.saturating_mul(behind));
            }
            least[settled] = cells;
        }
        Ok(Some(least[0]))
    }

    fn modulus(&self, shift: &[i64], settled: usize, axis: usize) -> Result<u64> {
        let moved = self.to_new.as_ref().map_or(Ok(1), |set| width(set, shift, settled, axis))?;
        Ok(self.alone[settled][axis].max(moved))
    }
}

/// `1 + max |d_k − δ_k|` over differences with δ on the settled axes; 1 where there are none.
fn width(differences: &Set, shift: &[i64], settled: usize, axis: usize) -> Result<u64> {
    let left = fixed(differences, shift, settled)?;
    let (most, least) = (left.dim_max_value(axis)?, left.dim_min_value(axis)?);
    let away = |value: Option<i64>| value.map_or(0, |value| value.abs_diff(shift[axis]));
    Ok(away(most).max(away(least)).saturating_add(1))
}

/// The points that agree with a shift on some axes.
fn fixed(differences: &Set, shift: &[i64], axes: usize) -> Result<Set> {
    let fixed = (0..shift.len()).filter(|axis| axes & (1 << axis) != 0);
    fixed.into_iter().try_fold(differences.clone(), |set, axis| set.fix(axis, shift[axis]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::Context;

    /// The Jacobi step of the module above: one row back, n + 1 rows do; at no shift, two cells of one place conflict.
    #[test]
    fn a_shift_that_makes_differences_one_sided_needs_one_row_more() {
        let ctx = Context::new();
        let read = |text: &str| Set::read(&ctx, text).expect("a set");
        let own = read("[n] -> { [i, j] : -n < i < n and -n < j < n }");
        let between = read("[n] -> { [i, j] : 0 <= i < n and -n < j < n; [-1, j] : 0 < j < n }");
        let bound = Bound::new(&own, Some(&between), &[("n", 20)]).expect("it is bounded").expect("two axes");
        let cells = |shift: [i64; 2]| bound.cells(&shift).expect("it is bounded");
        assert_eq!([cells([0, 0]), cells([-1, 0]), cells([-2, 0])], [None, Some(21 * 20), Some(22 * 20)]);
    }

    /// Columns first: once they agree, one row is left.
    #[test]
    fn the_order_of_axes_that_needs_least_counts() {
        let ctx = Context::new();
        let alone = Set::read(&ctx, "{ [i, j] : (-9 <= i <= 9 and -2 <= j <= 2 and j != 0) or (i = 0 and j = 0) }");
        let bound = Bound::new(&alone.expect("a set"), None, &[]).expect("it is bounded").expect("two axes");
        assert_eq!(bound.cells(&[0, 0]).expect("it is bounded"), Some(3));
    }
}

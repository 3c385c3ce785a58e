//! How many values a row takes: with a cell for each of them it needs no `%`.
//!
//! ```text
//! range(m) = max { m·x } − min { m·x } + 1      over the cells x that the program touches, a function of the sizes
//! ```
//!
//! Example: rows i, i − 1, i − 2 and i − 3 of four arrays with 0 <= i < n in one buffer take n + 3
//! values.
//!
//! A row `x mod b` is a plain shift `x − lowest` then. Where b nearly reaches that many, the shift is
//! worth the cells, since a division costs more than the load beside it: `dir[x - 3]` with 180 cells
//! instead of `dir[x % 178]`. With `--room 0` there is none.

use crate::search::StorageSearch;
use crate::sizes::borrow;
use crate::slack::Slack;
use polyfold_alloc::{Mapping, Proposal};
use polyfold_isl::{Context, Error, Map, PwAff, Set};
use polyfold_live::DifferenceSet;
use polyfold_prove::{Row, RowForm, Verified, verify};

/// The number of values of a row, where there are any.
///
/// # Errors
/// When the work bound is reached.
pub(crate) fn range(row: &[i64], touched: &Set, context: &Set) -> Result<PwAff, Error> {
    let ctx = context.context();
    let values = touched.intersect_params(context)?.unnamed()?.apply(&row_map(ctx, row)?)?;
    let range = values.dim_max(0)?.sub(&values.dim_min(0)?)?.add(&number(ctx, 1)?)?;
    range.gist_params(context)?.coalesce()
}

/// One affine function that is no less than a range for all sizes, and positive, or 1 where it would not be; `None`: no piece of it is.
///
/// # Errors
/// When the work bound is reached.
pub(crate) fn covering(range: &PwAff, context: &Set) -> Result<Option<PwAff>, Error> {
    let (known, one) = (context.intersect(&range.domain()?)?, number(context.context(), 1)?);
    let mut raised = None;
    for (_, piece) in range.pieces()? {
        if !known.is_subset(&piece.at_least(range)?)? {
            continue;
        }
        if context.is_subset(&piece.at_least(&one)?)? {
            return Ok(Some(piece));
        }
        // Where nothing is touched there is no value.
        raised.get_or_insert(piece.union_max(&one)?.gist_params(context)?.coalesce()?);
    }
    Ok(raised)
}

/// `{ [x] -> [m·x] }`.
pub(crate) fn row_map(ctx: &Context, row: &[i64]) -> Result<Map, Error> {
    let coordinates: Vec<String> = (0..row.len()).map(|k| format!("d{k}")).collect();
    let terms: Vec<String> = row.iter().zip(&coordinates).map(|(factor, d)| format!("{factor} * {d}")).collect();
    Map::read(ctx, &format!("{{ [{}] -> [{}] }}", coordinates.join(", "), terms.join(" + ")))
}

/// The function that has one value for all sizes.
pub(crate) fn number(ctx: &Context, value: i64) -> Result<PwAff, Error> {
    PwAff::read(ctx, &format!("{{ [({value})] }}"))
}

/// A mapping may grow by one cell in so many.
const LEAST_GROWTH: u64 = 10;

impl StorageSearch<'_> {
    /// The proved mapping of so many cells, or one with fewer `%` that is hardly larger.
    pub(crate) fn with_reached_ranges(
        &self,
        size: u64,
        storage: Verified<Proposal>,
        differences: &DifferenceSet,
    ) -> Result<Verified<Proposal>, Error> {
        let touched = differences.subject().touched().filter(|_| self.options.slack != Slack::NONE);
        let Some(touched) = touched else { return Ok(storage) };
        let Mapping::Modular(mut mapping) = storage.get().mapping.clone() else { return Ok(storage) };
        for (row, modulus) in storage.place().rows().iter().zip(&mut mapping.moduli) {
            if let Some(range) = self.nearly_reached(row, touched)? {
                *modulus = range;
            }
        }
        let wider = mapping.cells(&borrow(self.sizes))?.unwrap_or(u64::MAX);
        if wider == size || wider > size.saturating_add(size / LEAST_GROWTH) {
            return Ok(storage);
        }
        let proposal = Proposal { mapping: Mapping::Modular(mapping), ..storage.get().clone() };
        Ok(match verify(proposal, differences, &self.model.context)? {
            Ok(verified) if self.is_printable(verified.place())? => verified,
            _ => storage,
        })
    }

    /// The number of values of a row that reads one coordinate, if its modulus nearly is as large.
    fn nearly_reached(&self, row: &Row, touched: &Set) -> Result<Option<PwAff>, Error> {
        let mut read = (0..row.coefficients.len()).filter(|k| row.coefficients[*k] != 0);
        let (Some(axis), None) = (read.next(), read.next()) else { return Ok(None) };
        if matches!(row.form, RowForm::Fits { .. }) || row.coefficients[axis] != 1 {
            return Ok(None);
        }
        let range = range(&row.coefficients, touched, &self.model.context)?;
        let sizes = borrow(self.sizes);
        let (Some(modulus), Some(values)) = (row.modulus.eval(&sizes)?, range.eval(&sizes)?) else { return Ok(None) };
        let is_near = range.pieces()?.len() == 1 && values - modulus <= modulus / LEAST_GROWTH as i64;
        Ok(is_near.then_some(range))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(ctx: &Context, text: &str) -> PwAff {
        PwAff::read(ctx, &format!("[n] -> {{ {text} }}")).expect("it is one")
    }

    #[test]
    fn rows_of_four_arrays_take_three_more_values() {
        let ctx = Context::new();
        let context = Set::read(&ctx, "[n] -> { : n >= 1 }").expect("it is one");
        let rows = Set::read(&ctx, "[n] -> { [i, j] : -3 <= i < n and 0 <= j < n }").expect("it is one");
        let range = |row: &[i64]| range(row, &rows, &context).expect("it is small");
        assert!(range(&[1, 0]).is_same(&function(&ctx, "[(n + 3)]")).expect("they are small"));
        assert!(range(&[2, -1]).is_same(&function(&ctx, "[(3 n + 4)]")).expect("they are small"));
    }

    #[test]
    fn one_piece_covers_all_if_it_is_no_less_and_positive() {
        let ctx = Context::new();
        let context = Set::read(&ctx, "[n] -> { : n >= 1 }").expect("it is one");
        let covering = |text: &str| covering(&function(&ctx, text), &context).expect("it is small");
        let found = covering("[(n + 2)] : n >= 5; [(3)] : n < 5").expect("n + 2 is no less than 3");
        assert!(found.is_same(&function(&ctx, "[(n + 2)]")).expect("they are small"));
        assert!(covering("[(n)] : n >= 5; [(7)] : n < 5").is_none());
        let raised = covering("[(n - 2)] : n >= 3").expect("n - 2 covers itself");
        assert!(raised.is_same(&function(&ctx, "[(n - 2)] : n >= 3; [(1)] : n < 3")).expect("they are small"));
    }
}

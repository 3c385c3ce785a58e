//! A little more room where that spares a `%`.
//!
//! A row `x mod b` is a plain shift `x − lowest` if the buffer has a cell for each value that x takes. Where b nearly
//! reaches that many, the shift is worth the cells, since a division costs more than the load beside it.
//!
//! Example: `dir[x - 3]` with 180 cells instead of `dir[x % 178]`. With `--room 0` there is none.

use crate::ranges::range;
use crate::room::Room;
use crate::search::StorageSearch;
use crate::sizes::borrow;
use polyfold_alloc::{Mapping, Proposal};
use polyfold_isl::{Error, PwAff, Set};
use polyfold_live::DifferenceSet;
use polyfold_prove::{Row, RowForm, Verified, verify};

/// A mapping may grow by one cell in so many.
const LEAST_GROWTH: u64 = 10;

impl StorageSearch<'_> {
    /// The proved mapping of so many cells, or one with fewer `%` that is hardly larger.
    pub(crate) fn with_room(
        &self,
        size: u64,
        storage: Verified<Proposal>,
        differences: &DifferenceSet,
    ) -> Result<Verified<Proposal>, Error> {
        let touched = differences.subject().touched().filter(|_| self.options.room != Room::NONE);
        let Some(touched) = touched else { return Ok(storage) };
        let Mapping::Modular(mut mapping) = storage.get().mapping.clone() else { return Ok(storage) };
        for (row, modulus) in storage.place().rows().iter().zip(&mut mapping.moduli) {
            if let Some(range) = self.nearly_reached(row, touched)? {
                *modulus = range;
            }
        }
        let roomy = mapping.cells(&borrow(self.sizes))?.unwrap_or(u64::MAX);
        if roomy == size || roomy > size.saturating_add(size / LEAST_GROWTH) {
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

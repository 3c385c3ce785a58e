//! Where rings begin.
//!
//! A ring of a number of cells that goes down, tile by tile, would begin at its first cell and wrap around in the rows of the first tile
//! already. With a number added, none of them does, and programs that have one tile alone, as with small sizes, have no other:
//!
//! ```text
//! x in X .. X + 256, y in Y .. Y + 256 with X = Y = 0:
//! (y − 2 x) mod 768            rows 0 ..= 255, −2 ..= 253, …, −510 ..= −255: half of them have values below 0 and others
//! (y − 2 x + 510) mod 768      rows 510 ..= 765, 508 ..= 763, …, 0 ..= 255
//! ```
//!
//! ```text
//! s = −min { m·c : c touched in the first turns of the outermost loops },  where all of these values are fewer than b apart
//! ```
//!
//! for as few outermost loops as that takes, with two or more inside. In other tiles as many rows wrap around as before.
//!
//! Invariant: (m·c + s) mod b sends the same values to one cell whatever s is; the prover is asked all the same.

use crate::decisions::Decisions;
use crate::precision::finest;
use crate::search::StorageSearch;
use polyfold_alloc::Proposal;
use polyfold_codegen::keeps_its_rows;
use polyfold_isl::{Error, Map, PwAff, Set};
use polyfold_prove::{Row, RowForm, Verified, verify};
use polyfold_scop::ArrayId;

/// Smaller rings have no segments, whose rows would go on without a break.
const LEAST_MODULUS: i64 = 32;

/// What is added to counters in their own type at most.
const MOST_ADDED: i64 = 1 << 16;

/// Lets the rings of arrays that share with no others begin where the rows of the first tile do not wrap around.
pub(crate) fn begin_rings(search: &StorageSearch, decisions: &mut Decisions) {
    if search.options.method.is_none() {
        decisions.replace_alone(search, |id, storage| search.begun(id, storage));
    }
}

impl StorageSearch<'_> {
    fn begun(&self, id: ArrayId, storage: &Verified<Proposal>) -> Result<Option<Verified<Proposal>>, Error> {
        let begins = storage.place().rows().iter().map(|row| self.begin(id, row)).collect::<Result<Vec<i64>, _>>()?;
        if begins.iter().all(|begin| *begin == 0) {
            return Ok(None);
        }
        let number = |begin: &i64| PwAff::read(self.ctx, &format!("{{ [({begin})] }}"));
        let begins = begins.iter().map(number).collect::<Result<Vec<_>, _>>()?;
        self.proved_from(id, Proposal { begins, ..storage.get().clone() })
    }

    /// A proposal that goes through the same cells from another one on, if it is proved and can be written.
    pub(crate) fn proved_from(&self, id: ArrayId, proposal: Proposal) -> Result<Option<Verified<Proposal>>, Error> {
        let array = self.model.scop.array(id);
        let lifetimes = self.known.alone(self.model, id)?;
        let differences = self.known.own(self.ctx, &lifetimes, finest(self.model, id)?, array.extents.len())?;
        let Ok(begun) = verify(proposal, &differences, &self.model.context)? else { return Ok(None) };
        let is_written = keeps_its_rows(array, begun.place()) && self.is_printable(begun.place())?;
        Ok(is_written.then_some(begun))
    }

    /// The number that is added to a row; 0 where it begins as well without.
    fn begin(&self, id: ArrayId, row: &Row) -> Result<i64, Error> {
        let modulus = row.modulus.as_constant()?.filter(|modulus| *modulus >= LEAST_MODULUS);
        let (Some(modulus), false) = (modulus, matches!(row.form, RowForm::Fits { .. })) else { return Ok(0) };
        for outermost in 1..self.deepest(id).saturating_sub(1) {
            let Some(values) = self.first_values(id, row, outermost)? else { return Ok(0) };
            if let (Some(least), Some(most)) = (values.dim_min_value(0)?, values.dim_max_value(0)?)
                && most.checked_sub(least).is_some_and(|apart| apart < modulus)
            {
                let begin = least.checked_neg().filter(|begin| (1..=MOST_ADDED).contains(begin));
                return Ok(begin.unwrap_or(0));
            }
        }
        Ok(0)
    }

    /// How many loops are around the array's accesses at most.
    fn deepest(&self, id: ArrayId) -> usize {
        let accesses_it = |accesses: &[polyfold_scop::Access]| accesses.iter().any(|access| access.array == id);
        let own = self.model.scop.statements.iter().filter(|statement| accesses_it(&statement.accesses));
        own.map(|statement| statement.loops.len()).max().unwrap_or(0)
    }

    /// The row's values in the first turns of so many outermost loops, whatever the sizes; `None`: some loop begins at no number.
    fn first_values(&self, id: ArrayId, row: &Row, outermost: usize) -> Result<Option<Set>, Error> {
        let axes: Vec<String> = (0..row.coefficients.len()).map(|k| format!("d{k}")).collect();
        let terms: Vec<String> =
            row.coefficients.iter().zip(&axes).map(|(factor, axis)| format!("{factor} {axis}")).collect();
        let value = Map::read(self.ctx, &format!("{{ [{}] -> [{}] }}", axes.join(", "), terms.join(" + ")))?;
        let mut all: Option<Set> = None;
        for (statement, model) in self.model.scop.statements.iter().zip(&self.model.statements) {
            let mut own = (statement.accesses.iter().zip(&model.cells)).filter(|(a, _)| a.array == id).peekable();
            if own.peek().is_none() {
                continue;
            }
            let mut turns = model.domain.intersect_params(&self.model.context)?;
            for level in 0..outermost.min(statement.loops.len()) {
                let Some(first) = turns.dim_min_value(level)? else { return Ok(None) };
                turns = turns.fix(level, first)?;
            }
            for (_, cells) in own {
                let values = cells.intersect_domain(&turns)?.range()?.unnamed()?.apply(&value)?;
                all = Some(all.map_or(Ok(values.clone()), |all| all.union(&values))?);
            }
        }
        Ok(all)
    }
}

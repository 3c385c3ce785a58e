//! Rings that innermost loops go through backwards.
//!
//! Of subscripts that shrink, compilers make vectors that turn each row around, and subscripts next to each other have no common place
//! (`codegen/segments/near.rs`). Turned around, values would be negative, and remainders taken twice; with a number or a size added they are not:
//!
//! ```text
//! H[i - 1][j - 1], H[i - 1][j], H[i][j - 1]     (i − j) mod (w + 2), (i − j − 1) mod …, …      down with j
//!                                               (j − i + h) mod (w + 2), (j − i + h + 1) mod …, …
//! ```
//!
//! ```text
//! row m that shrinks with all innermost loops that move it:     v = s − m·c,    s = max { m·c : c touched }
//! ```
//!
//! Only for code that has segments, only where counters are never negative, and not where a ring begins elsewhere already (`begins.rs`).
//!
//! Invariant: (s − m·c) mod b is one cell for the same values whatever s is; the prover is asked all the same.

use crate::decisions::Decisions;
use crate::search::StorageSearch;
use crate::variants::Variant;
use polyfold_alloc::{Mapping, Proposal};
use polyfold_isl::{Error, PwAff};
use polyfold_prove::{Row, RowForm, Verified};
use polyfold_scop::ArrayId;

/// Turns the rings of arrays that share with no others around where innermost loops go up in them then.
pub(crate) fn turn_rings(search: &StorageSearch, decisions: &mut Decisions) {
    if search.options.method.is_none() && search.options.in_strips {
        decisions.replace_alone(search, |id, storage| search.turned(id, storage));
    }
}

impl StorageSearch<'_> {
    fn turned(&self, id: ArrayId, storage: &Verified<Proposal>) -> Result<Option<Verified<Proposal>>, Error> {
        let (proposal, movements) = (storage.get(), self.movements(id));
        let Mapping::Modular(mapping) = &proposal.mapping else { return Ok(None) };
        let Some(now) = Variant::of(&proposal.mapping, &[storage.place()]) else { return Ok(None) };
        if !proposal.begins.is_empty() || !self.counts_from_0(id)? {
            return Ok(None);
        }
        let (mut mapping, mut begins, mut is_new) = (mapping.clone(), Vec::new(), false);
        for (row, factors) in storage.place().rows().iter().zip(&mut mapping.rows) {
            let ways = || movements.iter().map(|movement| movement.of_row(&row.coefficients));
            let goes_down = ways().all(|way| way <= 0) && ways().any(|way| way < 0);
            let begin = if goes_down { self.begin_turned(id, row)? } else { None };
            if begin.is_some() {
                is_new = true;
                *factors = row.coefficients.iter().map(|factor| -factor).collect();
            }
            begins.push(begin.map_or_else(|| PwAff::read(self.ctx, "{ [(0)] }"), Ok)?);
        }
        if !is_new {
            return Ok(None);
        }
        let proposal = Proposal { mapping: Mapping::Modular(mapping), begins, ..proposal.clone() };
        let turned = self.proved_from(id, proposal)?;
        Ok(turned.filter(|turned| {
            let own = Variant::of(&turned.get().mapping, &[turned.place()]);
            own.is_some_and(|own| own.cost(&movements) < now.cost(&movements))
        }))
    }

    /// Whether no counter around the array's accesses is negative: the difference of two may be past the end of their type otherwise.
    fn counts_from_0(&self, id: ArrayId) -> Result<bool, Error> {
        for (statement, model) in self.model.scop.statements.iter().zip(&self.model.statements) {
            if statement.accesses.iter().all(|access| access.array != id) {
                continue;
            }
            let turns = model.domain.intersect_params(&self.model.context)?;
            for level in 0..statement.loops.len() {
                if turns.dim_min_value(level)?.is_none_or(|least| least < 0) && !turns.is_empty()? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// What is added to a ring's row that is turned around; `None`: it takes no remainder, or its values have no greatest one that is near a sum of sizes.
    fn begin_turned(&self, id: ArrayId, row: &Row) -> Result<Option<PwAff>, Error> {
        if matches!(row.form, RowForm::Fits { .. }) {
            return Ok(None);
        }
        let turned: Vec<i64> = row.coefficients.iter().map(|factor| -factor).collect();
        let Some(least) = self.lower_bound(id, &turned)? else { return Ok(None) };
        PwAff::read(self.ctx, "{ [(0)] }")?.sub(&least).map(Some)
    }
}

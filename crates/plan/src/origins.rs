//! Where circular buffers begin.
//!
//! ```text
//! cell x lives at (m·x + s) mod b      whatever s is, the same values share a cell
//! ```
//!
//! Engines leave s = 0. Another s costs no cell, and loops may go through the buffer with fewer
//! breaks. Three things are tried, for the buffers of arrays that share with no others.
//!
//! **No row of the first tile wraps around.** Programs with small sizes have no other tile.
//!
//! ```text
//! s = −min { m·c : c touched in the first iterations of the outermost loops },  where all of these values are fewer than b apart
//! x in X .. X + 256, y in Y .. Y + 256 with X = Y = 0:
//! (y − 2 x) mod 768            rows 0 ..= 255, −2 ..= 253, …, −510 ..= −255: half of them have values below 0 and others
//! (y − 2 x + 510) mod 768      rows 510 ..= 765, 508 ..= 763, …, 0 ..= 255
//! ```
//!
//! **Loops have a known place in short buffers.** They are written in strips then. A loop that goes
//! down from n − 3 has none in `a[j % 2]`, but has one in `a[(n - 1 - j) % 2]`. A row m that shrinks
//! with the loop is turned around: `s = −min { m·c : c touched }`.
//!
//! **Innermost loops go up.** Of subscripts that shrink, compilers make vectors that turn each row
//! around. `(i − j) mod (w + 2)` becomes `(j − i + h) mod (w + 2)`, with `s = max { m·c : c touched }`.
//! Values aren't negative then, which would cost a second remainder.
//!
//! Invariant: the prover is asked, though any s is right.

use crate::decisions::Decisions;
use crate::ranges::{number, row_map};
use crate::search::StorageSearch;
use crate::variants::Variant;
use polyfold_alloc::{Mapping, Proposal};
use polyfold_flow::StatementModel;
use polyfold_isl::{Error, Map, PwAff, Set};
use polyfold_prove::{Position, Row, RowForm, Variable, Verified};
use polyfold_scop::{Access, ArrayId, Loop};

/// Smaller buffers have no segments, whose rows would go on without a break.
const LEAST_MODULUS: i64 = 32;

/// What is added to counters in their own type at most.
const MOST_ADDED: i64 = 1 << 16;

/// Larger buffers aren't short: loops over them have segments.
const MOST_CELLS: i64 = LEAST_MODULUS - 1;

/// How much less than a row's least value may stand for it.
const MOST_BELOW: i64 = 64;

/// Lets circular buffers begin where loops go through them with fewer breaks.
pub(crate) fn place_origins(search: &StorageSearch, decisions: &mut Decisions) {
    if search.options.method.is_some() {
        return;
    }
    decisions.replace_alone(search, |id, storage| search.begun_in_first_tile(id, storage));
    if search.options.in_strips {
        decisions.replace_alone(search, |id, storage| search.begun_at_known_place(id, storage));
        decisions.replace_alone(search, |id, storage| search.reversed(id, storage));
    }
}

impl StorageSearch<'_> {
    /// Storage with other rows and origins, where `find` has some for a row; `None`: it has none, or they aren't proved.
    fn with_other_origins(
        &self,
        id: ArrayId,
        storage: &Verified<Proposal>,
        find: impl Fn(&Row) -> Result<Option<(Vec<i64>, PwAff)>, Error>,
    ) -> Result<Option<Verified<Proposal>>, Error> {
        let proposal = storage.get();
        let Mapping::Modular(mapping) = &proposal.mapping else { return Ok(None) };
        if !proposal.begins.is_empty() {
            return Ok(None);
        }
        let (mut mapping, mut begins, mut is_new) = (mapping.clone(), Vec::new(), false);
        for (row, factors) in storage.place().rows().iter().zip(&mut mapping.rows) {
            begins.push(match find(row)? {
                Some((other, begin)) => {
                    (*factors, is_new) = (other, true);
                    begin
                }
                None => number(self.ctx, 0)?,
            });
        }
        if !is_new {
            return Ok(None);
        }
        self.proved(Proposal { mapping: Mapping::Modular(mapping), begins, ..proposal.clone() }, &self.differences(id)?)
    }

    /// What is added to a row so that none of its values is negative: a function of the sizes, and little more than that takes. (What is
    /// much more may be past the end of the type in which places are computed.) `None`: there is no such.
    fn lift(&self, id: ArrayId, factors: &[i64]) -> Result<Option<PwAff>, Error> {
        let Some(all) = self.row_values(id, factors, |_, cells| Ok(Some(cells.range()?)))? else { return Ok(None) };
        let least = all.dim_min(0)?;
        let least = least.gist_params(&least.domain()?)?.coalesce()?;
        let most_below = number(self.ctx, MOST_BELOW)?;
        for (_, affine) in least.pieces()? {
            let is_near = affine.add(&most_below)?.at_least(&least)?.intersect(&least.at_least(&affine)?)?;
            if least.domain()?.is_subset(&is_near)? {
                return number(self.ctx, 0)?.sub(&affine).map(Some);
            }
        }
        Ok(None)
    }

    /// The values of a row in an array's accesses; `touched`: which cells of a statement's access count. `None`: it says so, or there is no access.
    fn row_values(
        &self,
        id: ArrayId,
        factors: &[i64],
        touched: impl Fn(&StatementModel, &Map) -> Result<Option<Set>, Error>,
    ) -> Result<Option<Set>, Error> {
        let value = row_map(self.ctx, factors)?;
        let mut all: Option<Set> = None;
        for (statement, model) in self.model.scop.statements.iter().zip(&self.model.statements) {
            for (_, cells) in statement.accesses.iter().zip(&model.cells).filter(|(access, _)| access.array == id) {
                let Some(cells) = touched(model, cells)? else { return Ok(None) };
                let values = cells.unnamed()?.apply(&value)?.intersect_params(&self.model.context)?;
                all = Some(all.map_or(Ok(values.clone()), |all| all.union(&values))?);
            }
        }
        Ok(all)
    }

    fn begun_in_first_tile(
        &self,
        id: ArrayId,
        storage: &Verified<Proposal>,
    ) -> Result<Option<Verified<Proposal>>, Error> {
        let begins = storage.place().rows().iter().map(|row| self.begin(id, row)).collect::<Result<Vec<i64>, _>>()?;
        if begins.iter().all(|begin| *begin == 0) {
            return Ok(None);
        }
        let begins = begins.iter().map(|begin| number(self.ctx, *begin)).collect::<Result<Vec<_>, _>>()?;
        self.proved(Proposal { begins, ..storage.get().clone() }, &self.differences(id)?)
    }

    /// The number that is added to a row; 0 where it begins as well without.
    fn begin(&self, id: ArrayId, row: &Row) -> Result<i64, Error> {
        let modulus = row.modulus.as_constant()?.filter(|modulus| *modulus >= LEAST_MODULUS);
        let (Some(modulus), false) = (modulus, matches!(row.form, RowForm::Fits { .. })) else { return Ok(0) };
        for outermost in 1..self.deepest(id).saturating_sub(1) {
            let touched = |model: &StatementModel, cells: &Map| self.touched_first(model, cells, outermost);
            let Some(values) = self.row_values(id, &row.coefficients, touched)? else { return Ok(0) };
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
        let accesses_it = |accesses: &[Access]| accesses.iter().any(|access| access.array == id);
        let own = self.model.scop.statements.iter().filter(|statement| accesses_it(&statement.accesses));
        own.map(|statement| statement.loops.len()).max().unwrap_or(0)
    }

    /// The cells of an access in the first iterations of so many outermost loops, whatever the sizes; `None`: some loop begins at no number.
    fn touched_first(&self, model: &StatementModel, cells: &Map, outermost: usize) -> Result<Option<Set>, Error> {
        let mut iterations = model.domain.intersect_params(&self.model.context)?;
        for level in 0..outermost.min(iterations.dimensions()?) {
            let Some(first) = iterations.dim_min_value(level)? else { return Ok(None) };
            iterations = iterations.fix(level, first)?;
        }
        cells.intersect_domain(&iterations)?.range().map(Some)
    }

    fn begun_at_known_place(
        &self,
        id: ArrayId,
        storage: &Verified<Proposal>,
    ) -> Result<Option<Verified<Proposal>>, Error> {
        let begun = self.with_other_origins(id, storage, |row| self.known_begin(id, row))?;
        Ok(begun.filter(|begun| begun.place().rows().iter().all(|row| !matches!(row.form, RowForm::SignedModulo))))
    }

    /// A row that goes with its loops, and what is added to it; `None`: as many loops have a known place without.
    fn known_begin(&self, id: ArrayId, row: &Row) -> Result<Option<(Vec<i64>, PwAff)>, Error> {
        let cells = row.modulus.as_constant()?.filter(|cells| (2..=MOST_CELLS).contains(cells));
        let (Some(cells), false) = (cells, matches!(row.form, RowForm::Fits { .. })) else { return Ok(None) };
        let Some((firsts, ways)) = self.first_positions(id, &row.coefficients) else { return Ok(None) };
        let known = |firsts: &[Position], begin: &PwAff| {
            let own = firsts.iter().map(|first| self.is_one_place(first, begin, cells));
            Ok::<_, Error>(own.collect::<Result<Vec<_>, _>>()?.into_iter().filter(|is_one| *is_one).count())
        };
        let now = known(&firsts, &number(self.ctx, 0)?)?;
        if now == firsts.len() {
            return Ok(None);
        }
        let sign = if ways < 0 { -1 } else { 1 };
        let factors: Vec<i64> = row.coefficients.iter().map(|factor| sign * factor).collect();
        let Some((firsts, _)) = self.first_positions(id, &factors) else { return Ok(None) };
        let Some(begin) = self.lift(id, &factors)? else { return Ok(None) };
        Ok((known(&firsts, &begin)? > now).then_some((factors, begin)))
    }

    /// Where the accesses that move with the loop right around them stand in its first iteration, and how many more of them grow than shrink; `None`: that is no
    /// sum.
    fn first_positions(&self, id: ArrayId, factors: &[i64]) -> Option<(Vec<Position>, i64)> {
        let scop = self.model.scop;
        let (loops, mut ways, mut found) = (scop.loops(), 0, Vec::new());
        for statement in &scop.statements {
            let Some(own) = statement.loops.last() else { continue };
            let own: &Loop = loops[own.0];
            for access in statement.accesses.iter().filter(|access| access.array == id) {
                if let Some((first, by)) = first_position(factors, access, own)? {
                    found.push(first);
                    ways += by.signum();
                }
            }
        }
        Some((found, ways))
    }

    /// Whether a position is in one place of a buffer for all sizes and counters.
    fn is_one_place(&self, position: &Position, begin: &PwAff, cells: i64) -> Result<bool, Error> {
        let names = &self.model.parameters;
        let term = |(variable, factor): (&Variable, &i64)| match variable {
            Variable::Counter(id) => format!("{factor} c{}", id.0),
            Variable::Size(size) => format!("{factor} {}", names[*size]),
        };
        let sum: Vec<String> = position.terms.iter().map(term).chain([position.constant.to_string()]).collect();
        let counters: Vec<String> = (0..self.model.scop.loops().len()).map(|k| format!("c{k}")).collect();
        let places =
            format!("[{}] -> {{ [x] : exists {} : x = {} }}", names.join(", "), counters.join(", "), sum.join(" + "));
        let values = Set::read(self.ctx, &places)?.intersect_params(&self.model.context)?;
        let values = values.translated(std::slice::from_ref(begin))?;
        let places = values.apply(&Map::read(self.ctx, &format!("{{ [x] -> [x mod {cells}] }}"))?)?;
        let ends = (places.dim_min_value(0)?, places.dim_max_value(0)?);
        Ok(ends.0.is_some() && ends.0 == ends.1)
    }

    fn reversed(&self, id: ArrayId, storage: &Verified<Proposal>) -> Result<Option<Verified<Proposal>>, Error> {
        let movements = self.movements(id);
        let Some(now) = Variant::of(&storage.get().mapping, &[storage.place()]) else { return Ok(None) };
        if !storage.get().begins.is_empty() || !self.counts_from_0(id)? {
            return Ok(None);
        }
        let reversed = self.with_other_origins(id, storage, |row| {
            let ways = || movements.iter().map(|movement| movement.of_row(&row.coefficients));
            let goes_down = ways().all(|way| way <= 0) && ways().any(|way| way < 0);
            if goes_down { self.turned_around(id, row) } else { Ok(None) }
        })?;
        Ok(reversed.filter(|reversed| {
            let own = Variant::of(&reversed.get().mapping, &[reversed.place()]);
            own.is_some_and(|own| own.cost(&movements) < now.cost(&movements))
        }))
    }

    /// A row the other way round, and what is added to it; `None`: it takes no remainder, or its values have no greatest one that is near a sum of sizes.
    fn turned_around(&self, id: ArrayId, row: &Row) -> Result<Option<(Vec<i64>, PwAff)>, Error> {
        if matches!(row.form, RowForm::Fits { .. }) {
            return Ok(None);
        }
        let factors: Vec<i64> = row.coefficients.iter().map(|factor| -factor).collect();
        Ok(self.lift(id, &factors)?.map(|begin| (factors, begin)))
    }

    /// Whether no counter around the array's accesses is negative: the difference of two may be past the end of their type otherwise.
    fn counts_from_0(&self, id: ArrayId) -> Result<bool, Error> {
        for (statement, model) in self.model.scop.statements.iter().zip(&self.model.statements) {
            if statement.accesses.iter().all(|access| access.array != id) {
                continue;
            }
            let iterations = model.domain.intersect_params(&self.model.context)?;
            for level in 0..statement.loops.len() {
                if iterations.dim_min_value(level)?.is_none_or(|least| least < 0) && !iterations.is_empty()? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// Where an access stands in the first iteration of a loop, and by how much it moves with each; the inner `None`: it does not, the outer one: it is no sum.
fn first_position(factors: &[i64], access: &Access, own: &Loop) -> Option<Option<(Position, i64)>> {
    let mut position = Position::of(factors, access)?;
    let Some(by) = position.terms.remove(&Variable::Counter(own.id)) else { return Some(None) };
    position.add(&own.first, by)?;
    Some(Some((position, by.checked_mul(own.step)?)))
}

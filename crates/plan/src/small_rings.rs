//! Where rings of a few cells begin.
//!
//! A loop over such a ring is written in strips where it begins at one place of the ring for all sizes (`codegen/segments/strips.rs`). A loop that goes down
//! from n − 3 does not in `a[j % 2]`, but in `a[(n - 1 - j) % 2]`:
//!
//! ```text
//! row m, turned around where it shrinks with the loop,    s = −min { m·c : c touched },    v = m·c + s >= 0
//! ```
//!
//! It is taken where more accesses have one place v mod b in the first turns of their loops than had one before.
//!
//! Invariant: (m·c + s) mod b sends the same values to one cell whatever s is; the prover is asked all the same.

use crate::decisions::Decisions;
use crate::search::StorageSearch;
use polyfold_alloc::{Mapping, Proposal};
use polyfold_isl::{Error, Map, PwAff, Set};
use polyfold_prove::{Position, Row, RowForm, Variable, Verified};
use polyfold_scop::{Access, ArrayId, Loop};

/// How much less than a row's least value may stand for it.
const MOST_BELOW: i64 = 64;

/// Larger rings have segments.
const MOST_CELLS: i64 = 31;

/// Lets the small rings of arrays that share with no others begin where more loops have a known place in them.
pub(crate) fn begin_small_rings(search: &StorageSearch, decisions: &mut Decisions) {
    if search.options.method.is_none() && search.options.in_strips {
        decisions.replace_alone(search, |id, storage| search.begun_where_known(id, storage));
    }
}

impl StorageSearch<'_> {
    fn begun_where_known(
        &self,
        id: ArrayId,
        storage: &Verified<Proposal>,
    ) -> Result<Option<Verified<Proposal>>, Error> {
        let proposal = storage.get();
        let Mapping::Modular(mapping) = &proposal.mapping else { return Ok(None) };
        if !proposal.begins.is_empty() {
            return Ok(None);
        }
        let (mut mapping, mut begins, mut is_new) = (mapping.clone(), Vec::new(), false);
        for (row, factors) in storage.place().rows().iter().zip(&mut mapping.rows) {
            let known = self.known_begin(id, row)?;
            is_new |= known.is_some();
            let unchanged = || Ok((factors.clone(), PwAff::read(self.ctx, "{ [(0)] }")?));
            let (turned, begin) = known.map_or_else(unchanged, Ok::<_, Error>)?;
            *factors = turned;
            begins.push(begin);
        }
        if !is_new {
            return Ok(None);
        }
        let proposal = Proposal { mapping: Mapping::Modular(mapping), begins, ..proposal.clone() };
        let begun = self.proved_from(id, proposal)?;
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
        let now = known(&firsts, &PwAff::read(self.ctx, "{ [(0)] }")?)?;
        if now == firsts.len() {
            return Ok(None);
        }
        let sign = if ways < 0 { -1 } else { 1 };
        let factors: Vec<i64> = row.coefficients.iter().map(|factor| sign * factor).collect();
        let Some((firsts, _)) = self.first_positions(id, &factors) else { return Ok(None) };
        let Some(least) = self.lower_bound(id, &factors)? else { return Ok(None) };
        let begin = PwAff::read(self.ctx, "{ [(0)] }")?.sub(&least)?;
        Ok((known(&firsts, &begin)? > now).then_some((factors, begin)))
    }

    /// Where the accesses that move with the loop right around them stand in its first turn, and how many more of them grow than shrink; `None`: that is no
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

    /// Whether a position is in one place of a ring for all sizes and counters.
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

    /// The least value of a row, as one function of the sizes: where it is several, one that is no greater, and little less, for any sizes. (What is much less
    /// may be past the end of the type in which places are computed.)
    pub(crate) fn lower_bound(&self, id: ArrayId, factors: &[i64]) -> Result<Option<PwAff>, Error> {
        let axes: Vec<String> = (0..factors.len()).map(|k| format!("d{k}")).collect();
        let terms: Vec<String> = factors.iter().zip(&axes).map(|(factor, axis)| format!("{factor} {axis}")).collect();
        let value = Map::read(self.ctx, &format!("{{ [{}] -> [{}] }}", axes.join(", "), terms.join(" + ")))?;
        let mut all: Option<Set> = None;
        for (statement, model) in self.model.scop.statements.iter().zip(&self.model.statements) {
            for (_, cells) in statement.accesses.iter().zip(&model.cells).filter(|(access, _)| access.array == id) {
                let values = cells.range()?.unnamed()?.apply(&value)?.intersect_params(&self.model.context)?;
                all = Some(all.map_or(Ok(values.clone()), |all| all.union(&values))?);
            }
        }
        let Some(all) = all else { return Ok(None) };
        let least = all.dim_min(0)?;
        let least = least.gist_params(&least.domain()?)?.coalesce()?;
        let most_below = PwAff::read(self.ctx, &format!("{{ [({MOST_BELOW})] }}"))?;
        for (_, affine) in least.pieces()? {
            let is_near = affine.add(&most_below)?.at_least(&least)?.intersect(&least.at_least(&affine)?)?;
            if least.domain()?.is_subset(&is_near)? {
                return Ok(Some(affine));
            }
        }
        Ok(None)
    }
}

/// Where an access stands in the first turn of a loop, and by how much it moves with each; the inner `None`: it does not, the outer one: it is no sum.
fn first_position(factors: &[i64], access: &Access, own: &Loop) -> Option<Option<(Position, i64)>> {
    let mut position = Position::of(factors, access)?;
    let Some(by) = position.terms.remove(&Variable::Counter(own.id)) else { return Some(None) };
    position.add(&own.first, by)?;
    Some(Some((position, by.checked_mul(own.step)?)))
}

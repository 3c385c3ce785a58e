//! Relations between dates, cells and instances.
//!
//! Sizes are the first coordinates of every point: `[n, date…] -> [n, cell…]`. So dates of other
//! sizes come from other programs, and no relation has parameters.

use super::facts::Facts;
use super::linear::{Linear, Symbol};
use super::operations::Access;
use super::{Obligation, Stop};
use polyfold_isl::{Context, Error, ErrorKind, Map, Polyhedron};
use std::collections::BTreeMap;

type Outcome<T> = std::result::Result<T, Stop>;

/// Makes relations, for sizes and dates of one length.
pub(super) struct Relations<'a> {
    pub(super) ctx: &'a Context,
    pub(super) sizes: &'a [Linear],
    /// Coordinates of a date; shorter ones end in zeros.
    pub(super) length: usize,
}

impl Relations<'_> {
    /// Pairs of points, one of each case.
    pub(super) fn of<'b>(
        &self,
        (starts, ends): (usize, usize),
        cases: impl Iterator<Item = (&'b Facts, Vec<Linear>, Vec<Linear>)>,
    ) -> Outcome<Map> {
        let mut all = self.none(starts, ends)?;
        for (facts, start, end) in cases {
            all = all.union(&self.one(facts, &start, &end)?)?;
        }
        Ok(all)
    }

    /// Dates and cells of accesses to a buffer of some dimensions.
    pub(super) fn accesses<'b>(&self, all: impl Iterator<Item = &'b Access>, dimensions: usize) -> Outcome<Map> {
        let cases = all.map(|access| (&access.facts, self.padded(&access.date), access.index.clone()));
        self.of((self.length, dimensions), cases)
    }

    /// No pairs.
    pub(super) fn none(&self, starts: usize, ends: usize) -> Outcome<Map> {
        let (starts, ends) = (self.sizes.len() + starts, self.sizes.len() + ends);
        let mut never = vec![0; 1 + starts + ends];
        never[0] = -1;
        let rows = Polyhedron { equalities: Vec::new(), inequalities: vec![never], locals: 0 };
        Ok(Map::of_rows(self.ctx, (starts, ends), &rows)?)
    }

    /// A date with zeros behind it.
    pub(super) fn padded(&self, date: &[Linear]) -> Vec<Linear> {
        let zeros = std::iter::repeat_with(Linear::default);
        date.iter().cloned().chain(zeros).take(self.length).collect()
    }

    fn one(&self, facts: &Facts, start: &[Linear], end: &[Linear]) -> Outcome<Map> {
        if !facts.multiples.is_empty() || facts.has_products {
            return Err(Obligation::NotLinear.into());
        }
        let points: Vec<&Linear> = self.sizes.iter().chain(start).chain(self.sizes).chain(end).collect();
        let mut columns: BTreeMap<Symbol, usize> = BTreeMap::new();
        let sums = points.iter().copied().chain(&facts.zero).chain(&facts.not_negative);
        for (symbol, _) in sums.flat_map(|sum| sum.terms()) {
            let next = 1 + points.len() + columns.len();
            columns.entry(*symbol).or_insert(next);
        }
        let row = |sum: &Linear| -> Outcome<Vec<i64>> {
            let mut row = vec![0; 1 + points.len() + columns.len()];
            row[0] = narrow(sum.constant)?;
            for (symbol, factor) in sum.terms() {
                row[columns[symbol]] = narrow(*factor)?;
            }
            Ok(row)
        };
        let mut equalities = facts.zero.iter().map(row).collect::<Outcome<Vec<_>>>()?;
        for (k, point) in points.iter().enumerate() {
            let mut row = row(point)?;
            row[1 + k] = -1;
            equalities.push(row);
        }
        let inequalities = facts.not_negative.iter().map(row).collect::<Outcome<Vec<_>>>()?;
        let rows = Polyhedron { equalities, inequalities, locals: columns.len() };
        let count = self.sizes.len();
        Ok(Map::of_rows(self.ctx, (count + start.len(), count + end.len()), &rows)?)
    }
}

fn narrow(number: i128) -> Outcome<i64> {
    let past = |_| Error { kind: ErrorKind::Limit, message: "a number is past 64 bits".to_string() };
    Ok(i64::try_from(number).map_err(past)?)
}

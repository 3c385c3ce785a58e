//! Mappings of more cells whose subscripts are plainer.
//!
//! ```text
//! axes      one modulus per axis                y[(2 i + k) mod (2 n − 3)]    y[k mod 2][i]
//! ranges    a cell for each value of a row      a[(i − 3) mod (n + 1)]        a[i]          of n + 3 rows in all
//! masks     a power of two                      w[j mod 3]                    w[j mod 4]    where an innermost loop changes j
//! ```
//!
//! Tried are the mapping there is and those by axes, in every order of these, each with the ranges of any of its rows, and with masks.
//!
//! Invariant: these are proposals, the prover decides.

use crate::buffer::with_available_sizes;
use crate::movement::{Cost, MovedRow, Movement, Remainder};
use crate::ranges::{covering, number, range};
use crate::search::StorageSearch;
use crate::sizes::borrow;
use crate::variants::{MOST_ROWS, Variant};
use polyfold_alloc::{Mapping, Problem, propose_axes};
use polyfold_isl::{Error, PwAff, Set};
use polyfold_lattice::ModularMapping;
use polyfold_scop::Expr;
use std::collections::BTreeMap;

/// Remainders by larger numbers are no cost in innermost loops, which run in segments then.
const LARGEST_MASK: u64 = 16;

/// The cells of an array, or of several in their common space, and what is known of them.
pub(crate) struct Space<'a> {
    pub(crate) search: &'a StorageSearch<'a>,
    /// Differences of conflicting cells, with 0.
    pub(crate) differences: &'a Set,
    /// The cells that the program touches.
    pub(crate) touched: &'a Set,
    /// The declared ones, of one array alone.
    pub(crate) declared: Option<&'a Set>,
    /// By dimension, as far as the source says them.
    pub(crate) extents: &'a [Option<Expr>],
    /// Parameters that new extents may use.
    pub(crate) available: &'a [String],
    /// How loops go through the cells.
    pub(crate) movements: &'a [Movement],
    /// The most cells of what leaves next to nothing of the cost in innermost loops.
    pub(crate) most_of_plain: u64,
}

/// How far a row goes.
struct Spread {
    /// At the sizes counted at.
    values: i64,
    /// For all sizes, as a modulus.
    modulus: Option<PwAff>,
}

impl Space<'_> {
    /// Mappings of at most so many cells that are worth more cells than one of a given cost has: the cheapest first, of equal ones
    /// those with fewer remainders, of these the smallest.
    pub(crate) fn plainer(&self, now: &Mapping, cost: Cost, most: u64) -> Result<Vec<Variant>, Error> {
        let mut found = Vec::new();
        for shape in self.shapes(now)? {
            let cells = shape.mapping().cells(&borrow(self.search.sizes))?.unwrap_or(u64::MAX);
            if cells > most.max(self.most_of_plain) {
                continue;
            }
            let (remainders, cases) = (shape.remainders(), shape.mapping().cases()?);
            for variant in shape.arranged(self.movements) {
                let own = variant.cost(self.movements);
                let fits = cells <= most || cells <= self.most_of_plain && cost.loses_most_in_innermost_loops(own);
                if fits && cost.is_worth_cells(own) {
                    found.push(((own, remainders, cells, cases), variant));
                }
            }
        }
        found.sort_by_key(|(rank, _)| *rank);
        Ok(found.into_iter().map(|(_, variant)| variant).collect())
    }

    /// With rows in some order.
    fn shapes(&self, now: &Mapping) -> Result<Vec<Variant>, Error> {
        let bases = now.as_modular().cloned().into_iter().chain(self.axes()?);
        let (mut shapes, mut spreads) = (Vec::new(), BTreeMap::new());
        for base in bases.filter(|base| base.rows.len() <= MOST_ROWS) {
            for row in &base.rows {
                if !spreads.contains_key(row) {
                    spreads.insert(row.clone(), self.spread(row)?);
                }
            }
            let spreads: Vec<&Spread> = base.rows.iter().map(|row| &spreads[row]).collect();
            for wide in 0..1 << base.rows.len() {
                if let Some(shape) = self.widened(&base, &spreads, |row| wide >> row & 1 == 1)? {
                    let masked = self.masked(&shape)?;
                    shapes.push(shape.with_masks()?);
                    shapes.extend(masked);
                }
            }
        }
        Ok(shapes)
    }

    fn axes(&self) -> Result<Vec<ModularMapping>, Error> {
        let search = self.search;
        propose_axes(&Problem {
            declared: self.declared,
            available: self.available,
            variables: &search.variables(),
            growing: &[],
            extents: self.extents,
            differences: self.differences,
            context: &search.model.context,
            sizes: &borrow(search.sizes),
            floor: 0,
        })
    }

    fn spread(&self, row: &[i64]) -> Result<Spread, Error> {
        let context = &self.search.model.context;
        let range = range(row, self.touched, context)?;
        let values = range.eval(&borrow(self.search.sizes))?.unwrap_or(0);
        Ok(Spread { values, modulus: covering(&range, context)? })
    }

    /// A mapping with the ranges of some rows; `None`: one of these needs none, or none is known.
    fn widened(
        &self,
        base: &ModularMapping,
        spreads: &[&Spread],
        is_wide: impl Fn(usize) -> bool,
    ) -> Result<Option<Variant>, Error> {
        let mut mapping = base.clone();
        for (row, modulus) in mapping.moduli.iter_mut().enumerate().filter(|(row, _)| is_wide(*row)) {
            let is_reached = modulus.eval(&borrow(self.search.sizes))?.is_none_or(|cells| cells >= spreads[row].values);
            match &spreads[row].modulus {
                Some(range) if !is_reached => *modulus = range.clone(),
                _ => return Ok(None),
            }
        }
        let Some(mapping) = with_available_sizes(self.search, mapping, self.available)? else { return Ok(None) };
        let mut rows = Vec::new();
        for ((factors, modulus), spread) in mapping.rows.into_iter().zip(&mapping.moduli).zip(spreads) {
            let fits = modulus.eval(&borrow(self.search.sizes))?.is_some_and(|cells| cells >= spread.values);
            rows.push(MovedRow { factors, remainder: if fits { Remainder::None } else { Remainder::Plain } });
        }
        Ok(Some(Variant { rows, moduli: mapping.moduli }))
    }

    /// With powers of two for the few cells that innermost loops go through; `None`: there are no such.
    fn masked(&self, shape: &Variant) -> Result<Option<Variant>, Error> {
        let (mut masked, mut changes) = (shape.clone(), false);
        for (row, modulus) in masked.rows.iter_mut().zip(&mut masked.moduli) {
            let cells = modulus.as_constant()?.and_then(|cells| u64::try_from(cells).ok());
            let Some(cells) = cells.filter(|cells| *cells <= LARGEST_MASK && !cells.is_power_of_two()) else {
                continue;
            };
            let moves = self.movements.iter().any(|movement| movement.of_row(&row.factors) != 0);
            if row.remainder == Remainder::Plain && moves {
                *modulus = number(self.search.ctx, cells.next_power_of_two() as i64)?;
                changes = true;
            }
        }
        changes.then(|| masked.with_masks()).transpose()
    }
}

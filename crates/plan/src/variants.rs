//! Mappings with what is known of how their rows are computed, and what they look like with rows in other places.
//!
//! Any order of the rows, and any row turned around, names the same cells anew: `y[i][k mod 2]` and `y[k mod 2][i]`.
//!
//! Invariant: these are proposals, the prover decides.

use crate::buffer::SharedBuffer;
use crate::movement::{Cost, MovedRow, Movement, Remainder};
use polyfold_alloc::Mapping;
use polyfold_isl::{Error, PwAff};
use polyfold_lattice::ModularMapping;
use polyfold_prove::{Placed, RowForm};

/// Mappings of more rows have too many orders.
pub(crate) const MOST_ROWS: usize = 4;

/// A mapping whose cost can be told.
#[derive(Clone)]
pub(crate) struct Variant {
    pub(crate) rows: Vec<MovedRow>,
    pub(crate) moduli: Vec<PwAff>,
}

impl Variant {
    /// A mapping whose rows are computed as some places say; `None`: it has too many, or none with an affine modulus.
    pub(crate) fn of(mapping: &Mapping, places: &[&Placed]) -> Option<Variant> {
        let modular = mapping.as_modular().filter(|modular| modular.rows.len() <= MOST_ROWS)?;
        let remainder = |row: usize| {
            let forms = places.iter().map(|place| place.rows().get(row).map(|row| &row.form));
            forms.fold(Remainder::None, |worst, form| match form {
                Some(RowForm::Fits { .. }) => worst,
                Some(RowForm::SignedModulo) => Remainder::Signed,
                _ if worst == Remainder::Signed => worst,
                _ => Remainder::Plain,
            })
        };
        let row = |(k, factors): (usize, &Vec<i64>)| MovedRow { factors: factors.clone(), remainder: remainder(k) };
        Some(Variant { rows: modular.rows.iter().enumerate().map(row).collect(), moduli: modular.moduli.clone() })
    }

    /// The same of a buffer's.
    pub(crate) fn of_buffer(buffer: &SharedBuffer) -> Option<Variant> {
        Variant::of(&buffer.storage.get().mapping, &buffer.places().collect::<Vec<_>>())
    }

    pub(crate) fn mapping(&self) -> Mapping {
        let rows = self.rows.iter().map(|row| row.factors.clone()).collect();
        Mapping::Modular(ModularMapping { rows, moduli: self.moduli.clone() })
    }

    pub(crate) fn cost(&self, movements: &[Movement]) -> Cost {
        Cost::of(&self.rows, movements)
    }

    /// Rows that take one, in whatever loops.
    pub(crate) fn remainders(&self) -> usize {
        self.rows.iter().filter(|row| row.remainder != Remainder::None).count()
    }

    /// With remainders by a power of two told apart from others.
    ///
    /// # Errors
    /// When a modulus does not fit into 64 bits.
    pub(crate) fn with_masks(mut self) -> Result<Variant, Error> {
        for (row, modulus) in self.rows.iter_mut().zip(&self.moduli) {
            let is_mask = modulus.as_constant()?.is_some_and(|number| number.count_ones() == 1);
            if is_mask && row.remainder == Remainder::Plain {
                row.remainder = Remainder::Mask;
            }
        }
        Ok(self)
    }

    /// With its rows in all orders, also turned around, those with fewer changes last.
    pub(crate) fn arranged(&self, movements: &[Movement]) -> Vec<Variant> {
        let turned = self.clone().turned(movements);
        let mut all = if turned.rows == self.rows { Vec::new() } else { turned.orders() };
        all.extend(self.orders());
        all
    }

    /// With another coordinate in a row that reads one alone.
    pub(crate) fn other_axes(&self) -> Vec<Variant> {
        let mut found = Vec::new();
        for (k, row) in self.rows.iter().enumerate() {
            let read: Vec<usize> = (0..row.factors.len()).filter(|axis| row.factors[*axis] != 0).collect();
            let [own] = read[..] else { continue };
            for axis in (0..row.factors.len()).filter(|axis| *axis != own) {
                let mut other = self.clone();
                other.rows[k].factors.fill(0);
                other.rows[k].factors[axis] = 1;
                found.push(other);
            }
        }
        found
    }

    /// With rows that grow where more accesses grow with the innermost loop than shrink.
    fn turned(mut self, movements: &[Movement]) -> Variant {
        for row in &mut self.rows {
            let sum: i64 = movements.iter().map(|movement| movement.of_row(&row.factors).signum()).sum();
            if sum < 0 {
                row.factors.iter_mut().for_each(|factor| *factor = -*factor);
            }
        }
        self
    }

    /// With its rows in all orders, its own first.
    fn orders(&self) -> Vec<Variant> {
        let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
        for row in 0..self.rows.len() {
            orders = orders.into_iter().flat_map(|order| with_at_each_place(&order, row)).collect();
        }
        orders.sort();
        let in_order = |order: &Vec<usize>| Variant {
            rows: order.iter().map(|row| self.rows[*row].clone()).collect(),
            moduli: order.iter().map(|row| self.moduli[*row].clone()).collect(),
        };
        orders.iter().map(in_order).collect()
    }
}

fn with_at_each_place(order: &[usize], row: usize) -> Vec<Vec<usize>> {
    let at = |place: usize| [&order[..place], &[row], &order[place..]].concat();
    (0..=order.len()).map(at).collect()
}

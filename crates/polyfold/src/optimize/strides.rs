//! Mappings of as many cells that innermost loops go through with fewer strides and remainders.
//!
//! Which of several mappings of one size an engine proposes says nothing about the code. Of a mapping that is proved, these are tried:
//!
//! ```text
//! rows in another order      y[i][k mod 2]                  y[k mod 2][i]                  consecutive cells in a loop over i
//! a row turned around        A[(t − x) mod n]               A[(x − t) mod n]               grows with x
//! another axis alone         d[i mod h][(i + j) mod 3 h]    d[j mod h][(i + j) mod 3 h]    a loop over i stays in its row
//! ```
//!
//! Invariant: these are proposals, the prover decides.

use super::Outcome;
use super::buffer::SharedBuffer;
use super::decisions::Decisions;
use super::movement::{Cost, MovedRow, Movement, Remainder};
use super::precision::finest;
use super::search::StorageSearch;
use crate::program_conflicts::facts_of;
use polyfold_alloc::{Mapping, Proposal, SharedProposal};
use polyfold_codegen::{has_fixed_rows, keeps_its_rows};
use polyfold_isl::{Error, PwAff};
use polyfold_lattice::ModularMapping;
use polyfold_live::DifferenceSet;
use polyfold_prove::{Placed, RowForm, SharedFacts, Verified, verify};
use polyfold_scop::ArrayId;

/// As many proofs are tried for one buffer.
const MOST_TRIALS: usize = 4;

/// Mappings of more rows have too many orders.
const MOST_ROWS: usize = 4;

/// A mapping with as many cells.
#[derive(Clone)]
struct Variant {
    rows: Vec<MovedRow>,
    moduli: Vec<PwAff>,
}

/// Puts better mappings of the same size in the place of those decided.
pub(super) fn improve_strides(search: &StorageSearch, decisions: &mut Decisions) {
    if search.options.method.is_some() {
        return;
    }
    for (id, outcome) in &mut decisions.outcomes {
        let Outcome::Mapped { storage, .. } = outcome else { continue };
        let found = search.in_bound(1, [*id], || search.with_better_strides(*id, storage));
        if let Ok(Some(better)) = found {
            **storage = better;
        }
    }
    for buffer in decisions.buffers.iter_mut().filter(|buffer| !buffer.holds_values) {
        let found = search.in_bound(buffer.arrays.len(), buffer.arrays.clone(), || shared(search, buffer));
        if let Ok(Some(better)) = found {
            *buffer = better;
        }
    }
}

impl StorageSearch<'_> {
    fn with_better_strides(
        &self,
        id: ArrayId,
        storage: &Verified<Proposal>,
    ) -> Result<Option<Verified<Proposal>>, Error> {
        let movements = self.movements(id);
        let Some(now) = Variant::of(&storage.get().mapping, &[storage.place()]) else { return Ok(None) };
        let better = now.cheaper(&movements, now.cost(&movements));
        if movements.is_empty() || better.is_empty() {
            return Ok(None);
        }
        let lifetimes = self.known.alone(self.model, id)?;
        let dimensions = self.model.scop.array(id).extents.len();
        let differences = self.known.own(self.ctx, &lifetimes, finest(self.model, id)?, dimensions)?;
        self.first_proved(storage.get(), better, now.cost(&movements), &differences)
    }

    /// How the array's own accesses move; nothing is known of classes of values.
    fn movements(&self, id: ArrayId) -> Vec<Movement> {
        let array = self.model.scop.array(id);
        if !self.classes.is_empty() || has_fixed_rows(array) {
            return Vec::new();
        }
        Movement::of(self.model.scop, id)
    }

    /// The first of some variants of a proposal that costs less than so much, and is proved.
    fn first_proved(
        &self,
        proposal: &Proposal,
        variants: Vec<Variant>,
        most: Cost,
        differences: &DifferenceSet,
    ) -> Result<Option<Verified<Proposal>>, Error> {
        let array = self.model.scop.array(proposal.array);
        let movements = self.movements(proposal.array);
        for variant in variants.into_iter().take(MOST_TRIALS) {
            let proposal = Proposal { mapping: variant.mapping(), ..proposal.clone() };
            let Ok(storage) = verify(proposal, differences, &self.model.context)? else { continue };
            let is_cheaper = Variant::of(&storage.get().mapping, &[storage.place()])
                .is_some_and(|proved| proved.cost(&movements) < most);
            if is_cheaper && keeps_its_rows(array, storage.place()) && self.is_printable(storage.place())? {
                return Ok(Some(storage));
            }
        }
        Ok(None)
    }
}

/// The buffer with a better mapping of its common space.
fn shared(search: &StorageSearch, buffer: &SharedBuffer) -> Result<Option<SharedBuffer>, Error> {
    let proposal = buffer.storage.get();
    let places: Vec<&Placed> = (0..proposal.members.len()).map(|member| buffer.storage.place(member)).collect();
    let in_space = proposal.members.iter().flat_map(|member| {
        let own = search.movements(member.array).into_iter();
        own.map(|movement| movement.at(&member.rows))
    });
    let movements: Vec<Movement> = in_space.collect();
    let Some(now) = Variant::of(&proposal.mapping, &places) else { return Ok(None) };
    let cost = now.cost(&movements);
    let better = now.cheaper(&movements, cost);
    if better.is_empty() {
        return Ok(None);
    }
    let facts = facts_of(search.model, &buffer.arrays, search.known)?;
    let facts = SharedFacts { members: &facts, context: &search.model.context };
    for variant in better.into_iter().take(MOST_TRIALS) {
        let proposal = SharedProposal { mapping: variant.mapping(), ..proposal.clone() };
        let found = SharedBuffer::proved(search, proposal, &facts, buffer.cells.saturating_add(1))?;
        let is_cheaper = |found: &SharedBuffer| {
            let places: Vec<&Placed> = (0..found.arrays.len()).map(|member| found.storage.place(member)).collect();
            Variant::of(&found.storage.get().mapping, &places).is_some_and(|own| own.cost(&movements) < cost)
        };
        if let Some(found) = found.filter(is_cheaper) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

impl Variant {
    /// A mapping whose rows are computed as some places say; `None`: it has too many, or none with an affine modulus.
    fn of(mapping: &Mapping, places: &[&Placed]) -> Option<Variant> {
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

    fn mapping(&self) -> Mapping {
        let rows = self.rows.iter().map(|row| row.factors.clone()).collect();
        Mapping::Modular(ModularMapping { rows, moduli: self.moduli.clone() })
    }

    fn cost(&self, movements: &[Movement]) -> Cost {
        Cost::of(&self.rows, movements)
    }

    /// Those that cost less than so much.
    fn cheaper(&self, movements: &[Movement], most: Cost) -> Vec<Variant> {
        self.all(movements).into_iter().filter(|variant| variant.cost(movements) < most).collect()
    }

    /// All, the cheapest first; those with fewer changes before others.
    fn all(&self, movements: &[Movement]) -> Vec<Variant> {
        let with_other_axes = std::iter::once(self.clone()).chain(self.other_axes());
        let mut all: Vec<Variant> = Vec::new();
        for variant in with_other_axes {
            let turned = variant.clone().turned(movements);
            if turned.rows != variant.rows {
                all.extend(turned.orders());
            }
            all.extend(variant.orders());
        }
        all.sort_by_key(|variant| variant.cost(movements));
        all
    }

    /// With another coordinate in a row that reads one alone.
    fn other_axes(&self) -> Vec<Variant> {
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

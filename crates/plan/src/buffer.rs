//! A buffer of several arrays: from a proposal to one that is proved and can be written into the program.
//!
//! Its extents must not grow with sizes that none of its arrays has, and must be constants where the arrays' are; and it must
//! not be far larger than its arrays alone at sizes unlike those counted at ([`skewed`](crate::sizes::skewed)).

use crate::optimize::Optimized;
use crate::ranges::number;
use crate::search::StorageSearch;
use crate::sizes::borrow;
use polyfold_alloc::{Mapping, SharedProposal};
use polyfold_isl::{Error, PwAff, Set};
use polyfold_lattice::ModularMapping;
use polyfold_prove::{Placed, SharedFacts, Verified, verify_shared};
use polyfold_scop::ArrayId;

/// A proved buffer of several arrays.
#[derive(Clone, Debug)]
pub struct SharedBuffer {
    /// By member, the array; whose values the member holds, if it is a class of values.
    pub arrays: Vec<ArrayId>,
    /// Whether its members are classes of values.
    pub holds_values: bool,
    /// The proved mapping.
    pub storage: Verified<SharedProposal>,
    /// Its cells at the sizes counted at.
    pub cells: u64,
    /// The cells that suffice; the mapping may have more, which spare a `%`.
    pub least: u64,
}

impl Optimized {
    /// Whether the places in all buffers go by dimensions: none is in one long row, whose remainders no compiler makes vectors of.
    pub(crate) fn goes_by_rows(&self) -> bool {
        self.buffers.iter().all(|buffer| buffer.storage.get().mapping.as_modular().is_some())
    }
}

impl SharedBuffer {
    /// The buffer that is proposed, if it has fewer than so many cells, is proved, and can be written.
    pub(crate) fn proved(
        search: &StorageSearch,
        proposal: SharedProposal,
        facts: &SharedFacts,
        most: u64,
    ) -> Result<Option<SharedBuffer>, Error> {
        let proposal = by_extents(search, proposal)?;
        let cells = proposal.mapping.cells(&borrow(search.sizes))?.unwrap_or(u64::MAX);
        let members = proposal.members.iter().map(|member| member.array);
        if cells >= most
            || !is_bounded(search, &proposal)?
            || search.is_larger_when_skewed(&proposal.mapping, members)?
        {
            return Ok(None);
        }
        let arrays = proposal.members.iter().map(|member| search.owner(member.array)).collect();
        let Ok(storage) = verify_shared(proposal, facts)? else { return Ok(None) };
        for member in 0..storage.get().members.len() {
            if !search.is_printable(storage.place(member))? {
                return Ok(None);
            }
        }
        Ok(Some(SharedBuffer { arrays, holds_values: !search.classes.is_empty(), storage, cells, least: cells }))
    }

    /// Where the cells of its members live.
    pub(crate) fn places(&self) -> impl Iterator<Item = &Placed> {
        (0..self.storage.get().members.len()).map(|member| self.storage.place(member))
    }

    /// Its cells but for its outermost dimension.
    pub(crate) fn row(&self, search: &StorageSearch) -> Result<u64, Error> {
        let Mapping::Modular(mapping) = &self.storage.get().mapping else { return Ok(1) };
        let outermost =
            mapping.moduli.first().map(|modulus| modulus.eval(&borrow(search.sizes))).transpose()?.flatten();
        let outermost = outermost.and_then(|rows| u64::try_from(rows).ok()).filter(|rows| *rows > 0);
        Ok(self.cells / outermost.unwrap_or(1))
    }
}

/// Whether the buffer's extents exceed those of its arrays by no more than a constant: a size that no array has, as the number of
/// steps, must not decide how much memory is needed.
fn is_bounded(search: &StorageSearch, proposal: &SharedProposal) -> Result<bool, Error> {
    let (model, ctx) = (search.model, search.ctx);
    let mut most = number(ctx, 0)?;
    for member in &proposal.members {
        let Some(declared) = model.declared_cells(search.owner(member.array)) else { return Ok(true) };
        let declared = declared.intersect_params(&model.context)?;
        for axis in 0..declared.dimensions()? {
            most = most.add(&largest(&declared, axis)?)?;
        }
    }
    let Mapping::Modular(mapping) = &proposal.mapping else { return Ok(true) };
    let sizes = some_have_cells(search, proposal)?.unwrap_or_else(|| model.context.clone());
    for modulus in &mapping.moduli {
        let excess = modulus.sub(&most)?.intersect_params(&sizes)?.graph()?.without_parameters()?;
        if excess.dim_max_value(0)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The sizes with which some of the arrays have cells, if all may have none.
fn some_have_cells(search: &StorageSearch, proposal: &SharedProposal) -> Result<Option<Set>, Error> {
    let mut sizes: Option<Set> = None;
    for id in proposal.members.iter().map(|member| search.owner(member.array)) {
        let Some(declared) = search.model.declared_cells(id).filter(|_| search.model.may_be_empty(id)) else {
            return Ok(None);
        };
        let here = declared.params()?.intersect(&search.model.context)?;
        sizes = Some(match sizes {
            Some(others) => others.union(&here)?,
            None => here,
        });
    }
    Ok(sizes)
}

/// The mapping with the arrays' own extents for moduli that are the same wherever there are cells: `m` for `m <= 1 ? 1 : m`.
fn by_extents(search: &StorageSearch, mut proposal: SharedProposal) -> Result<SharedProposal, Error> {
    let Some(sizes) = some_have_cells(search, &proposal)? else { return Ok(proposal) };
    let one = number(search.ctx, 1)?;
    let mut extents = Vec::new();
    for declared in proposal.members.iter().filter_map(|m| search.model.declared_cells(search.owner(m.array))) {
        for axis in 0..declared.dimensions()? {
            for (_, largest) in declared.dim_max(axis)?.pieces()? {
                extents.push(largest.add(&one)?);
            }
        }
    }
    if let Mapping::Modular(mapping) = &mut proposal.mapping {
        for modulus in &mut mapping.moduli {
            for extent in &extents {
                if sizes.is_subset(&modulus.at_least(extent)?)? && sizes.is_subset(&extent.at_least(modulus)?)? {
                    *modulus = extent.clone();
                    break;
                }
            }
        }
    }
    Ok(proposal)
}

/// The largest coordinate of cells, 0 where there are none.
fn largest(cells: &Set, axis: usize) -> Result<PwAff, Error> {
    let zero = number(cells.context(), 0)?.graph()?;
    cells.dim_max(axis)?.graph()?.union(&zero)?.dim_max(0)
}

/// The mapping with constants for moduli that would make arrays of constant size one of variable size; `None` where a
/// modulus has no largest value.
pub(crate) fn with_available_sizes(
    search: &StorageSearch,
    mut mapping: ModularMapping,
    available: &[String],
) -> Result<Option<ModularMapping>, Error> {
    for modulus in &mut mapping.moduli {
        if modulus.parameters()?.iter().all(|parameter| available.contains(parameter)) {
            continue;
        }
        let largest = modulus.intersect_params(&search.model.context)?.graph()?.without_parameters()?;
        let Some(most) = largest.dim_max_value(0)? else { return Ok(None) };
        *modulus = number(search.ctx, most)?;
    }
    Ok(Some(mapping))
}

//! Rows as long as the source's.
//!
//! *Pointers to rows*, `double (*t)[m]`: their type says how long a row is, so that only their
//! number can change.
//!
//! *Buffers of several arrays*: a halo that nobody writes is no cell of a buffer, so that its rows are
//! a few cells shorter than the source's. Where the source's rows are a multiple of a vector's bytes,
//! each begins where a vector may begin. A cell less, and most vectors lie in two lines of cache:
//!
//! ```text
//! int rows_shared[481][634]      a box filter of 480 × 640, 0.72 of the source's speed
//! int rows_shared[481][640]      0.98 to 1.35, with 1 % more cells
//! ```
//!
//! Whole rows are taken where there is slack, and the length is a number, or a macro's or a
//! constant's. Of other sizes nobody knows what they are a multiple of.
//!
//! Invariant: these are proposals, the prover decides.

use crate::buffer::SharedBuffer;
use crate::conflicts::facts_of;
use crate::decisions::Decisions;
use crate::ranges::number;
use crate::search::StorageSearch;
use crate::sizes::borrow;
use polyfold_alloc::{Mapping, SharedProposal};
use polyfold_isl::{Error, PwAff, Set};
use polyfold_prove::{RowForm, SharedFacts};
use polyfold_scop::ArrayId;

/// The mapping with whole rows; `None` where it mixes dimensions.
pub(crate) fn with_whole_rows(mapping: &Mapping, declared: &Set, context: &Set) -> Result<Option<Mapping>, Error> {
    let Some(modular) = mapping.as_modular() else { return Ok(None) };
    let one = number(declared.context(), 1)?;
    let dimensions = declared.dimensions()?;
    let mut moduli = vec![one.clone(); dimensions];
    for (row, modulus) in modular.rows.iter().zip(&modular.moduli) {
        let is_unit_of = |axis: &usize| row.iter().enumerate().all(|(at, c)| *c == i64::from(at == *axis));
        let Some(axis) = (0..dimensions).find(is_unit_of) else { return Ok(None) };
        moduli[axis] = modulus.clone();
    }
    let unit = |axis: usize| (0..dimensions).map(|at| i64::from(at == axis)).collect();
    let rows: Vec<Vec<i64>> = (0..dimensions).map(unit).collect();
    let has_cells = declared.params()?.intersect(context)?;
    for (axis, modulus) in moduli.iter_mut().enumerate().skip(1) {
        let extent = declared.intersect_params(context)?.dim_max(axis)?.add(&one)?;
        *modulus = extent.gist_params(&has_cells)?;
    }
    let mut whole = modular.clone();
    (whole.rows, whole.moduli) = (rows, moduli);
    Ok(Some(Mapping::Modular(whole)))
}

/// Bytes of a vector.
const VECTOR: u64 = 32;

/// Gives buffers of several arrays whole rows where there is slack for them.
pub(crate) fn complete_rows(search: &StorageSearch, decisions: &mut Decisions) {
    if search.options.method.is_some() {
        return;
    }
    for buffer in decisions.buffers.iter_mut().filter(|buffer| !buffer.holds_values) {
        let found = search.in_bound(buffer.arrays.len(), buffer.arrays.clone(), || with_complete_rows(search, buffer));
        if let Ok(Some(whole)) = found {
            *buffer = whole;
        }
    }
}

fn with_complete_rows(search: &StorageSearch, buffer: &SharedBuffer) -> Result<Option<SharedBuffer>, Error> {
    let proposal = buffer.storage.get();
    let fits =
        buffer.places().all(|place| matches!(place.rows().last().map(|row| &row.form), Some(RowForm::Fits { .. })));
    let (Mapping::Modular(mapping), true) = (&proposal.mapping, fits) else { return Ok(None) };
    let [_, .., row] = &mapping.moduli[..] else { return Ok(None) };
    let Some(cells) = row.eval(&borrow(search.sizes))?.and_then(|cells| u64::try_from(cells).ok()) else {
        return Ok(None);
    };
    for id in &buffer.arrays {
        let Some(bytes) = search.model.scop.array(*id).element_bytes else { continue };
        let Some((whole, length)) = length_of_rows(search, *id)? else { continue };
        let is_aligned = |cells: u64| cells.saturating_mul(bytes) % VECTOR == 0;
        if length <= cells || is_aligned(cells) || !is_aligned(length) {
            continue;
        }
        let mut mapping = mapping.clone();
        mapping.moduli.pop();
        mapping.moduli.push(whole);
        let mapping = Mapping::Modular(mapping);
        if !search.has_slack_when_scaled(&mapping, &proposal.mapping) {
            continue;
        }
        let facts = facts_of(search.model, &buffer.arrays, search.known)?;
        let facts = SharedFacts { members: &facts, context: &search.model.context };
        let most = search.options.slack.most(buffer.least).saturating_add(1);
        let found = SharedBuffer::proved(search, SharedProposal { mapping, ..proposal.clone() }, &facts, most)?;
        return Ok(found.map(|found| SharedBuffer { least: buffer.least, ..found }));
    }
    Ok(None)
}

/// How long an array's rows are, in cells: for all sizes, and the number that it is; `None`: it is none.
fn length_of_rows(search: &StorageSearch, id: ArrayId) -> Result<Option<(PwAff, u64)>, Error> {
    let (model, scop) = (search.model, search.model.scop);
    let (Some(declared), Some(last)) = (model.declared_cells(id), scop.array(id).extents.len().checked_sub(1)) else {
        return Ok(None);
    };
    let pieces = declared.dim_max(last)?.pieces()?;
    let [(_, largest)] = &pieces[..] else { return Ok(None) };
    let length = largest.add(&number(search.ctx, 1)?)?;
    let is_known = |name: &String| {
        let mut all = model.parameters.iter().zip(&scop.parameters);
        all.any(|(own, parameter)| own == name && parameter.constant().is_some())
    };
    if !length.parameters()?.iter().all(is_known) {
        return Ok(None);
    }
    let number = length.eval(&borrow(search.sizes))?.and_then(|number| u64::try_from(number).ok());
    Ok(number.map(|number| (length, number)))
}

//! Pointers to rows, `double (*t)[m]`: their type says how long a row is, so that only their number can change.
//!
//! Of a mapping with one modulus per axis that leaves fewer rows: the same with rows as they are declared.

use polyfold_alloc::Mapping;
use polyfold_isl::{Error, PwAff, Set};

/// The mapping with whole rows; `None` where it mixes dimensions.
pub(super) fn with_whole_rows(mapping: &Mapping, declared: &Set, context: &Set) -> Result<Option<Mapping>, Error> {
    let Some(modular) = mapping.as_modular() else { return Ok(None) };
    let is_unit = |(k, row): (usize, &Vec<i64>)| row.iter().enumerate().all(|(at, c)| *c == i64::from(at == k));
    if !modular.rows.iter().enumerate().all(is_unit) {
        return Ok(None);
    }
    let mut modular = modular.clone();
    let one = PwAff::read(declared.context(), "{ [(1)] }")?;
    let has_cells = declared.params()?.intersect(context)?;
    for (axis, modulus) in modular.moduli.iter_mut().enumerate().skip(1) {
        let extent = declared.intersect_params(context)?.dim_max(axis)?.add(&one)?;
        *modulus = extent.gist_params(&has_cells)?;
    }
    Ok(Some(Mapping::Modular(modular)))
}

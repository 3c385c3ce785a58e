//! Pointers to rows, `double (*t)[m]`: their type says how long a row is, so that only their number can change.
//!
//! Of a mapping with one modulus per axis that leaves fewer rows, or one: the same with rows as they are declared.

use crate::ranges::number;
use polyfold_alloc::Mapping;
use polyfold_isl::{Error, Set};

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

//! One row whose coefficients and modulus grow with a size, where mappings with affine moduli waste a part of one in n.
//!
//! A triangle of odd side n needs `3⌈n/2⌉²` cells under affine moduli, and `(3n² + 1) / 4` in one row. Only sizes that bound two
//! extents of the array may grow: their squares are numbers of cells then, and every subscript fits 64 bits.
//!
//! Paper: Bee §5.

use crate::Problem;
use crate::engine::is_gain;
use polyfold_isl::{Result, Set};
use polyfold_lattice::{LinearMapping, ModularMapping, linear_mappings};

/// Rows that may need fewer cells than the best mapping so far, which needs `least`.
pub(crate) fn linear(problem: &Problem, best: &ModularMapping, least: u64) -> Result<Vec<(u64, LinearMapping)>> {
    let mut found = Vec::new();
    for name in problem.growing.iter().filter(|name| problem.available.contains(name)) {
        let Some(class) = sizes_of(name, problem.context)? else { continue };
        let cells = |size: i64| {
            let at = problem.sizes.iter().map(|(n, value)| (*n, if n == name { size } else { *value }));
            best.cells(&at.collect::<Vec<_>>()).ok().flatten()
        };
        let ds = problem.differences.intersect_params(problem.context)?;
        for mapping in linear_mappings(&ds, (name, class.0, class.1), problem.sizes, &cells)? {
            match mapping.cells(problem.sizes) {
                Some(cells) if cells < least => found.push((cells, mapping)),
                _ => {}
            }
        }
    }
    Ok(found)
}

/// Whether a mapping that meets the floor would be worth a row that grows.
pub(crate) fn may_be_worth(problem: &Problem, least: u64) -> bool {
    !problem.growing.is_empty() && is_gain(problem.floor, least)
}

/// The step and residue of the sizes that the context allows: every second one, or all; `None` for sizes below 0.
fn sizes_of(name: &str, context: &Set) -> Result<Option<(i64, i64)>> {
    let all_are =
        |what: &str| context.is_subset(&Set::read(context.context(), &format!("[{name}] -> {{ : {what} }}"))?);
    if !all_are(&format!("{name} >= 0"))? {
        return Ok(None);
    }
    for residue in [0, 1] {
        if all_are(&format!("{name} mod 2 = {residue}"))? {
            return Ok(Some((2, residue)));
        }
    }
    Ok(Some((1, 0)))
}

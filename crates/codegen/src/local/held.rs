//! What memory says of sizes.
//!
//! * Memory holds an array with one extent in several dimensions: of `double A[n][n]`, n is below 2^30.
//! * Where local arrays are declared, the stack holds them: no extent is past 2^27.

use crate::loops::widths::{INT, MOST_ROWS_ON_STACK, extent_in_isl, stack_facts};
use crate::sizes_in_c::at_most;
use polyfold_compact::Plan;
use polyfold_isl::{Result, Set};
use polyfold_scop::{Array, Scop};

/// Pieces of what is known; facts that make more are left out.
const MOST_PIECES: usize = 8;

/// Those out of some values for which memory holds a scop's arrays.
pub(super) fn held_by_memory(scop: &Scop, isl: &[String], values: &Set) -> Result<Set> {
    let facts = [stack_facts, memory_facts].map(|facts| facts(scop, isl));
    facts.iter().try_fold(values.clone(), |values, fact| values.intersect(&Set::read(values.context(), fact)?))
}

/// What arrays in memory say of sizes, for parameters with these names in isl notation.
fn memory_facts(scop: &Scop, isl: &[String]) -> String {
    let is_there = |array: &&Array| {
        let declared = array.declaration.as_ref();
        !array.linearised && declared.is_some_and(|d| !d.inside_scop && d.allocation().is_none())
    };
    let mut facts = vec!["true".to_string()];
    for array in scop.arrays.iter().filter(is_there) {
        let extents: Vec<String> =
            array.extents.iter().flatten().filter_map(|extent| extent_in_isl(extent, isl)).collect();
        for extent in &extents {
            let count = extents.iter().filter(|other| *other == extent).count();
            if count > 1 && extents.len() == array.extents.len() {
                facts.push(format!("{extent} <= {}", most_rows(count as u32, array.element_bytes.unwrap_or(1))));
            }
        }
    }
    format!("[{}] -> {{ : {} }}", isl.join(", "), facts.join(" and "))
}

/// The most rows in each of so many dimensions of an array in memory.
fn most_rows(dimensions: u32, element_bytes: u64) -> i128 {
    let cells = i128::from(i64::MAX) / i128::from(element_bytes.max(1));
    let (mut fits, mut is_past) = (0, INT.1 + 1);
    while is_past - fits > 1 {
        let middle: i128 = (fits + is_past) / 2;
        match middle.checked_pow(dimensions).is_some_and(|rows| rows <= cells) {
            true => fits = middle,
            false => is_past = middle,
        }
    }
    fits
}

/// Those out of some values for which the stack holds a plan's local arrays.
pub(super) fn held_by_stack(plan: &Plan, values: &Set) -> Result<Set> {
    let mut held = values.clone();
    for extent in plan.locals.iter().flat_map(|local| &local.shape.extents) {
        let fewer =
            held.intersect(&at_most(&extent.intersect_params(&plan.context)?, MOST_ROWS_ON_STACK)?)?.coalesce()?;
        if fewer.pieces()? <= MOST_PIECES {
            held = fewer;
        }
    }
    Ok(held)
}

#[cfg(test)]
mod tests {
    use super::most_rows;

    #[test]
    fn memory_ends_at_63_bits() {
        assert_eq!(most_rows(2, 8), (1 << 30) - 1);
        assert_eq!(most_rows(3, 8), (1 << 20) - 1);
        assert_eq!(most_rows(1, 1), i128::from(i32::MAX));
    }
}

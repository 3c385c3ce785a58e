//! Which names in a region's new text are `int`, and what is known of their values.
//!
//! Sums of `int`s that may be past `int` are `long` ([`Widening`]). What is known:
//!
//! * what their types hold; macros are taken not to be past 10^9, unless they are now,
//! * that nothing overflows that the source computes in the region (`Compacted::defined`),
//! * that memory holds an array with one extent in several dimensions: of `double A[n][n]`, n is below 2^30,
//! * where local arrays are declared, that the stack holds them: no extent is past 2^27.
//!
//! ```text
//! for (int i = it; i < it + 32; i++) … A[i + 1]    copied by    for (int c0 = it + 1; c0 <= it + 32; c0++)    as it + 32 is an int,
//! for (int i = n - 8; i < n; i++) … A[i + 1]       copied by    for (long c0 = n - 7; c0 <= n; c0++)          as n + 1 may be none.
//! ```

use super::Compacted;
use super::names::in_c;
use crate::loops::widths::{INT, MOST_OF_MACROS, MOST_ROWS_ON_STACK, extent_in_isl, fits, stack_facts};
use crate::names::at_most;
use crate::overflow::Range;
use crate::widening::{ProductKind, ProductName, Widening};
use polyfold_compact::Plan;
use polyfold_isl::{Result, Set};
use polyfold_scop::{Array, Parameter, ParameterOrigin, Scop};

/// Pieces of what is known; facts that make more are left out.
const MOST_PIECES: usize = 8;

/// What sums of a region's parameters need, for parameters in `known`, of which nothing else is said.
pub(super) fn widening(region: &Compacted, known: &Set) -> Result<Widening> {
    let in_c = in_c(region.scop);
    let is_plain = |k: usize| in_c[k] == region.scop.parameters[k].name;
    let ranges: Vec<Option<Range>> = (region.scop.parameters.iter().enumerate())
        .map(|(k, parameter)| int_range(parameter).filter(|_| is_plain(k)))
        .collect();
    let products = region.scop.surroundings.iter().flat_map(|around| &around.products);
    let products: Vec<(usize, ProductKind)> = products
        .map(|product| {
            let are_ints = product.factors.iter().all(|factor| ranges[factor.0].is_some());
            let kind = match &product.factors[..] {
                [_, _] if are_ints => ProductKind::Int,
                [first, ..] if ranges[first.0].is_none() => ProductKind::Long,
                _ => ProductKind::InParts,
            };
            (product.parameter.0, kind)
        })
        .collect();
    let is_product = |k: &usize| products.iter().any(|(product, _)| product == k);
    let ints = ranges.iter().enumerate().filter(|(k, _)| !is_product(k));
    let ints: Vec<(String, Range)> =
        ints.filter_map(|(k, range)| Some((region.parameters[k].clone(), (*range)?))).collect();
    let facts = [stack_facts, memory_facts].map(|facts| facts(region.scop, region.parameters));
    let known =
        facts.iter().try_fold(known.clone(), |known, fact| known.intersect(&Set::read(known.context(), fact)?))?;
    let products = products.into_iter().map(|(k, kind)| ProductName { name: region.parameters[k].clone(), kind });
    Ok(Widening::new(&known, &ints)?.with_products(products.collect()))
}

/// What a parameter of type `int` may be; `None`: it is of a wider type.
fn int_range(parameter: &Parameter) -> Option<Range> {
    match parameter.origin {
        ParameterOrigin::Variable => parameter.most.filter(|most| *most <= INT.1).map(|most| (-most - 1, most)),
        ParameterOrigin::Constant(value) if value.abs() <= MOST_OF_MACROS as i64 => {
            Some((-MOST_OF_MACROS, MOST_OF_MACROS))
        }
        ParameterOrigin::Constant(value) => Some(INT).filter(|_| fits((value.into(), value.into()))),
    }
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

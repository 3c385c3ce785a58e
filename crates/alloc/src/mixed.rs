//! Mappings whose rows mix dimensions: families for all sizes, and the optimum where there is one size only.
//!
//! Example: `[i - j + m]` for the table of a longest common subsequence, `[(13 * i + j) % 61]` for a triangle of side 9.
//!
//! Paper: Bee §4 and §5.

use crate::engine::simplified;
use crate::{Method, Problem};
use polyfold_isl::{Result, Set};
use polyfold_lattice::{Body, Differences, ModularMapping, Optimum, families, optimal_mapping};

/// The optimum is searched among at most this many vectors, with this much work.
const MOST_DIFFERENCES: u64 = 100_000;
const SEARCH_WORK: u64 = 10_000_000;

/// Room for the multiples of a modulus that keep operands of `%` from being negative.
const MOST_LIFT: u64 = 10;

/// A mapping with its cells and who found it.
pub(crate) type Ranked = (u64, ModularMapping, Method);

/// Mappings with fewer than `below` cells whose rows mix dimensions.
pub(crate) fn mixed(problem: &Problem, below: u64) -> Result<Vec<Ranked>> {
    let (ds, context, sizes) = (problem.differences, problem.context, problem.sizes);
    let mut found = Vec::new();
    for family in families(ds, context, sizes, below)? {
        let family = simplified(family, context)?;
        if is_available(&family, problem)? {
            found.push((family.cells(sizes)?.unwrap_or(u64::MAX), family, Method::Lattice));
        }
    }
    if let Some(instance) = only_instance(ds, context)?
        && let Some(optimum) = optimum(&instance)?
        && optimum.cells < below
        && fits_int(&optimum, problem)?
    {
        found.push((optimum.cells, ModularMapping::of(ds.context(), &optimum.folding)?, Method::Optimal));
    }
    Ok(found)
}

/// The differences without parameters, where they are the same for all parameters in the context.
fn only_instance(ds: &Set, context: &Set) -> Result<Option<Set>> {
    let instance = ds.intersect_params(context)?.without_parameters()?;
    let everywhere = instance.intersect_params(context)?;
    Ok(if everywhere.is_subset(ds)? { Some(instance) } else { None })
}

/// Whether the rows' values surely fit C's `int`, in which they are computed.
fn fits_int(optimum: &Optimum, problem: &Problem) -> Result<bool> {
    let Some(declared) = problem.declared else { return Ok(false) };
    let declared = declared.intersect_params(problem.context)?.without_parameters()?;
    let mut largest = vec![0u64; optimum.folding.rows.len()];
    for axis in 0..declared.dimensions()? {
        let most = declared.dim_max_value(axis)?.map_or(u64::MAX, i64::unsigned_abs);
        for (sum, row) in largest.iter_mut().zip(&optimum.folding.rows) {
            *sum = sum.saturating_add(row[axis].unsigned_abs().saturating_mul(most));
        }
    }
    Ok(largest.iter().all(|sum| sum.saturating_mul(MOST_LIFT) <= i32::MAX as u64))
}

/// `None` where there are too many differences to search.
fn optimum(instance: &Set) -> Result<Option<Optimum>> {
    let extent = |axis: usize| Ok(instance.dim_max_value(axis)?.map_or(u64::MAX, |most| 2 * most.unsigned_abs() + 1));
    let extents = (0..instance.dimensions()?).map(extent).collect::<Result<Vec<u64>>>()?;
    if extents.into_iter().fold(1, u64::saturating_mul) > MOST_DIFFERENCES {
        return Ok(None);
    }
    let differences = Differences::of(instance)?;
    let body = Body::of(instance).ok();
    optimal_mapping(&differences, body.as_ref(), SEARCH_WORK).map(Some)
}

/// Whether all moduli can be written with the sizes that new extents may use.
fn is_available(mapping: &ModularMapping, problem: &Problem) -> Result<bool> {
    for modulus in &mapping.moduli {
        if modulus.parameters()?.iter().any(|p| !problem.available.contains(p)) {
            return Ok(false);
        }
    }
    Ok(true)
}

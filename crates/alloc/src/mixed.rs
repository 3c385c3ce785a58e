//! Mappings whose rows mix dimensions: families for all sizes, and the optimum where there is one size only.
//!
//! Example: `[i - j + m]` for the table of a longest common subsequence, `[(13 * i + j) % 61]` for a triangle of side 9.
//!
//! Paper: Bee §4 and §5.

use crate::engine::simplified;
use crate::{Method, Problem};
use polyfold_isl::{Result, Set};
use polyfold_lattice::{Body, Differences, ModularMapping, Optimum, families, optimal_mapping};

/// The optimum is searched among at most this many vectors, more of them if it is asked for, with this much work.
const MOST_DIFFERENCES: u64 = 100_000;
const MOST_DIFFERENCES_ASKED_FOR: u64 = 1_000_000;
const SEARCH_WORK: u64 = 10_000_000;

/// Room for the multiples of a modulus that keep operands of `%` from being negative.
const MOST_LIFT: u64 = 10;

/// A mapping with its cells and who found it.
pub(crate) type Ranked = (u64, ModularMapping, Method);

/// Mappings whose rows mix dimensions.
pub(crate) struct Mixed {
    pub(crate) found: Vec<Ranked>,
    /// The cells of the smallest lattice; `None`: the search for it has not ended, or there is none for all sizes.
    pub(crate) least: Option<u64>,
}

/// Mappings with fewer than `below` cells whose rows mix dimensions; `method`: what is asked for.
pub(crate) fn mixed(problem: &Problem, below: u64, method: Method) -> Result<Mixed> {
    let (ds, context, sizes) = (problem.differences, problem.context, problem.sizes);
    let mut found = Vec::new();
    for family in families(ds, context, sizes, below)? {
        let family = simplified(family, context)?;
        if is_available(&family, problem)? {
            found.push((family.cells(sizes)?.unwrap_or(u64::MAX), family, Method::Lattice));
        }
    }
    let most = if method == Method::Optimal { MOST_DIFFERENCES_ASKED_FOR } else { MOST_DIFFERENCES };
    let optimum = match only_instance(ds, context)? {
        Some(instance) => optimum(&instance, most)?,
        None => None,
    };
    if let Some(optimum) = &optimum
        && optimum.cells < below
        && fits_int(optimum, problem)?
    {
        let method = if optimum.is_optimal() { Method::Optimal } else { Method::Lattice };
        found.push((optimum.cells, ModularMapping::of(ds.context(), &optimum.folding)?, method));
    }
    Ok(Mixed { found, least: optimum.filter(Optimum::is_optimal).map(|optimum| optimum.cells) })
}

/// The differences without parameters, where they are the same for all parameters in the context.
fn only_instance(ds: &Set, context: &Set) -> Result<Option<Set>> {
    let instance = ds.intersect_params(context)?.without_parameters()?;
    // It grows with some size, as most do.
    for axis in 0..instance.dimensions()? {
        if let Ok(None) = instance.dim_max_value(axis) {
            return Ok(None);
        }
    }
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
fn optimum(instance: &Set, most: u64) -> Result<Option<Optimum>> {
    let extent = |axis: usize| Ok(instance.dim_max_value(axis)?.map_or(u64::MAX, |most| 2 * most.unsigned_abs() + 1));
    let extents = (0..instance.dimensions()?).map(extent).collect::<Result<Vec<u64>>>()?;
    if extents.into_iter().fold(1, u64::saturating_mul) > most {
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

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::Context;
    use polyfold_lattice::Folding;

    /// Whether one row fits, for an array with the declared cells.
    fn fits(row: &[i64], declared: Option<&str>) -> bool {
        let ctx = Context::new();
        let read = |text: &str| Set::read(&ctx, text).expect("it is a set");
        let (differences, context) = (read("{ [0, 0] }"), read("[n] -> { : 1 <= n <= 1000 }"));
        let declared = declared.map(read);
        let problem = Problem {
            extents: &[],
            differences: &differences,
            context: &context,
            declared: declared.as_ref(),
            available: &[],
            variables: &[],
            growing: &[],
            sizes: &[],
            floor: 1,
        };
        let folding = Folding { dimensions: 2, rows: vec![row.to_vec()], moduli: vec![7] };
        let one_cell =
            optimum(&differences, MOST_DIFFERENCES).expect("it can be decided").expect("one vector is not too many");
        fits_int(&Optimum { folding, ..one_cell }, &problem).expect("it can be decided")
    }

    #[test]
    fn rows_fit_int_with_room_to_lift() {
        let most = i32::MAX as i64 / MOST_LIFT as i64;
        assert!(fits(&[1, 0], Some(&format!("{{ [i, j] : 0 <= i <= {most} and 0 <= j < 9 }}"))));
        assert!(!fits(&[1, 0], Some(&format!("{{ [i, j] : 0 <= i <= {} and 0 <= j < 9 }}", most + 1))));
        assert!(!fits(&[-2, 0], Some(&format!("{{ [i, j] : 0 <= i <= {most} and 0 <= j < 9 }}"))));
        assert!(!fits(&[1, -1], Some(&format!("{{ [i, j] : 0 <= i <= {most} and 0 <= j < 9 }}"))));
    }

    #[test]
    fn run_time_extents_fit_int_as_far_as_sizes_are_bounded() {
        assert!(fits(&[3, 5], Some("[n] -> { [i, j] : 0 <= i < n and 0 <= j < 2n }")));
        assert!(!fits(&[300_000, 5], Some("[n] -> { [i, j] : 0 <= i < n and 0 <= j < 2n }")));
        assert!(!fits(&[1, 1], None));
    }

    #[test]
    fn the_optimum_is_searched_among_a_hundred_thousand_vectors() {
        let ctx = Context::new();
        let search = |text: &str| {
            optimum(&Set::read(&ctx, text).expect("it is a set"), MOST_DIFFERENCES).expect("it can be decided")
        };
        let found = search("{ [i] : -50000 < i < 50000 }").expect("99,999 vectors are few enough");
        assert_eq!(found.cells, 50_000);
        assert!(search("{ [i] : -50001 < i < 50001 }").is_none());
        assert!(search("{ [i, j] : -159 < i < 159 and -159 < j < 159 }").is_none());
    }
}

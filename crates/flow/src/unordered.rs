//! Operations of a parallel loop: the source allows them in either order, or at once.
//!
//! Two dates are unordered if they agree up to a parallel loop's own iterator, at dimension k, and differ in that:
//!
//! ```text
//! { x -> y : x₀ = y₀ = p₀, x₁ = y₁, …, x_{k−1} = y_{k−1} = p_{k−1}, x_k ≠ y_k }
//! ```
//!
//! with the positions p on the way to the loop. What follows the iterator does not matter: a later statement of one
//! iteration may run before an earlier one of another.
//!
//! Example: the outer loop of a nest that stands first in the scop gives `{ [0, i, …] -> [0, i', …] : i' ≠ i }`.
//!
//! Invariant: the relation is symmetric, and relates no date to itself.

use crate::path::Path;
use polyfold_isl::{Context, Map, Result};

/// Pairs of dates in different iterations of one parallel loop; `None` if there are no parallel loops.
///
/// # Errors
/// When the work bound is reached.
pub(crate) fn unordered(ctx: &Context, parallel: &[Path], dimensions: usize) -> Result<Option<Map>> {
    let mut all: Option<Map> = None;
    for path in parallel {
        let pairs = Map::read(ctx, &pairs(path, dimensions))?;
        all = Some(match all {
            None => pairs,
            Some(others) => others.union(&pairs)?,
        });
    }
    Ok(all)
}

/// The pairs of one loop, in isl text.
fn pairs(path: &Path, dimensions: usize) -> String {
    let name = |letter: &str| (0..dimensions).map(|k| format!("{letter}{k}")).collect::<Vec<_>>().join(", ");
    let split = 2 * path.loops.len() - 1;
    let around = &path.positions[..path.loops.len()];
    let mut constraints: Vec<String> = (0..split).map(|k| format!("x{k} = y{k}")).collect();
    constraints.extend(around.iter().enumerate().map(|(k, p)| format!("x{} = {p}", 2 * k)));
    constraints.push(format!("x{split} != y{split}"));
    format!("{{ [{}] -> [{}] : {} }}", name("x"), name("y"), constraints.join(" and "))
}

//! Admissibility of a modular mapping by finitely many quotients.
//!
//! A difference d is sent to 0 iff every row's value is a multiple of its modulus. Where `|m·d| < (K + 1) b` on all of DS, only
//! the quotients −K … K come into question:
//!
//! ```text
//! { d ∈ DS : m·d ≡ 0 mod b } = ⋃ { d ∈ DS : m·d = q b },  −K <= q <= K
//! ```
//!
//! Each is an exact parametric set for a numeric q; the other rows are settled on it in the same way, and in the end nothing
//! but 0 may be left.
//!
//! Example: on `|i| < n` the row i mod n has K = 0, so i = 0 is left; 2i mod n has K = 1 and leaves i = ± n/2, a clash.
//!
//! Paper: Bee §4 (strictly admissible lattices: the kernel of the mapping meets DS in 0 only); the quotients are our own.
//!
//! Invariant: `Admissible` is said only if every step was an exact test of emptiness.

use polyfold_isl::{Context, Map, PwAff, Result, Set};
use polyfold_lattice::ModularMapping;

/// Larger quotients are not tried.
const MOST: i64 = 8;

/// Whether the kernel of a mapping meets a set of differences.
#[derive(Clone, Debug)]
pub enum Admissibility {
    /// It does not, for any parameters.
    Admissible,
    /// It does: differences that are mapped to 0.
    Clash(Set),
    /// Some quotient may be larger than 8.
    Unbounded,
}

/// Decides whether a mapping sends a nonzero difference to 0, for any parameters for which its moduli are positive. It
/// knows no programs: the differences may come from anywhere.
///
/// ```
/// use polyfold_isl::{Context, PwAff, Set};
/// use polyfold_lattice::ModularMapping;
/// use polyfold_prove::{Admissibility, admissibility};
/// // Bee §2: 2i + k mod 2n − 3 is valid for Durbin's y
/// let ctx = Context::new();
/// let ds = Set::read(&ctx, "[n] -> { [i, k] : n >= 3 and -n < i + 2k < n and -n < i - k < n and -1 <= k <= 1 }")?;
/// let mapping = |b: &str| PwAff::read(&ctx, b).map(|b| ModularMapping { rows: vec![vec![2, 1]], moduli: vec![b] });
/// assert!(matches!(admissibility(&mapping("[n] -> { [(2n - 3)] }")?, &ds)?, Admissibility::Admissible));
/// assert!(matches!(admissibility(&mapping("[n] -> { [(2n - 4)] }")?, &ds)?, Admissibility::Clash(_)));
/// # Ok::<(), polyfold_isl::Error>(())
/// ```
///
/// # Errors
/// When the work bound is reached.
pub fn admissibility(mapping: &ModularMapping, differences: &Set) -> Result<Admissibility> {
    let rows: Vec<(&[i64], &PwAff)> = mapping.rows.iter().map(Vec::as_slice).zip(&mapping.moduli).collect();
    let zero = differences.fix_all(0)?;
    settle(&rows, differences, &zero)
}

/// Whether the rows send a nonzero difference to 0. A row whose quotients are bounded on these differences is settled
/// first, one quotient at a time: the others then need to be bounded on what is left only.
pub(crate) fn settle(rows: &[(&[i64], &PwAff)], differences: &Set, zero: &Set) -> Result<Admissibility> {
    let nonzero = differences.subtract(zero)?;
    if nonzero.is_empty()? {
        return Ok(Admissibility::Admissible);
    }
    if rows.is_empty() {
        return Ok(Admissibility::Clash(nonzero));
    }
    for (k, (row, modulus)) in rows.iter().enumerate() {
        let Some(bound) = quotient_bound(row, modulus, differences)? else { continue };
        let mut others = rows.to_vec();
        others.remove(k);
        let moduli = modulus.graph()?;
        for quotient in -bound..=bound {
            let left = meets(differences, &format!("{} = {quotient} * v", dot(row)), &moduli)?;
            match settle(&others, &left, zero)? {
                Admissibility::Admissible => {}
                other => return Ok(other),
            }
        }
        return Ok(Admissibility::Admissible);
    }
    Ok(Admissibility::Unbounded)
}

/// The smallest K with `|row·d| < (K + 1) b` for all differences, if it is at most [`MOST`].
fn quotient_bound(row: &[i64], modulus: &PwAff, differences: &Set) -> Result<Option<i64>> {
    let moduli = modulus.graph()?;
    for bound in 0..=MOST {
        let (value, past) = (dot(row), bound + 1);
        let beyond = format!("{value} >= {past} * v or {value} <= -{past} * v");
        if meets(differences, &beyond, &moduli)?.is_empty()? {
            return Ok(Some(bound));
        }
    }
    Ok(None)
}

/// Differences d for which the modulus v satisfies `condition`.
fn meets(differences: &Set, condition: &str, moduli: &Set) -> Result<Set> {
    let d: Vec<String> = (0..differences.dimensions()?).map(|k| format!("d{k}")).collect();
    let text = format!("{{ [{}] -> [v] : {condition} }}", d.join(", "));
    let relation = Map::read(differences.context(), &text)?;
    relation.intersect_domain(differences)?.intersect_range(moduli)?.domain()
}

/// `m·d` as isl text, which can stand at the beginning of a condition.
pub(crate) fn dot(row: &[i64]) -> String {
    let terms: Vec<String> =
        row.iter().enumerate().filter(|(_, c)| **c != 0).map(|(k, c)| format!("{c} * d{k}")).collect();
    if terms.is_empty() { "0".to_string() } else { terms.join(" + ") }
}

/// `{ [d] -> [m·d, …] }` for some rows m over so many coordinates.
pub(crate) fn linear_map<'r>(
    ctx: &Context,
    coordinates: usize,
    rows: impl IntoIterator<Item = &'r [i64]>,
) -> Result<Map> {
    let coordinates: Vec<String> = (0..coordinates).map(|k| format!("d{k}")).collect();
    let points: Vec<String> = rows.into_iter().map(dot).collect();
    Map::read(ctx, &format!("{{ [{}] -> [{}] }}", coordinates.join(", "), points.join(", ")))
}

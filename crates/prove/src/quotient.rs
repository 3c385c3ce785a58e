//! Admissibility of a modular mapping by finitely many quotients.

use polyfold_isl::{Context, Map, PwAff, Result, Set};
use polyfold_lattice::ModularMapping;

/// Larger quotients are not tried.
const MOST: i64 = 8;

/// Whether the kernel of a mapping meets a set of differences.
pub(crate) enum Admissibility {
    /// It does not, for any parameters.
    Admissible,
    /// It does: differences that are mapped to 0.
    Clash(Set),
    /// Some quotient may be larger than 8.
    Unbounded,
}

pub(crate) fn admissible(mapping: &ModularMapping, differences: &Set) -> Result<Admissibility> {
    let zero = differences.fix_all(0)?;
    if mapping.rows.is_empty() {
        let clash = differences.subtract(&zero)?;
        return Ok(if clash.is_empty()? { Admissibility::Admissible } else { Admissibility::Clash(clash) });
    }
    let moduli = graph(differences.context(), &mapping.moduli)?;
    let mut bounds = Vec::new();
    for (k, row) in mapping.rows.iter().enumerate() {
        match quotient_bound(row, &mapping.moduli[k], differences)? {
            None => return Ok(Admissibility::Unbounded),
            Some(bound) => bounds.push(bound),
        }
    }
    let mut quotients: Vec<i64> = bounds.iter().map(|b| -b).collect();
    loop {
        let equations = mapping.rows.iter().zip(&quotients).enumerate();
        let equations: Vec<String> = equations.map(|(k, (row, q))| format!("{} = {q} * v{k}", dot(row))).collect();
        let clash = meets(differences, mapping.rows.len(), &equations.join(" and "), &moduli)?.subtract(&zero)?;
        if !clash.is_empty()? {
            return Ok(Admissibility::Clash(clash));
        }
        if !next(&mut quotients, &bounds) {
            return Ok(Admissibility::Admissible);
        }
    }
}

/// The smallest K with `|row·d| < (K + 1) b` for all differences, if it is at most [`MOST`].
fn quotient_bound(row: &[i64], modulus: &PwAff, differences: &Set) -> Result<Option<i64>> {
    let modulus = graph(differences.context(), std::slice::from_ref(modulus))?;
    for bound in 0..=MOST {
        let (value, past) = (dot(row), bound + 1);
        let beyond = format!("{value} >= {past} * v0 or {value} <= -{past} * v0");
        if meets(differences, 1, &beyond, &modulus)?.is_empty()? {
            return Ok(Some(bound));
        }
    }
    Ok(None)
}

/// Differences d for which the moduli v satisfy `condition`.
fn meets(differences: &Set, count: usize, condition: &str, moduli: &Set) -> Result<Set> {
    let d: Vec<String> = (0..differences.dimensions()?).map(|k| format!("d{k}")).collect();
    let v: Vec<String> = (0..count).map(|k| format!("v{k}")).collect();
    let text = format!("{{ [{}] -> [{}] : {condition} }}", d.join(", "), v.join(", "));
    let relation = Map::read(differences.context(), &text)?;
    relation.intersect_domain(differences)?.intersect_range(moduli)?.domain()
}

/// `{ [b_1, …, b_p] }` as a function of the parameters.
fn graph(ctx: &Context, moduli: &[PwAff]) -> Result<Set> {
    let mut product = Set::read(ctx, "{ [] }")?;
    for modulus in moduli {
        product = product.flat_product(&modulus.graph()?)?;
    }
    Ok(product)
}

/// `m·d` as isl text, which can stand at the beginning of a condition.
pub(crate) fn dot(row: &[i64]) -> String {
    let terms: Vec<String> =
        row.iter().enumerate().filter(|(_, c)| **c != 0).map(|(k, c)| format!("{c} * d{k}")).collect();
    if terms.is_empty() { "0".to_string() } else { terms.join(" + ") }
}

fn next(quotients: &mut [i64], bounds: &[i64]) -> bool {
    for (q, bound) in quotients.iter_mut().zip(bounds) {
        if *q < *bound {
            *q += 1;
            return true;
        }
        *q = -bound;
    }
    false
}

//! The shortest condition that tells some parameter values from the others that a program may have.
//!
//! Constraints are left out one after the other, as long as no value comes in that is possible: with `T >= 1 && it * T >= 0`, the second goes if
//! for `T >= 1` nothing else is possible.

use polyfold_isl::{Result, Set};

/// A set that is the same as `values` within `possible`, in as few constraints as are found.
pub(super) fn shortest(values: &Set, possible: &Set) -> Result<Set> {
    let values = values.gist_params(possible)?.coalesce()?;
    let inside = values.intersect(possible)?;
    let Some(mut constraints) = constraints(&values)? else { return Ok(values) };
    if !all(&constraints, possible)?.is_subset(&inside)? {
        return Ok(values);
    }
    let mut at = constraints.len();
    while at > 0 {
        at -= 1;
        let mut fewer = constraints.clone();
        fewer.remove(at);
        if all(&fewer, possible)?.is_subset(&inside)? {
            constraints = fewer;
        }
    }
    all(&constraints, &Set::read(values.context(), "{ : }")?)
}

/// The values in `possible` that fulfil all of some constraints.
fn all(constraints: &[Set], possible: &Set) -> Result<Set> {
    constraints.iter().try_fold(possible.clone(), |all, one| all.intersect(one))
}

/// The constraints of a convex set of parameter values, each as a set, except those with numbers past 64 bits; `None`: it is none, or has
/// integer divisions.
fn constraints(values: &Set) -> Result<Option<Vec<Set>>> {
    let pieces = values.polyhedra_around()?;
    let [piece] = &pieces[..] else { return Ok(None) };
    if piece.locals > 0 {
        return Ok(None);
    }
    let names = values.parameter_names()?;
    let text = |row: &[i64], sign: &str| {
        let terms: String = row[1..].iter().zip(&names).map(|(factor, name)| format!(" + {factor}*{name}")).collect();
        format!("[{}] -> {{ : {}{terms} {sign} 0 }}", names.join(", "), row[0])
    };
    let rows = piece.equalities.iter().map(|row| text(row, "="));
    let rows = rows.chain(piece.inequalities.iter().map(|row| text(row, ">=")));
    rows.map(|text| Set::read(values.context(), &text)).collect::<Result<Vec<Set>>>().map(Some)
}

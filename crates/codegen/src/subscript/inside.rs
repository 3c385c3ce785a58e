//! The subscripts of an array that lives in another one: its own, moved.
//!
//! Example: with δ = (0, 1), `t[i][j]` in out is `out[i][j + 1]`. All places are cells from 0 on, so that `out[u - 2]` does not wrap
//! around where u has no sign.

use super::combination::{Coordinate, combine, shifted};
use super::operand::{additive, is_simple};
use crate::CNames;
use crate::linear::{Linear, Variables, as_long};
use crate::names::LONG;
use polyfold_isl::{PwAff, Result};
use polyfold_prove::Inside;

/// `[i][j + 1]`.
pub(super) fn subscripts(
    inside: &Inside,
    cell: &[Coordinate],
    names: &CNames,
    variables: Option<&Variables>,
) -> Result<String> {
    let mut out = String::new();
    for (axis, shift) in inside.shift.iter().enumerate() {
        let subscript = moved(axis, cell, shift, names, variables)?;
        out.push_str(&format!("[{}]", without_needless_cast(&subscript)));
    }
    Ok(out)
}

/// A coordinate plus a shift; where it is no sum, the shift goes behind the user's text.
fn moved(
    axis: usize,
    cell: &[Coordinate],
    shift: &PwAff,
    names: &CNames,
    variables: Option<&Variables>,
) -> Result<String> {
    let unit: Vec<i64> = (0..cell.len()).map(|k| i64::from(k == axis)).collect();
    let (more, less) = (names.value(shift)?, names.value(&shift.neg()?)?);
    let is_sum = cell[axis].linear.is_some() && Linear::parse(&less).is_some();
    if is_sum || more.starts_with('-') || more.parse::<i64>().is_ok() {
        return shifted(&unit, cell, &less, variables);
    }
    let is_wide = variables.is_some_and(|variables| variables.wide);
    let in_c = if is_wide { as_long(&more) } else { more.clone() };
    let own = combine(&unit, cell, variables)?;
    match is_simple(more.trim_start_matches(LONG)) {
        true => Ok(format!("{} + {in_c}", additive(&own.print()))),
        false => Ok(own.shifted_by(&in_c)?.print()),
    }
}

/// A variable alone is the same subscript without a cast.
fn without_needless_cast(subscript: &str) -> &str {
    let is_name = |text: &&str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    subscript.strip_prefix(LONG).filter(is_name).unwrap_or(subscript)
}

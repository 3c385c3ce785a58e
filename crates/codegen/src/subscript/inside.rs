//! The subscripts of an array that lives in another one: its own, moved.
//!
//! Example: with δ = (0, 1), `t[i][j]` in out is `out[i][j + 1]`.

use super::combination::{Coordinate, shifted};
use crate::CNames;
use crate::linear::Variables;
use crate::names::LONG;
use polyfold_isl::Result;
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
        let unit: Vec<i64> = (0..cell.len()).map(|k| i64::from(k == axis)).collect();
        let lowest = names.value(&shift.neg()?)?;
        let subscript = shifted(&unit, cell, &lowest, variables)?;
        out.push_str(&format!("[{}]", without_needless_cast(&subscript)));
    }
    Ok(out)
}

/// A variable alone is the same subscript without a cast.
fn without_needless_cast(subscript: &str) -> &str {
    let is_name = |text: &&str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    subscript.strip_prefix(LONG).filter(is_name).unwrap_or(subscript)
}

//! The subscripts of an array that lives in another one: its own, moved.
//!
//! Example: with δ = (0, 1), `t[i][j]` in out is `out[i][j + 1]`.

use super::combination::{Coordinate, shifted};
use crate::CNames;
use crate::linear::Variables;
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
        out.push_str(&format!("[{}]", shifted(&unit, cell, &lowest, variables)?));
    }
    Ok(out)
}

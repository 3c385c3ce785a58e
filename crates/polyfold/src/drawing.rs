//! A two-dimensional difference set as text, at given sizes: `#` for a difference of conflicting cells, `0` for 0.
//!
//! Example: Durbin's y at n = 4
//!
//! ```text
//!   d1
//!   1  . # # # # . .
//!   0  # # # 0 # # #
//!  -1  . . # # # # .     d0 = -3 .. 3
//! ```

use polyfold_isl::{Error, Set};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Wider or higher sets are not drawn.
const LARGEST: i64 = 20;

/// The drawing, indented; `None` if the set has another number of dimensions, or is too large.
///
/// # Errors
/// When the set, which has no parameters, is unbounded.
pub(crate) fn draw(differences: &Set) -> Result<Option<String>, Error> {
    if differences.dimensions()? != 2 || differences.is_empty()? {
        return Ok(None);
    }
    let width = differences.dim_max_value(0)?.unwrap_or(LARGEST + 1);
    let height = differences.dim_max_value(1)?.unwrap_or(LARGEST + 1);
    if width > LARGEST || height > LARGEST {
        return Ok(None);
    }
    let points: BTreeSet<Vec<i64>> = differences.points()?.into_iter().collect();
    let mut out = "      d1\n".to_string();
    for y in (-height..=height).rev() {
        let _ = write!(out, "    {y:4} ");
        for x in -width..=width {
            out.push_str(match (x, y) {
                (0, 0) => " 0",
                _ if points.contains(&vec![x, y]) => " #",
                _ => " .",
            });
        }
        out.push('\n');
    }
    let _ = writeln!(out, "          d0 = {} .. {width}", -width);
    Ok(Some(out))
}

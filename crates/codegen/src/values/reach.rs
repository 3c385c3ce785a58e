//! Whether cells stand in front of those that an access finds, in their row.
//!
//! At least d are if, for `m·x − lowest` being the place of the value x in its row,
//!
//! ```text
//! for all sizes, counters and values x that are found:  m·x − lowest >= d
//! ```
//!
//! Example: where `a[i][j]` is read for j >= 1 there is one, so that `a[i] + 1` is in the row.
//!
//! Only rows without a modulus are asked about: in others places go back to the beginning.

use super::cases::Case;
use polyfold_isl::{Map, PwAff, Result, Set};
use polyfold_prove::RowForm;

impl Case {
    /// Whether so many cells are in front of each one that it finds.
    pub(super) fn reaches(&self, cells: u64) -> Result<bool> {
        match self.place.as_ref().and_then(|place| place.rows().last()) {
            Some(row) => match &row.form {
                RowForm::Fits { lowest } => are_behind(&self.values, (&row.coefficients, lowest), cells),
                RowForm::Modulo { .. } | RowForm::SignedModulo => Ok(false),
            },
            None => Ok(false),
        }
    }
}

/// Whether each of the values has a place behind so many cells.
fn are_behind(values: &Set, (coefficients, lowest): (&[i64], &PwAff), cells: u64) -> Result<bool> {
    let ctx = values.context();
    let coordinates: Vec<String> = (0..coefficients.len()).map(|k| format!("d{k}")).collect();
    let terms: Vec<String> = coefficients.iter().zip(&coordinates).map(|(m, d)| format!("{m} * {d}")).collect();
    let row = Map::read(ctx, &format!("{{ [{}] -> [{}] }}", coordinates.join(", "), terms.join(" + ")))?;
    let places = values.unnamed()?.apply(&row)?.translated(&[lowest.neg()?])?;
    places.is_subset(&Set::read(ctx, &format!("{{ [x] : x >= {cells} }}"))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::Context;

    fn reaches(values: &str, lowest: &str, cells: u64) -> bool {
        let ctx = Context::new();
        let (values, lowest) = (Set::read(&ctx, values).unwrap(), PwAff::read(&ctx, lowest).unwrap());
        are_behind(&values, (&[0, 1], &lowest), cells).unwrap()
    }

    #[test]
    fn cells_in_front_are_counted_from_the_beginning_of_the_row() {
        let inside = "[n, i, j] -> { [i, j] : 1 <= j <= n - 2 }";
        assert!(reaches(inside, "{ [0] }", 1) && !reaches(inside, "{ [0] }", 2));
        assert!(reaches(inside, "{ [-1] }", 2) && !reaches(inside, "{ [1] }", 1));
    }

    #[test]
    fn what_is_in_front_may_depend_on_sizes_and_counters() {
        let triangle = "[n, i, j] -> { [i, j] : 2 <= i <= j <= n }";
        assert!(reaches(triangle, "{ [0] }", 2) && !reaches(triangle, "{ [0] }", 3));
        let upward = "[n] -> { [i, j] : j >= n + 1 }";
        assert!(reaches(upward, "[n] -> { [(n)] }", 1) && !reaches(upward, "[n] -> { [(n)] }", 2));
    }
}

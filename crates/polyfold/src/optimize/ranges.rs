//! How many values a row takes: with a cell for each of them it needs no `%`.
//!
//! ```text
//! range(m) = max { m·x } − min { m·x } + 1      over the cells x that the program touches, a function of the sizes
//! ```
//!
//! Example: rows i, i − 1, i − 2 and i − 3 of four arrays with 0 <= i < n in one buffer take n + 3 values.

use polyfold_isl::{Error, Map, PwAff, Set};

/// The number of values of a row, where there are any.
///
/// # Errors
/// When the work bound is reached.
pub(super) fn range(row: &[i64], touched: &Set, context: &Set) -> Result<PwAff, Error> {
    let coordinates: Vec<String> = (0..row.len()).map(|k| format!("d{k}")).collect();
    let terms: Vec<String> = row.iter().zip(&coordinates).map(|(factor, d)| format!("{factor} * {d}")).collect();
    let map = format!("{{ [{}] -> [{}] }}", coordinates.join(", "), terms.join(" + "));
    let values = touched.intersect_params(context)?.unnamed()?.apply(&Map::read(context.context(), &map)?)?;
    let range = values.dim_max(0)?.sub(&values.dim_min(0)?)?.add(&number(context, 1)?)?;
    range.gist_params(context)?.coalesce()
}

/// One affine function that is no less than a range for all sizes, and positive; `None`: no piece of it is.
///
/// # Errors
/// When the work bound is reached.
pub(super) fn covering(range: &PwAff, context: &Set) -> Result<Option<PwAff>, Error> {
    let (known, one) = (context.intersect(&range.domain()?)?, number(context, 1)?);
    for (_, piece) in range.pieces()? {
        if known.is_subset(&piece.at_least(range)?)? && context.is_subset(&piece.at_least(&one)?)? {
            return Ok(Some(piece));
        }
    }
    Ok(None)
}

fn number(like: &Set, value: i64) -> Result<PwAff, Error> {
    PwAff::read(like.context(), &format!("{{ [({value})] }}"))
}

//! One affine bound for a piecewise one, where that costs little.
//!
//! The exact maximum of a parametric set is piecewise: for Durbin's `y` the largest d₂ is 1 for n ≥ 2 and 0 at
//! n = 1. A piece that is at least as large as the whole function for all parameters replaces it; storage then has
//! one formula and needs no case distinction, at the price of a few cells at the smallest sizes.

use polyfold_isl::{Context, PwAff, Result, Set};

/// A function that is `>= function` on `context`: one of its pieces if any will do (the smallest at `sizes`), else the
/// function itself.
pub(crate) fn affine_bound(function: &PwAff, context: &Set, sizes: &[(&str, i64)]) -> Result<PwAff> {
    let mut best: Option<(Option<i64>, PwAff)> = None;
    let pieces = function.pieces()?;
    for (_, piece) in &pieces {
        if pieces.len() > 1 && !context.is_subset(&piece.at_least(function)?)? {
            continue;
        }
        let value = piece.eval(sizes)?;
        if best.as_ref().is_none_or(|(least, _)| value < *least) {
            best = Some((value, piece.intersect_params(context)?));
        }
    }
    Ok(match best {
        Some((_, piece)) => piece,
        None => function.clone(),
    })
}

/// A constant function of no parameters.
pub(crate) fn constant(ctx: &Context, value: i64) -> Result<PwAff> {
    PwAff::read(ctx, &format!("{{ [({value})] }}"))
}

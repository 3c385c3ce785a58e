//! One simple bound for a piecewise one, where that costs little.
//!
//! The exact maximum of a parametric set is piecewise: for Durbin's `y` the largest d₂ is 1 for n ≥ 2 and 0 at
//! n = 1. Storage should have one formula. A piece p, or max(p, 1) where p is not always positive, replaces the whole
//! function if it is at least as large for all parameters, at the price of a few cells at the smallest sizes.

use polyfold_isl::{Context, PwAff, Result, Set};

/// A function that is `>= function` and `>= 1` on `context`, where `function >= 1`: the simplest that can be made from
/// one of its pieces, the smallest at `sizes` among equally simple ones, else the function itself.
pub(crate) fn simple_bound(function: &PwAff, context: &Set, sizes: &[(&str, i64)]) -> Result<PwAff> {
    let one = constant(function.context(), 1)?;
    let mut best: Option<((Option<i64>, usize), PwAff)> = None;
    let pieces = function.pieces()?;
    for (_, piece) in &pieces {
        let bound = if context.is_subset(&piece.at_least(&one)?)? { piece.clone() } else { piece.union_max(&one)? };
        if pieces.len() > 1 && !context.is_subset(&bound.at_least(function)?)? {
            continue;
        }
        let bound = bound.intersect_params(context)?.coalesce()?;
        let rank = (bound.eval(sizes)?, bound.pieces()?.len());
        if best.as_ref().is_none_or(|(least, _)| rank < *least) {
            best = Some((rank, bound));
        }
    }
    Ok(best.map_or_else(|| function.clone(), |(_, bound)| bound))
}

/// A constant function of no parameters.
pub(crate) fn constant(ctx: &Context, value: i64) -> Result<PwAff> {
    PwAff::read(ctx, &format!("{{ [({value})] }}"))
}

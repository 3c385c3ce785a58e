//! Comparisons with a minimum or maximum, without it.
//!
//! `x >= max(p, q)` is `x >= p && x >= q`, and `x <= max(p, q)` is
//! `x <= p || x <= q`. Bounds of tiled loops come this way, and stay one convex piece instead of three.

use polyfold_scop::{Comparison, Condition, Expr};

/// The same condition without the minimum or maximum on one of its sides, if there is one.
pub(crate) fn expand_extremum(a: &Expr, comparison: Comparison, b: &Expr) -> Option<Condition> {
    if let Some((is_max, p, q)) = b.as_extremum() {
        return split(comparison, is_max, |side| Condition::Compare(a.clone(), comparison, side.clone()), p, q);
    }
    let (is_max, p, q) = a.as_extremum()?;
    split(comparison.mirrored(), is_max, |side| Condition::Compare(side.clone(), comparison, b.clone()), p, q)
}

/// `x <comparison> extremum(p, q)` by parts.
fn split(
    comparison: Comparison,
    is_max: bool,
    part: impl Fn(&Expr) -> Condition,
    p: &Expr,
    q: &Expr,
) -> Option<Condition> {
    let parts = vec![part(p), part(q)];
    match (comparison, is_max) {
        (Comparison::Greater | Comparison::GreaterEqual, true) | (Comparison::Less | Comparison::LessEqual, false) => {
            Some(Condition::All(parts))
        }
        (Comparison::Greater | Comparison::GreaterEqual, false) | (Comparison::Less | Comparison::LessEqual, true) => {
            Some(Condition::Any(parts))
        }
        (Comparison::Equal | Comparison::NotEqual, _) => None,
    }
}

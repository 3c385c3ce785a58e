//! Loops of a few turns.
//!
//! Compilers unroll them, so that the loop around is the innermost one: over the pixels of a row, for a filter
//!
//! ```c
//! for (int j = 0; j < m; j++)
//!   for (int k = -R; k <= R; k++)       // #define R 3
//!     s += g[k + R] * row[i + k][j];
//! ```
//!
//! Invariant: what macros say is taken for what they will say; that decides how plain a result is, not whether it is right.

use crate::distinct::constant_sum;
use polyfold_scop::{Condition, Expr, Loop, Scop};

/// A loop has few turns if it has at most so many.
const MOST_TURNS: i64 = 15;

/// Whether a loop has few turns, for all sizes but those that macros give.
pub fn has_few_turns(scop: &Scop, l: &Loop) -> bool {
    let Condition::Compare(left, _, right) = &l.condition else { return false };
    let [left, right, first] = [left, right, &l.first].map(|expr| with_constants(scop, expr));
    let counter = Expr::Iterator(l.id);
    let (own, bound) = if left == counter { (left, right) } else { (right, left) };
    let span = constant_sum([(&bound, 1), (&first, -1)]).filter(|_| own == counter);
    span.is_some_and(|span| span.unsigned_abs() < MOST_TURNS.saturating_mul(l.step).unsigned_abs())
}

/// An expression with numbers for what macros and constants give.
fn with_constants(scop: &Scop, expr: &Expr) -> Expr {
    match expr {
        Expr::Parameter(id) => scop.parameters[id.0].constant().map_or_else(|| expr.clone(), Expr::Constant),
        Expr::Add(a, b) => with_constants(scop, a).add(with_constants(scop, b)),
        Expr::Scale(factor, inner) => with_constants(scop, inner).scale(*factor),
        _ => expr.clone(),
    }
}

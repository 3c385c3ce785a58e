//! Whether subscripts stay below given bounds, for one reference.
//!
//! ```text
//! { i ∈ domain(S) : condition(i) ∧ ¬(0 <= sₖ(i) < eₖ) for some k } = ∅
//! ```
//!
//! Example: `j - 1` of `for (j = 1; j < n; j++)` stays in `0 .. n`, and of `for (j = 0; …)` it does not.
//!
//! Over-approximation: a condition on data is taken to hold, so that a subscript may seem to leave where it never does.

use crate::lower::Constraints;
use crate::names::Names;
use crate::path::paths_to_statements;
use crate::space::Space;
use polyfold_isl::{Context, Result};
use polyfold_scop::{Condition, Expr, Scop, StatementId};

/// A subscript, and what it has to stay below.
pub type Bounded<'a> = (&'a Expr, &'a Expr);

/// Whether all subscripts are in `0 .. bound` wherever a statement runs and a condition holds, for all parameter values.
///
/// # Errors
/// When the work bound of `ctx` is reached.
pub fn stays_within(
    ctx: &Context,
    scop: &Scop,
    (statement, condition): (StatementId, &Condition),
    subscripts: &[Bounded],
) -> Result<bool> {
    let space = Space { ctx, scop, names: Names::of(scop) };
    let path = &paths_to_statements(&scop.body, scop.statements.len())[statement.0];
    let mut constraints = Constraints::new(&space.names);
    for l in &path.loops {
        space.require_loop(&mut constraints, l);
    }
    for (guard, holds) in &path.guards {
        constraints.require_condition(guard, *holds);
    }
    constraints.require_condition(condition, true);
    for known in &scop.known {
        constraints.require_condition(known, true);
    }
    let mut leaves = Vec::new();
    for (subscript, bound) in subscripts {
        let (value, bound) = (constraints.expr(subscript), constraints.expr(bound));
        leaves.push(format!("{value} < 0 or {value} >= {bound}"));
    }
    if leaves.is_empty() {
        return Ok(true);
    }
    constraints.require(format!("({})", leaves.join(" or ")));
    space.set(&format!("[{}]", space.iterators(&scop.statement(statement).loops)), constraints)?.is_empty()
}

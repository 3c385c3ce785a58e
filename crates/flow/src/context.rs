//! The parameter values that a program runs for.
//!
//! What the declarations say is known of every run; what the user assumes, and that unsigned bounds do not wrap, is
//! taken for granted and has to be guarded where a result rests on it.
//!
//! Example: with `double A[n]` and `for (unsigned i = 0; i < n - 1; i++)`, `n >= 1` is known; `n - 1 >= 0`, an
//! [`Obligation`], follows from it and excludes nothing.

use crate::exclusion::{Cause, Exclusion};
use crate::lower::Constraints;
use crate::space::Space;
use polyfold_isl::{Result, Set};
use polyfold_scop::Obligation;

/// What the declarations alone say about the parameters.
pub(crate) fn declared(space: &Space) -> Result<Set> {
    let mut constraints = Constraints::new(&space.names);
    for fact in &space.scop.known {
        constraints.require_condition(fact, true);
    }
    space.parameters(constraints)?.coalesce()
}

/// `known` without what the user rules out, and without the values in `wrapping`.
pub(crate) fn assumed(space: &Space, known: &Set, wrapping: &Set) -> Result<Set> {
    let mut constraints = Constraints::new(&space.names);
    for fact in &space.scop.assumed {
        constraints.require_condition(fact, true);
    }
    known.intersect(&space.parameters(constraints)?)?.subtract(wrapping)?.coalesce()
}

/// Parameter values for which unsigned expressions may wrap: what the polyhedral view says of these means nothing.
pub(crate) fn wrapping(space: &Space) -> Result<Vec<Exclusion>> {
    let mut exclusions = Vec::new();
    for (k, obligation) in space.scop.obligations.iter().enumerate() {
        let sizes = violations(space, obligation)?;
        if !sizes.is_empty()? {
            exclusions.push(Exclusion { sizes, cause: Cause::Wraps(k) });
        }
    }
    Ok(exclusions)
}

/// Parameter values for which an obligation fails at some iteration.
fn violations(space: &Space, obligation: &Obligation) -> Result<Set> {
    let loops = space.scop.loops();
    let mut constraints = Constraints::new(&space.names);
    for id in &obligation.loops {
        space.require_loop(&mut constraints, loops[id.0]);
    }
    for condition in &obligation.conditions {
        constraints.require_condition(condition, true);
    }
    let value = constraints.expr(&obligation.expression);
    constraints.require(format!("{value} < 0"));
    space.set(&format!("[{}]", space.iterators(&obligation.loops)), constraints)?.params()
}

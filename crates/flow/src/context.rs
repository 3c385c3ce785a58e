//! The parameter values that a program runs for.
//!
//! What the declarations say is known of every run; what the user assumes, and that arithmetic does not wrap, is taken for
//! granted and has to be guarded where a result rests on it. What types and memory say ([`Limit`]) only shows that some
//! obligations always hold: it would clutter every set.
//!
//! Example: with `double A[n]` and `for (unsigned i = 0; i < n - 1; i++)`, `n >= 1` is known; `n - 1 >= 0`, an
//! [`Obligation`], follows from it and excludes nothing.

use crate::exclusion::{Cause, Exclusion};
use crate::lower::Constraints;
use crate::space::Space;
use polyfold_isl::{Result, Set};
use polyfold_scop::{Bound, Limit, Obligation};

/// What the declarations alone say about the parameters.
fn declared(space: &Space) -> Result<Set> {
    let mut constraints = Constraints::new(&space.names);
    for fact in &space.scop.known {
        constraints.require_condition(fact, true);
    }
    space.parameters(constraints)?.coalesce()
}

/// `known` without what the user rules out.
pub(crate) fn promised(space: &Space, known: &Set) -> Result<Set> {
    let mut constraints = Constraints::new(&space.names);
    for fact in &space.scop.assumed {
        constraints.require_condition(fact, true);
    }
    known.intersect(&space.parameters(constraints)?)
}

/// `known` without what the user rules out, and without the values in `wrapping`.
pub(crate) fn assumed(space: &Space, known: &Set, wrapping: &Set) -> Result<Set> {
    promised(space, known)?.subtract(wrapping)?.coalesce()
}

/// What obligations leave of the declared sizes.
pub(crate) struct Wrapping {
    /// Parameter values for which some expression may wrap: what the polyhedral view says of these means nothing.
    pub(crate) exclusions: Vec<Exclusion>,
    /// Declared sizes that types and memory allow.
    pub(crate) possible: Set,
    /// The declared sizes, with obligations on sizes alone that types and memory fulfil.
    pub(crate) declared: Set,
}

/// Tests the obligations. Those that fail for no sizes that types and memory allow leave nothing out.
pub(crate) fn wrapping(space: &Space) -> Result<Wrapping> {
    let declared = declared(space)?;
    let possible = possible(space)?.intersect(&declared)?;
    let mut found = Wrapping { exclusions: Vec::new(), possible, declared };
    for (k, obligation) in space.scop.obligations.iter().enumerate() {
        let sizes = violations(space, obligation)?;
        if !sizes.intersect(&found.possible)?.is_empty()? {
            found.exclusions.push(Exclusion { sizes, cause: Cause::Wraps(k), witness: None });
        } else if is_lower_bound_of_sizes(obligation) {
            found.declared = found.declared.subtract(&sizes)?.coalesce()?;
        }
    }
    Ok(found)
}

fn is_lower_bound_of_sizes(obligation: &Obligation) -> bool {
    let is_unconditional = obligation.loops.is_empty() && obligation.conditions.is_empty();
    is_unconditional && matches!(obligation.bound, Bound::Least(_))
}

/// Parameter values that types and memory allow.
fn possible(space: &Space) -> Result<Set> {
    let mut constraints = Constraints::new(&space.names);
    for Limit { expression, bits, least, most } in &space.scop.limits {
        let value = constraints.expr(expression);
        let value = match bits {
            Some(bits) => format!("({value} - {} * {})", 1i128 << bits, constraints.fresh()),
            None => value,
        };
        constraints.require(format!("{least} <= {value} <= {most}"));
    }
    space.parameters(constraints)
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
    constraints.require(match obligation.bound {
        Bound::Least(least) => format!("{value} < {least}"),
        Bound::Most(most) => format!("{value} > {most}"),
    });
    space.set(&format!("[{}]", space.iterators(&obligation.loops)), constraints)?.params()
}

//! The parameter values for which no `int` overflows that a statement in local memory computes.
//!
//! C gives a program no meaning in which a signed sum is past its type. So what is written in place of a statement may take for granted of
//! each [`Computed`](polyfold_scop::Computed) sum e, wherever it is computed:
//!
//! ```text
//! defined  =  { p : -2^31 <= e(p, i) < 2^31 for all i in the domain of e }
//! ```
//!
//! Example: `for (i = lo; i < lo + 8; i++) … A[i + 1]` says of lo that `lo + 8` is an `int`, and nothing more: the largest `i + 1` is that.
//!
//! Over-approximated: what is computed behind a call that may not return, or where data decides, says nothing; nor does a sum that makes the
//! set fall into many pieces.

use crate::Model;
use crate::lower::Constraints;
use crate::names::Names;
use crate::space::Space;
use polyfold_isl::{Result, Set};
use polyfold_scop::Computed;

const LEAST: i64 = i32::MIN as i64;
const MOST: i64 = i32::MAX as i64;

/// Pieces of the set; facts that make more are left out.
const MOST_PIECES: usize = 4;

impl Model<'_> {
    /// The values out of `possible` for which no `int` overflows.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn defined(&self, possible: &Set) -> Result<Set> {
        let mut defined = possible.clone();
        let may_end = self.scop.statements.iter().any(|s| s.is_effectful());
        let computed = self.scop.surroundings.iter().flat_map(|around| &around.computed);
        for computed in computed.filter(|_| !may_end) {
            let overflowing = self.overflowing(computed)?.intersect(&defined)?;
            if overflowing.is_empty()? {
                continue;
            }
            let left = defined.subtract(&overflowing)?.coalesce()?;
            if left.pieces()? <= MOST_PIECES {
                defined = left;
            }
        }
        Ok(defined)
    }

    /// The parameter values for which a sum is past `int` somewhere.
    fn overflowing(&self, computed: &Computed) -> Result<Set> {
        let space = Space { ctx: self.context.context(), scop: self.scop, names: Names::of(self.scop) };
        let loops = self.scop.loops();
        let mut constraints = Constraints::new(&space.names);
        for id in &computed.loops {
            space.require_loop(&mut constraints, loops[id.0]);
        }
        for condition in &computed.conditions {
            constraints.require_condition(condition, true);
        }
        let value = constraints.expr(&computed.expression);
        constraints.require(format!("({value} < {LEAST} or {value} > {MOST})"));
        space.set(&format!("[{}]", space.iterators(&computed.loops)), constraints)?.params()
    }
}

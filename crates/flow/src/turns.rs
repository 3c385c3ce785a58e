//! The turns of a loop, whatever stands in it.
//!
//! ```text
//! turns   { [o, i] : the loop runs with i at o }        o: counters of the loops around it, outermost first
//! ```
//!
//! Example: `for (j = i; j < n; j++)` in a loop over `0 <= i < 3` has the turns `{ [i, j] : 0 <= i < 3 and i <= j < n }`.
//!
//! Over-approximation: where data decides whether the loop is reached, the set has all turns that it has if it is. Bounds never depend on data, so
//! at an o at which the loop is reached these are exactly its turns.

use crate::lower::Constraints;
use crate::names::Names;
use crate::path::path_to_loop;
use crate::space::Space;
use polyfold_isl::{Context, Result, Set};
use polyfold_scop::{LoopId, Scop};

/// The turns of a loop; none of a loop that the scop does not have.
///
/// # Errors
/// When the work bound is reached.
pub fn turns(ctx: &Context, scop: &Scop, id: LoopId) -> Result<Set> {
    let space = Space { ctx, scop, names: Names::of(scop) };
    let mut constraints = Constraints::new(&space.names);
    let path = path_to_loop(&scop.body, id);
    let loops = path.iter().flat_map(|path| &path.loops);
    loops.clone().for_each(|l| space.require_loop(&mut constraints, l));
    for (condition, holds) in path.iter().flat_map(|path| &path.guards) {
        constraints.require_condition(condition, *holds);
    }
    let ids: Vec<LoopId> = loops.map(|l| l.id).collect();
    if ids.is_empty() {
        constraints.require("false".to_string());
    }
    space.set(&format!("[{}]", space.iterators(&ids)), constraints)
}

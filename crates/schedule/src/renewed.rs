//! Variables that a loop's body declares are new ones at each of its iterations.
//!
//! What two iterations do with them is done to different memory, so that no order of the iterations can be wrong because of it. They are
//! taken for arrays with a cell, or cells, of each iteration:
//!
//! ```text
//! for (i = 0; i < n; i++) {                 s[i]
//!   double s = x[i];                        written by S0[i]
//!   y[i] = s * s;                           read by S1[i]
//! }
//! ```
//!
//! C says so of automatic variables; those declared `static` are one for all iterations. The new order has to keep the iterations of which a
//! variable is the same, too, which is not looked at here.

use polyfold_scop::{Array, Declaration, Expr, LoopId, Scop, Storage};

/// The same program with cells for each iteration in place of variables that are new in each.
pub fn renewed(scop: &Scop) -> Scop {
    let mut scop = scop.clone();
    let loops: Vec<(LoopId, polyfold_scop::Span)> = scop.loops().iter().map(|l| (l.id, l.span.clone())).collect();
    let around = |array: &Array| -> Vec<LoopId> {
        let own = |d: &&Declaration| d.inside_scop && d.storage == Storage::Local;
        let Some(declared) = array.declaration.as_ref().filter(own) else { return Vec::new() };
        let at = declared.statement.start;
        loops.iter().filter(|(_, span)| span.contains(&at)).map(|(id, _)| *id).collect()
    };
    let turns: Vec<Vec<LoopId>> = scop.arrays.iter().map(around).collect();
    for (array, turns) in scop.arrays.iter_mut().zip(&turns) {
        array.extents.splice(0..0, turns.iter().map(|_| None));
    }
    for access in scop.statements.iter_mut().flat_map(|statement| &mut statement.accesses) {
        if let Some(subscripts) = &mut access.subscripts {
            subscripts.splice(0..0, turns[access.array.0].iter().map(|id| Expr::Iterator(*id)));
        }
    }
    scop
}

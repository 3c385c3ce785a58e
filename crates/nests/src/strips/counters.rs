//! Where the counters of loops over strips stand.
//!
//! A loop that runs behind others counts what these do: `for j: if (j >= 1) prev[j - 1] = cur[j - 1];`. In a loop of its own it counts the cells that it
//! writes, as it did in the source, with bounds that fit into its type if these do:
//!
//! ```text
//! S: out[j + k] = …       S[j] -> [128 ⌊j/128⌋, group, j + k]
//! ```
//!
//! Invariant: one number is added to all counters of a group, so that its turns keep their order.

use polyfold_flow::constant_difference;
use polyfold_scop::{Access, Expr, Loop, Scop, StatementId};

/// What is added to the dates of a loop's turns in the loop over a strip for some of its statements.
pub(super) fn offset(scop: &Scop, l: &Loop, group: &[StatementId]) -> i64 {
    let mut offsets = group.iter().flat_map(|id| &scop.statement(*id).accesses).filter_map(|a| written_at(a, l));
    let Some(first) = offsets.next().filter(|first| offsets.all(|other| other == *first)) else { return 0 };
    if l.step > 0 { first } else { -first }
}

/// How many cells behind that of the loop's counter a write is; `None`: that is no number.
fn written_at(access: &Access, l: &Loop) -> Option<i64> {
    let counter = Expr::Iterator(l.id);
    let subscripts = access.subscripts.as_deref().filter(|_| access.is_write())?;
    subscripts.iter().find_map(|subscript| constant_difference(subscript, &counter))
}

//! Variables that a turn of a loop may have for itself.
//!
//! ```c
//! double t;                                       for (int i = 0; i < n; i++) {
//! for (int i = 0; i < n; i++) {                     double t = a[i] + 1;
//!   t = a[i] + 1;                                   b[i] = t * t;
//!   b[i] = t * t;                                 }
//! }
//! ```
//!
//! That an array needs one cell is the proof of its mapping. That a new variable in each turn will do is shown with it: each read finds a value of the same turn
//! ([`own_values`](crate::own_values)), of the innermost loop for which that is so.
//!
//! Example: in `for (t…) { s[0] = 0; for (i…) s[i + 1] = s[i] + a[i]; out[t] = s[n]; }` it is the loop over t, though most accesses stand in the one over i. Where loops one behind the
//! other use an array, and none reads what another one wrote, each has its own variable.
//!
//! Turns of parallel loops keep what they have: others may look.

use crate::Placed;
use crate::own_values::{Use, accesses, are_found};
use polyfold_flow::{StatementModel, Write, sure_writes};
use polyfold_isl::{Result, Set};
use polyfold_scop::{Array, ArrayId, LoopId, Scop, StatementId, Storage};
use std::collections::{BTreeMap, BTreeSet};

/// An array of one cell whose values stay in single turns of loops; only [`turn_variables`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnVariable {
    array: ArrayId,
    turns: Vec<Turn>,
}

/// A loop with all that is done in its turns to values which stay in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The loop: a value that one of its turns writes is read in this turn.
    pub of: LoopId,
    /// The next loop inside it that is around all accesses, from turn to turn of which values go on.
    pub inside: Option<LoopId>,
    /// The statements that use the values.
    pub statements: BTreeSet<StatementId>,
}

impl TurnVariable {
    /// Whose cell it is.
    pub fn array(&self) -> ArrayId {
        self.array
    }

    /// The loops, none of them inside another one, that are around all accesses together.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }
}

/// All such arrays, for all parameters in `context`; statements in `gone` do not count.
///
/// # Errors
/// When the work bound is reached.
pub fn turn_variables(
    (scop, statements): (&Scop, &[StatementModel]),
    mapped: &[Placed],
    gone: &[StatementId],
    context: &Set,
) -> Result<Vec<TurnVariable>> {
    let (mut found, sure) = (Vec::new(), sure_writes(scop));
    let search = Search { scop, statements, context, sure };
    let alone = mapped.iter().filter(|place| place.is_one_cell() && place.shared().is_none());
    for array in alone.map(Placed::array).filter(|array| is_plain(scop.array(*array))) {
        let uses: Vec<Use> = accesses(scop, array).into_iter().filter(|(id, _, _)| !gone.contains(id)).collect();
        if uses.iter().all(|(_, _, access)| !access.is_in_call()) {
            found.extend(search.turns(&uses, 0)?.map(|turns| TurnVariable { array, turns }));
        }
    }
    Ok(found)
}

struct Search<'a> {
    scop: &'a Scop,
    statements: &'a [StatementModel],
    context: &'a Set,
    sure: BTreeSet<Write>,
}

impl Search<'_> {
    /// The loops of accesses that have so many loops around them in common; `None`: some values go on from turn to turn.
    fn turns(&self, uses: &[Use], depth: usize) -> Result<Option<Vec<Turn>>> {
        let mut by_loop: BTreeMap<LoopId, Vec<Use>> = BTreeMap::new();
        for used in uses {
            let Some(own) = self.scop.statement(used.0).loops.get(depth) else { return Ok(None) };
            by_loop.entry(*own).or_default().push(*used);
        }
        let mut found = Vec::new();
        for (of, own) in by_loop {
            if self.scop.loops()[of.0].parallel {
                return Ok(None);
            }
            match self.turns(&own, depth + 1)? {
                Some(inner) => found.extend(inner),
                None => match self.turn(&own, of, depth)? {
                    Some(turn) => found.push(turn),
                    None => return Ok(None),
                },
            }
        }
        Ok(Some(found))
    }

    /// The turns of one loop, at a depth, if accesses find their values in them.
    fn turn(&self, uses: &[Use], of: LoopId, depth: usize) -> Result<Option<Turn>> {
        let is_read = uses.iter().any(|(_, _, access)| access.is_read());
        if !is_read || !are_found(uses, depth + 1, &self.sure, self.statements, self.context)? {
            return Ok(None);
        }
        let mut inside = uses.iter().map(|(id, _, _)| self.scop.statement(*id).loops.get(depth + 1).copied());
        let first = inside.next().flatten().filter(|first| inside.all(|own| own == Some(*first)));
        let statements = uses.iter().map(|(id, _, _)| *id).collect();
        Ok(Some(Turn { of, inside: first, statements }))
    }
}

/// Whether an array is a temporary that is declared as an array.
fn is_plain(array: &Array) -> bool {
    let is_declared = array.declaration.as_ref().is_some_and(|d| {
        d.allocation().is_none() && matches!(d.storage, Storage::Local | Storage::StaticLocal | Storage::Global)
    });
    array.is_temporary() && !array.linearised && !array.is_scalar() && is_declared
}

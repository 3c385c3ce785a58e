//! Innermost loops that stay apart, so that they have vectors as before.
//!
//! Innermost loops that stay whole are fused where values pass in one iteration. That is no gain where
//!
//! ```text
//! for x: t[x] = f(in[x])        for x: sum += t[x]                        one of them hands values on: with it the other one has no vectors
//! for y: { for x: a[y][x] = …   for x: … = a[y - 2][x] + a[y][x] }        later iterations over y need all rows: one loop saves no cell, and
//!                                                                         asks in each iteration which y it is
//! ```

use crate::dependence::Dependence;
use crate::fused::Apart;
use crate::level::{Between, Item};
use crate::place::Places;
use polyfold_isl::Result;
use polyfold_scop::{ArrayId, Scop, StatementId};
use std::collections::BTreeSet;

/// Keeps innermost loops that hand values on from iteration to iteration apart from those that do not.
pub(crate) fn part_serial(
    scop: &Scop,
    items: &[Item],
    between: &mut [Between],
    (dependences, places): (&[Dependence], &Places),
) -> Result<()> {
    let serial = items.iter().map(|item| is_serial(scop, item, (dependences, places)));
    let serial = serial.collect::<Result<Vec<bool>>>()?;
    for b in between.iter_mut().filter(|b| are_innermost(items, b) && serial[b.from] != serial[b.to]) {
        b.prevents = Some(Apart::Serial);
    }
    Ok(())
}

/// Whether a loop reads what an earlier iteration of its own wrote: in an array, or in a variable that it does not set first.
fn is_serial(scop: &Scop, item: &Item, (dependences, places): (&[Dependence], &Places)) -> Result<bool> {
    let is_own = |d: &&Dependence| d.is_flow && item.statements.contains(&d.from) && item.statements.contains(&d.to);
    for dependence in dependences.iter().filter(is_own) {
        let is_serial = match dependence.array {
            Some(array) if scop.array(array).is_scalar() => reads_first(scop, &item.statements, array),
            _ => places.range(dependence, &item.place, &item.place)? != (Some(0), Some(0)),
        };
        if is_serial {
            return Ok(true);
        }
    }
    Ok(false)
}

fn reads_first(scop: &Scop, statements: &[StatementId], array: ArrayId) -> bool {
    let mut accesses = statements.iter().flat_map(|id| &scop.statement(*id).accesses).filter(|a| a.array == array);
    accesses.next().is_some_and(|first| first.is_read())
}

/// Keeps innermost loops apart of which one passes nothing to the other that is `worth` it, but what is `lasting`: needed in later iterations of loops
/// around.
pub(crate) fn part_lasting(
    items: &[Item],
    between: &mut [Between],
    worth: impl Fn(ArrayId) -> bool,
    lasting: &BTreeSet<ArrayId>,
) {
    let saves = |b: &&Between| {
        let array = b.dependence.array.filter(|_| b.dependence.is_flow);
        array.is_some_and(|array| worth(array) && !lasting.contains(&array))
    };
    let saved: BTreeSet<(usize, usize)> = between.iter().filter(saves).map(|b| (b.from, b.to)).collect();
    for b in between.iter_mut().filter(|b| are_innermost(items, b) && !saved.contains(&(b.from, b.to))) {
        if b.dependence.is_flow && b.dependence.array.is_some_and(|array| lasting.contains(&array)) {
            b.prevents = Some(Apart::Lasting);
        }
    }
}

/// Whether both are innermost loops, and may be fused.
fn are_innermost(items: &[Item], between: &Between) -> bool {
    between.prevents.is_none() && items[between.from].is_innermost() && items[between.to].is_innermost()
}

//! Loops proved to be apart against runs: no iteration uses a place that another one writes, or none that is as near as is said.

use crate::judge::{Counts, Verdict};
use crate::row::RowHere;
use crate::run::{Run, borrow};
use polyfold::optimize::{Optimized, Outcome};
use polyfold_flow::Model;
use polyfold_prove::{Placed, Storage, apart_loops};
use polyfold_scop::{AccessKind, ArrayId, LoopId};
use std::collections::{BTreeMap, BTreeSet};

/// A buffer and the place in it.
type Place = (ArrayId, Vec<i64>);

/// What the iterations of a loop do, for each place and by the counters around: its own counter, and whether it writes.
type Touched = BTreeMap<(LoopId, Vec<i64>, Place), BTreeSet<(i64, bool)>>;

/// Where arrays live that have one place each.
pub(crate) fn placed(result: &Optimized) -> Vec<Placed> {
    let mapped = result.outcomes.iter().filter_map(|(_, outcome)| match outcome {
        Outcome::Mapped { storage, .. } => Some(storage.place().clone()),
        Outcome::Shared { buffer, member } => Some(result.buffers[*buffer].storage.place(*member).clone()),
        _ => None,
    });
    mapped.collect()
}

/// Judges what is proved of a program with its new storage, arrays of values as they were.
pub(crate) fn judge_apart(model: &Model, result: &Optimized, runs: &[Run], counts: &mut Counts) -> Verdict {
    let mapped = placed(result);
    let (context, restricted) = (&result.proved, &[][..]);
    let storage = Storage { mapped: &mapped, values: Vec::new(), gone: &[], context, restricted, are_distinct: true };
    let proved = apart_loops((model.scop, &model.statements), &storage).map_err(|e| e.to_string())?;
    for run in runs {
        let here = result.proved.at(&borrow(&run.sizes)).map_err(|e| e.to_string())?;
        if here.is_empty().map_err(|e| e.to_string())? {
            continue;
        }
        let met = meeting_loops(model, &mapped, run)?;
        counts.loops_apart += model.scop.loops().iter().filter(|l| proved.has(l.id)).count();
        counts.loops_near_apart += met.keys().filter(|id| proved.safe_distance(**id).is_some()).count();
        counts.loops_that_meet += met.len();
        let is_wrong =
            |id: LoopId, nearest: i64| proved.has(id) || proved.safe_distance(id).is_some_and(|d| nearest < d);
        if let Some((id, nearest)) = met.iter().find(|(id, nearest)| is_wrong(**id, **nearest)) {
            return Err(format!("iterations of loop {id:?} that are {nearest} apart meet at {:?}", run.sizes));
        }
    }
    Ok(())
}

/// The innermost loops of a run of which two iterations touch one place, one of them to write it; by how much the nearest ones differ.
fn meeting_loops(model: &Model, mapped: &[Placed], run: &Run) -> Result<BTreeMap<LoopId, i64>, String> {
    let rows = mapped.iter().map(|place| Ok((place.array(), (place, RowHere::all(place, &run.sizes)?))));
    let rows: BTreeMap<ArrayId, (&Placed, Vec<RowHere>)> = rows.collect::<Result<_, String>>()?;
    let mut touched = Touched::new();
    for operation in &run.trace.operations {
        let Some((id, (own, outer))) =
            model.scop.statement(operation.statement).loops.last().zip(operation.iteration.split_last())
        else {
            continue;
        };
        for event in operation.events.iter().filter(|event| !model.scop.array(event.array).is_scalar()) {
            let place = match rows.get(&event.array) {
                Some((place, _)) if place.is_one_cell() => continue,
                Some((place, rows)) => {
                    let at = rows.iter().map(|row| row.place(&event.cell)).collect();
                    (place.shared().unwrap_or(event.array), at)
                }
                None => (event.array, event.cell.clone()),
            };
            let is_write = event.kind == AccessKind::Write;
            touched.entry((*id, outer.to_vec(), place)).or_default().insert((*own, is_write));
        }
    }
    let mut met = BTreeMap::new();
    for ((id, ..), uses) in touched {
        if let Some(nearest) = nearest(&uses) {
            let known = met.entry(id).or_insert(nearest);
            *known = nearest.min(*known);
        }
    }
    Ok(met)
}

/// How near the iterations are to each other that use a place, one of them to write it.
fn nearest(uses: &BTreeSet<(i64, bool)>) -> Option<i64> {
    let writes = uses.iter().filter(|(_, is_write)| *is_write);
    let others = |own: i64| uses.iter().map(move |(other, _)| (own - other).abs()).filter(|apart| *apart > 0);
    writes.flat_map(|(own, _)| others(*own)).min()
}

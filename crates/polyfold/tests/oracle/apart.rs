//! Loops proved to be apart against runs: no iteration uses a place that another one writes, but by reads that stand in front of
//! what a later one writes.

use super::SEARCH;
use super::judge::{Counts, Verdict, judge};
use super::row::RowHere;
use super::run::{Run, borrow};
use crate::support::parse;
use polyfold_flow::Model;
use polyfold_plan::{Optimized, Outcome};
use polyfold_prove::{Placed, Storage, apart_loops};
use polyfold_scop::{AccessKind, ArrayId, LoopId, Node, StatementId};
use std::collections::BTreeMap;

/// A buffer and the place in it.
type Place = (ArrayId, Vec<i64>);

/// What the iterations of a loop do, for each place and by the counters around, in the order of the run.
type Touched = BTreeMap<(LoopId, Vec<i64>, Place), Vec<Done>>;

/// What is done to a place.
#[derive(Clone, Copy)]
struct Done {
    counter: i64,
    /// The statement, and which of what it does.
    at: (StatementId, usize),
    is_write: bool,
}

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
        counts.loops_apart += model.scop.loops().iter().filter(|l| proved.are_in_order(l.id)).count();
        counts.loops_that_meet += met.len();
        counts.loops_in_order +=
            met.iter().filter(|(id, met)| !met.is_out_of_order && proved.are_in_order(**id)).count();
        let is_wrong = |id: LoopId, met: &Met| met.is_out_of_order && proved.are_in_order(id);
        if let Some((id, met)) = met.iter().find(|(id, met)| is_wrong(**id, met)) {
            return Err(format!("iterations of loop {id:?} that are {} apart meet at {:?}", met.nearest, run.sizes));
        }
    }
    Ok(())
}

/// Iterations of a loop that touch one place, one of them to write it.
struct Met {
    /// By how much the nearest ones differ.
    nearest: i64,
    /// Whether some are not a read and a later iteration's write that stands behind it, or the loop has branches: which of two comes first, nobody says.
    is_out_of_order: bool,
}

/// The innermost loops of a run with such iterations.
fn meeting_loops(model: &Model, mapped: &[Placed], run: &Run) -> Result<BTreeMap<LoopId, Met>, String> {
    let rows = mapped.iter().map(|place| Ok((place.array(), (place, RowHere::all(place, &run.sizes)?))));
    let rows: BTreeMap<ArrayId, (&Placed, Vec<RowHere>)> = rows.collect::<Result<_, String>>()?;
    let mut touched = Touched::new();
    for operation in &run.trace.operations {
        let Some((id, (own, outer))) =
            model.scop.statement(operation.statement).loops.last().zip(operation.iteration.split_last())
        else {
            continue;
        };
        let events = operation.events.iter().enumerate();
        for (k, event) in events.filter(|(_, event)| !model.scop.array(event.array).is_scalar()) {
            let place = match rows.get(&event.array) {
                Some((place, _)) if place.is_one_cell() => continue,
                Some((place, rows)) => {
                    let at = rows.iter().map(|row| row.place(&event.cell)).collect();
                    (place.shared().unwrap_or(event.array), at)
                }
                None => (event.array, event.cell.clone()),
            };
            let is_write = event.kind == AccessKind::Write;
            let done = Done { counter: *own, at: (operation.statement, k), is_write };
            touched.entry((*id, outer.to_vec(), place)).or_default().push(done);
        }
    }
    let mut met: BTreeMap<LoopId, Met> = BTreeMap::new();
    for ((id, ..), uses) in touched {
        let has_branches = model.scop.loops()[id.0].body.iter().any(|node| matches!(node, Node::Guard(_)));
        for (first, second) in pairs(&uses) {
            let known = met.entry(id).or_insert(Met { nearest: i64::MAX, is_out_of_order: has_branches });
            known.nearest = known.nearest.min((first.counter - second.counter).abs());
            known.is_out_of_order |= first.is_write || second.at <= first.at;
        }
    }
    Ok(met)
}

/// What different iterations do to a place, the first one before the second, and one of them to write it.
fn pairs(uses: &[Done]) -> impl Iterator<Item = (&Done, &Done)> {
    let all = uses.iter().enumerate().flat_map(|(k, first)| uses[k + 1..].iter().map(move |second| (first, second)));
    all.filter(|(first, second)| first.counter != second.counter && (first.is_write || second.is_write))
}

/// Halves in place of what they are made of, up and down, and loops whose iterations are in each other's way: from the wrong end, written first, and in branches.
const HALVES: &str = "
void up(unsigned u[16]) {
#pragma scop
  for (int i = 0; i < 8; i++) u[i] = u[2 * i] + u[2 * i + 1];
#pragma endscop
}
void down(unsigned u[16]) {
#pragma scop
  for (int i = 7; i >= 0; i--) u[i + 8] = u[2 * i] + u[2 * i + 1];
#pragma endscop
}
void from_the_end(unsigned u[16]) {
#pragma scop
  for (int i = 7; i >= 0; i--) u[i] = u[2 * i] + u[2 * i + 1];
#pragma endscop
}
void written_first(unsigned u[16], unsigned v[8]) {
#pragma scop
  for (int i = 0; i < 8; i++) {
    u[i] = i;
    v[i] = u[2 * i];
  }
#pragma endscop
}
void read_first(unsigned u[16], unsigned v[8]) {
#pragma scop
  for (int i = 0; i < 8; i++) {
    v[i] = u[2 * i];
    u[i] = i;
  }
#pragma endscop
}
void branches(unsigned c[8], unsigned u[9], unsigned v[8]) {
#pragma scop
  for (int i = 0; i < 8; i++) {
    if (c[i] > 3)
      v[i] = u[i + 1];
    else
      u[i] = i;
  }
#pragma endscop
}
";

#[test]
fn iterations_write_what_earlier_ones_have_read() {
    let found = parse(HALVES).scops.into_iter().map(|scop| {
        let counts = judge(HALVES, &scop, SEARCH).expect("all agree");
        assert!(counts.loops_that_meet > 0, "{}", scop.function);
        (scop.function, counts.loops_in_order > 0)
    });
    let in_order: Vec<String> = found.filter(|(_, is_in_order)| *is_in_order).map(|(name, _)| name).collect();
    assert_eq!(in_order, ["up", "down", "read_first"]);
}

//! Cells that variables stand for against runs: while a turn's statements use one, nothing else touches its place.
//!
//! With one access of a cell taken for another's, the run is to say so: how often it does is counted.

use crate::SEARCH;
use crate::judge::{Counts, Verdict, judge_file, report};
use crate::row::RowHere;
use crate::run::{Run, borrow};
use crate::support::two_threads;
use polyfold::optimize::{Optimized, Outcome};
use polyfold_flow::Model;
use polyfold_prove::{Placed, ScalarCell, Storage, scalar_cells};
use polyfold_replay::{Event, Operation};
use polyfold_scop::{AccessKind, ArrayId, LoopId, Node, StatementId};
use std::collections::{BTreeMap, BTreeSet};

/// A buffer and the place in it.
type Place = (ArrayId, Vec<i64>);

/// What belongs to a cell, by the numbers of statements and of their accesses.
type Own = BTreeSet<(StatementId, usize)>;

/// Judges what is proved of a program with its new storage, arrays of values as they were.
pub(crate) fn judge_scalars(model: &Model, result: &Optimized, runs: &[Run], counts: &mut Counts) -> Verdict {
    let mapped = result.outcomes.iter().filter_map(|(_, outcome)| match outcome {
        Outcome::Mapped { storage, .. } => Some(storage.place().clone()),
        Outcome::Shared { buffer, member } => Some(result.buffers[*buffer].storage.place(*member).clone()),
        _ => None,
    });
    let mapped: Vec<Placed> = mapped.collect();
    let (context, gone) = (&result.proved, &result.dead.statements[..]);
    let storage = Storage { mapped: &mapped, values: Vec::new(), gone, context, restricted: &[], are_distinct: true };
    let cells = scalar_cells((model.scop, &model.statements), &storage).map_err(|e| e.to_string())?;
    for run in runs {
        let here = result.proved.at(&borrow(&run.sizes)).map_err(|e| e.to_string())?;
        if here.is_empty().map_err(|e| e.to_string())? {
            continue;
        }
        let replay = Replay::of(model, &mapped, gone, run)?;
        for cell in &cells {
            let told = |why: String| format!("{cell:?} at {:?}: {why}", run.sizes);
            replay.judge(cell, cell.accesses()).map_err(told)?;
            counts.scalars_replayed += 1;
            for one in cell.accesses() {
                let fewer: Own = cell.accesses().iter().filter(|own| *own != one).copied().collect();
                counts.foreign_accesses_caught += usize::from(replay.judge(cell, &fewer).is_err());
            }
        }
    }
    Ok(())
}

/// A run, and where its cells are.
struct Replay<'a> {
    model: &'a Model<'a>,
    gone: &'a [StatementId],
    run: &'a Run,
    rows: BTreeMap<ArrayId, (&'a Placed, Vec<RowHere>)>,
}

impl<'a> Replay<'a> {
    fn of(
        model: &'a Model<'a>,
        mapped: &'a [Placed],
        gone: &'a [StatementId],
        run: &'a Run,
    ) -> Result<Replay<'a>, String> {
        let rows = mapped.iter().map(|place| Ok((place.array(), (place, RowHere::all(place, &run.sizes)?))));
        Ok(Replay { model, gone, run, rows: rows.collect::<Result<_, String>>()? })
    }

    /// Judges a cell to which some accesses belong.
    fn judge(&self, cell: &ScalarCell, own: &Own) -> Verdict {
        for (turn, operations) in self.turns(cell.turn()) {
            let is_own = |operation: &Operation, event: &Event| own.contains(&(operation.statement, event.access));
            let uses: Vec<(usize, &Event)> = (operations.iter().enumerate())
                .flat_map(|(at, operation)| operation.events.iter().map(move |event| (at, *operation, event)))
                .filter(|(_, operation, event)| is_own(operation, event))
                .map(|(at, _, event)| (at, event))
                .collect();
            let (Some((first, event)), Some((last, _))) = (uses.first(), uses.last()) else {
                return Err(format!("turn {turn:?} does not use the cell"));
            };
            if cell.is_written_first() && event.kind != AccessKind::Write {
                return Err(format!("turn {turn:?} reads the cell first"));
            }
            let place = self.place(event).ok_or("the cell has no place")?;
            if uses.iter().any(|(_, event)| self.place(event).as_ref() != Some(&place)) {
                return Err(format!("turn {turn:?} has several cells"));
            }
            let between = operations[*first..=*last].iter().flat_map(|o| o.events.iter().map(move |e| (*o, e)));
            let mut others = between.filter(|(operation, event)| !is_own(operation, event));
            if let Some((operation, _)) = others.find(|(_, event)| self.place(event).as_ref() == Some(&place)) {
                return Err(format!("turn {turn:?}: statement {:?} touches the cell too", operation.statement));
            }
        }
        Ok(())
    }

    /// The operations that stay in each turn of a loop, by the counters of those around and its own.
    fn turns(&self, id: LoopId) -> BTreeMap<Vec<i64>, Vec<&Operation>> {
        let scop = self.model.scop;
        let loops = scop.loops();
        let body = &loops[id.0].body;
        let is_in = |statement: StatementId| body.iter().any(|node: &Node| node.holds(statement));
        let mut turns: BTreeMap<Vec<i64>, Vec<&Operation>> = BTreeMap::new();
        let all = self.run.trace.operations.iter();
        for operation in all.filter(|o| is_in(o.statement) && !self.gone.contains(&o.statement)) {
            let around = &scop.statement(operation.statement).loops;
            let depth = around.iter().position(|own| *own == id).map_or(0, |at| at + 1);
            turns.entry(operation.iteration[..depth].to_vec()).or_default().push(operation);
        }
        turns
    }

    /// Where an access happens; `None`: not in new storage.
    fn place(&self, event: &Event) -> Option<Place> {
        let (place, rows) = self.rows.get(&event.array)?;
        let at = rows.iter().map(|row| row.place(&event.cell)).collect();
        Some((place.shared().unwrap_or(event.array), at))
    }
}

#[test]
fn sums_are_in_cells_of_their_own() {
    let counts = two_threads::map((0..4).collect(), |batch: u64| {
        let seeds: Vec<u64> = (600 + 6 * batch..606 + 6 * batch).collect();
        judge_file(&polyfold_testgen::sums_file(&seeds), SEARCH)
    });
    let sum = report(counts, 24);
    assert!(sum.scalars_replayed > 5 && sum.foreign_accesses_caught > 5, "{sum:?}");
}

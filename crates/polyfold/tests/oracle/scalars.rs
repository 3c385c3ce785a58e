//! Cells that variables stand for against runs: while a turn's statements use one, nothing else touches its place.
//!
//! With one access of a cell taken for another's, the run is to say so: how often it does is counted.

use super::SEARCH;
use super::apart::placed;
use super::judge::{Counts, Verdict, judge_file, report};
use super::row::RowHere;
use super::run::{Run, borrow};
use crate::support::two_threads;
use polyfold_flow::Model;
use polyfold_plan::Optimized;
use polyfold_prove::{Placed, ScalarCell, Storage, scalar_cells};
use polyfold_replay::{Event, Operation};
use polyfold_scop::{AccessKind, ArrayId, Node, StatementId};
use std::collections::{BTreeMap, BTreeSet};

/// A buffer and the place in it.
type Place = (ArrayId, Vec<i64>);

/// What belongs to a cell, by the numbers of statements and of their accesses.
type Own = BTreeSet<(StatementId, usize)>;

/// What is wrong with a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Complaint {
    /// The access that says which cell it is does not happen in a turn, or not in new storage.
    NotInEachTurn,
    SeveralPlaces,
    ReadFirst,
    /// Something else touches it while a turn's nodes run.
    Foreign,
}

/// Judges what is proved of a program with its new storage, arrays of values as they were.
pub(crate) fn judge_scalars(model: &Model, result: &Optimized, runs: &[Run], counts: &mut Counts) -> Verdict {
    let mapped = placed(result);
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
            let told = |why: Complaint| format!("{cell:?} at {:?}: {why:?}", run.sizes);
            replay.judge(cell, cell.accesses()).map_err(told)?;
            counts.scalars_replayed += 1;
            for one in cell.accesses() {
                let fewer: Own = cell.accesses().iter().filter(|own| *own != one).copied().collect();
                let complaint = replay.judge(cell, &fewer).err();
                counts.foreign_accesses_caught += usize::from(complaint == Some(Complaint::Foreign));
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
    fn judge(&self, cell: &ScalarCell, own: &Own) -> Result<(), Complaint> {
        for operations in self.turns(cell).into_values() {
            let events = || operations.iter().flat_map(|o| o.events.iter().map(move |e| ((o.statement, e.access), e)));
            let (uses, others): (Vec<_>, Vec<_>) = events().partition(|(id, _)| own.contains(id));
            let said = events().find(|(id, _)| *id == cell.in_each_turn()).ok_or(Complaint::NotInEachTurn)?;
            let place = self.place(said.1).ok_or(Complaint::NotInEachTurn)?;
            let is_there = |event: &Event| self.place(event).as_ref() == Some(&place);
            if !uses.iter().all(|(_, event)| is_there(event)) {
                return Err(Complaint::SeveralPlaces);
            }
            if cell.is_written_first() && uses.first().is_some_and(|(_, event)| event.kind != AccessKind::Write) {
                return Err(Complaint::ReadFirst);
            }
            if others.iter().any(|(_, event)| is_there(event)) {
                return Err(Complaint::Foreign);
            }
        }
        Ok(())
    }

    /// The operations that stay in a cell's nodes, for each turn of its loop, by the counters of the loops around and its own.
    fn turns(&self, cell: &ScalarCell) -> BTreeMap<Vec<i64>, Vec<&Operation>> {
        let (scop, id) = (self.model.scop, cell.turn());
        let loops = scop.loops();
        let nodes = &loops[id.0].body[cell.nodes().clone()];
        let is_in = |statement: StatementId| nodes.iter().any(|node: &Node| node.holds(statement));
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
    let counts = two_threads::map((0..2).collect(), |batch: u64| {
        let seeds: Vec<u64> = (600 + 3 * batch..603 + 3 * batch).collect();
        judge_file(&polyfold_testgen::sums_file(&seeds), SEARCH)
    });
    let sum = report(counts, 6);
    assert!(sum.scalars_replayed > 5 && sum.foreign_accesses_caught > 5, "{sum:?}");
}

//! A finished run, as a list of operations and the cells they touched.
//!
//! Time is the number of an operation, from 0. [`START`] stands before all of them and [`Trace::end`] after.
//! START writes every cell that is live-in or read before it is written; END reads every live-out cell. Of an array
//! that crosses the border of the scop only the cells that the run touches are considered.

use std::collections::{BTreeMap, BTreeSet};

use polyfold_scop::{AccessKind, ArrayId, Certainty, LoopId, StatementId};

/// The subscripts of one element, outermost first; empty for a scalar.
pub type Cell = Vec<i64>;

/// The time before the first operation.
pub const START: i64 = -1;

/// One access that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Which of its statement's accesses it is; the first, of several writes of one cell.
    pub access: usize,
    /// The array.
    pub array: ArrayId,
    /// The element.
    pub cell: Cell,
    /// Read or write.
    pub kind: AccessKind,
    /// `May` if the access happened only because data said so.
    pub certainty: Certainty,
}

/// One instance of a statement; its number is its index in [`Trace::operations`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The statement.
    pub statement: StatementId,
    /// The counters of its enclosing loops, outermost first.
    pub iteration: Vec<i64>,
    /// Its accesses: all reads, then all writes, no cell written twice.
    pub events: Vec<Event>,
    /// What it needs once more when all is written: reads through addresses, and what was written through them, which a function may
    /// read as long as it runs.
    pub still: Vec<Event>,
}

impl Operation {
    /// How much time it takes: where something is needed once more, that is a moment of its own.
    fn duration(&self) -> i64 {
        if self.still.is_empty() { 1 } else { 2 }
    }
}

/// One turn of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Of which loop.
    pub of: LoopId,
    /// How many operations were over when it ended.
    pub end: usize,
}

/// One execution of a scop.
#[derive(Clone, Debug)]
pub struct Trace {
    /// In execution order.
    pub operations: Vec<Operation>,
    /// Turns of loops, in the order in which they end; none of a trace in another order.
    pub turns: Vec<Turn>,
    /// How many accesses happened whose subscripts are not affine; they appear nowhere else.
    pub unknown_accesses: usize,
    pub(crate) live_in: BTreeSet<ArrayId>,
    pub(crate) live_out: BTreeSet<ArrayId>,
}

/// When one cell was accessed, START and END included, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    pub(crate) reads: Vec<i64>,
    pub(crate) writes: Vec<i64>,
}

impl Trace {
    /// The time after the last operation. Operations take one unit of time each, those that pass addresses to functions two.
    pub fn end(&self) -> i64 {
        self.operations.iter().map(Operation::duration).sum()
    }

    /// The cells of an array that the run reads before it writes them; a read in the operation of the first write
    /// is one.
    pub fn read_before_written(&self, array: ArrayId) -> BTreeSet<Cell> {
        let histories = self.accesses(array).into_iter();
        histories.filter(|(_, history)| history.is_exposed()).map(|(cell, _)| cell).collect()
    }

    /// All cells of an array that the run touches, with their accesses, START's and END's among them.
    pub(crate) fn histories(&self, array: ArrayId) -> BTreeMap<Cell, History> {
        let mut histories = self.accesses(array);
        for history in histories.values_mut() {
            if self.live_in.contains(&array) || history.is_exposed() {
                history.writes.insert(0, START);
            }
            if self.live_out.contains(&array) {
                history.reads.push(self.end());
            }
        }
        histories
    }

    fn accesses(&self, array: ArrayId) -> BTreeMap<Cell, History> {
        let mut histories: BTreeMap<Cell, History> = BTreeMap::new();
        let mut time = 0;
        for operation in &self.operations {
            for event in operation.events.iter().filter(|e| e.array == array) {
                let history = histories.entry(event.cell.clone()).or_default();
                match event.kind {
                    AccessKind::Read => history.reads.push(time),
                    AccessKind::Write => history.writes.push(time),
                }
            }
            for event in operation.still.iter().filter(|e| e.array == array) {
                histories.entry(event.cell.clone()).or_default().reads.push(time + 1);
            }
            time += operation.duration();
        }
        histories
    }
}

impl History {
    fn is_exposed(&self) -> bool {
        match (self.reads.first(), self.writes.first()) {
            (Some(read), Some(write)) => read <= write,
            (read, _) => read.is_some(),
        }
    }
}

//! The same operations in another order, if that order computes the same.
//!
//! An order is as good as the original one if every read still gets its value from the same write, and the last write
//! of each live-out cell is still the last. Nothing else is asked: operations that share no value may change places
//! even if they use one cell one after the other.
//!
//! Example: of `x = 1; y = x; z = 2;` the last two may be exchanged, the first two may not.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use polyfold_scop::{AccessKind, ArrayId, StatementId};

use crate::trace::{Cell, Trace};

/// A read that would get another value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misordered {
    /// The statement that reads, and its iteration vector; `None`: the end of the scop.
    pub instance: Option<(StatementId, Vec<i64>)>,
    /// What it reads.
    pub cell: (ArrayId, Cell),
}

impl fmt::Display for Misordered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.instance {
            Some((statement, iteration)) => write!(f, "S{} at {iteration:?}", statement.0)?,
            None => write!(f, "the end of the scop")?,
        }
        write!(f, " would read another value of array {} cell {:?}", self.cell.0.0, self.cell.1)
    }
}

impl std::error::Error for Misordered {}

/// The operation that wrote each cell last.
type Writers<'a> = HashMap<(ArrayId, &'a Cell), usize>;

impl Trace {
    /// The trace with its operations sorted by `time`, lexicographically; those at the same time stay in order.
    ///
    /// # Errors
    /// A read that would get another value than in this trace.
    pub fn reordered(&self, time: &dyn Fn(StatementId, &[i64]) -> Vec<i64>) -> Result<Trace, Misordered> {
        let mut order: Vec<usize> = (0..self.operations.len()).collect();
        order.sort_by_cached_key(|at| time(self.operations[*at].statement, &self.operations[*at].iteration));
        let (sources, last) = self.flow(0..self.operations.len());
        let (new_sources, new_last) = self.flow(order.iter().copied());
        for at in &order {
            if let Some(cell) = first_difference(&sources[at], &new_sources[at]) {
                let operation = &self.operations[*at];
                return Err(Misordered { instance: Some((operation.statement, operation.iteration.clone())), cell });
            }
        }
        let outlives: BTreeSet<_> = last.keys().filter(|(array, _)| self.live_out.contains(array)).collect();
        if let Some((array, cell)) = outlives.into_iter().find(|cell| last[cell] != new_last[cell]) {
            return Err(Misordered { instance: None, cell: (*array, (*cell).clone()) });
        }
        let operations = order.into_iter().map(|at| self.operations[at].clone()).collect();
        Ok(Trace { operations, turns: Vec::new(), ..self.clone() })
    }

    /// For each operation the writers of what it reads, in the order of its reads, and the last writers of all cells.
    fn flow(&self, order: impl Iterator<Item = usize>) -> (HashMap<usize, Vec<Source<'_>>>, Writers<'_>) {
        let mut writers: Writers = HashMap::new();
        let mut sources = HashMap::new();
        for at in order {
            let (reads, writes): (Vec<_>, Vec<_>) =
                self.operations[at].events.iter().partition(|e| e.kind == AccessKind::Read);
            let cells = reads.into_iter().map(|e| (e.array, &e.cell));
            sources.insert(at, cells.map(|cell| (cell, writers.get(&cell).copied())).collect());
            writers.extend(writes.into_iter().map(|e| ((e.array, &e.cell), at)));
        }
        (sources, writers)
    }
}

/// A cell that is read, and the operation that wrote it; `None`: START.
type Source<'a> = ((ArrayId, &'a Cell), Option<usize>);

fn first_difference(old: &[Source], new: &[Source]) -> Option<(ArrayId, Cell)> {
    let ((array, cell), _) = old.iter().zip(new).find(|(old, new)| old != new)?.0;
    Some((*array, (*cell).clone()))
}

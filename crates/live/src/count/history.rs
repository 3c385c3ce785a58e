//! The values that cells hold at given sizes, each from its write to its last read.
//!
//! Example: `for (i = 0; i < n; i++) { a[i] = i; b[i] = a[i]; }` at n = 2 gives a[0] two operations, the first and the second, and a[1] the next
//! two.

use super::occupancy::Span;
use super::{CountError, Run, Turns};
use polyfold_scop::{ArrayId, Scop, StatementId};
use std::collections::BTreeMap;

/// What ran at given sizes.
#[derive(Clone, Debug)]
pub struct History {
    /// Operations by their dates, from 1.
    pub operations: BTreeMap<u32, Operation>,
    /// Values of the arrays asked for.
    pub values: Vec<Value>,
}

/// One run of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The statement.
    pub statement: StatementId,
    /// Values of the counters around it, outermost first.
    pub counters: Vec<i64>,
}

/// What one write leaves in a cell, until it is read last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Whose.
    pub array: ArrayId,
    /// In which cell.
    pub cell: Vec<i64>,
    /// The date of its write; 0: it was there before.
    pub written: u32,
    /// The date of its last read; that of its write if nobody reads it.
    pub last_read: u32,
}

impl Value {
    /// The first date at which it no longer needs its cell.
    pub fn until(&self) -> u32 {
        self.last_read.max(self.written + 1)
    }

    /// Whether both need their cells at some date.
    pub fn overlaps(&self, other: &Value) -> bool {
        self.written < other.until() && other.written < self.until()
    }
}

impl History {
    /// The operation that runs at a date, or that reads behind its writes then.
    pub fn operation(&self, date: u32) -> Option<&Operation> {
        self.operations.range(..=date).next_back().map(|(_, operation)| operation)
    }
}

/// Values of `arrays` at sizes as of [`max_live`](super::max_live), with the same bound.
///
/// # Errors
/// See [`CountError`].
pub fn history(scop: &Scop, arrays: &[ArrayId], sizes: &[i64], bound: u64) -> Result<History, CountError> {
    let mut run = Run { turns: Turns::Recorded(BTreeMap::new()), ..Run::new(scop, arrays, sizes, bound)? };
    run.stores = run.stores.into_iter().map(|store| store.listing()).collect();
    run.nodes(&scop.body)?;
    let mut values = Vec::new();
    for (array, store) in arrays.iter().zip(run.stores) {
        let (listed, cell) = store.into_listed();
        let value = |Span { cell: index, written, last_read }: Span| Value {
            array: *array,
            cell: cell(index),
            written,
            last_read,
        };
        values.extend(listed.into_iter().map(value));
    }
    values.sort_by_key(|value| (value.written, value.last_read));
    let Turns::Recorded(operations) = run.turns else { return Err(CountError::NotAffine) };
    Ok(History { operations, values })
}

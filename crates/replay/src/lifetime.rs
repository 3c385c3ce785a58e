//! Values, and how many of them live at once.
//!
//! A value lives in `[w, r)`: from its write to its last read before the cell's next write, where a read in the
//! operation of that next write still belongs to the old value. A value that nobody reads occupies its cell at `w`.
//!
//! Example: in `t = 1; x = t; t = 2;` with times 0, 1, 2 the array `t` has the values `[0, 1)` and the dead `2`.

use std::collections::BTreeMap;

use polyfold_scop::ArrayId;

use crate::trace::{Cell, History, Trace};

/// What one write leaves in one cell.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value {
    /// The cell.
    pub cell: Cell,
    /// The operation that writes it, or [`START`](crate::START).
    pub written: i64,
    /// The last operation that reads it, or [`Trace::end`]; `None`: a dead value.
    pub last_read: Option<i64>,
}

impl Trace {
    /// All values of an array, by cell and then by time.
    pub fn values(&self, array: ArrayId) -> Vec<Value> {
        self.histories(array).iter().flat_map(|(cell, history)| values_of(cell, history)).collect()
    }

    /// The largest number of values of one array that are alive at once.
    ///
    /// Dead values that one operation writes together each count, though they could share. Only START and operations
    /// with several writes can do that; START's values of a temporary are never dead.
    pub fn max_live(&self, array: ArrayId) -> usize {
        self.max_live_all(&[array])
    }

    /// The largest number of values of all these arrays together that are alive at once.
    pub fn max_live_all(&self, arrays: &[ArrayId]) -> usize {
        let mut changes: BTreeMap<i64, i64> = BTreeMap::new();
        for value in arrays.iter().flat_map(|array| self.values(*array)) {
            *changes.entry(value.written).or_default() += 1;
            *changes.entry(value.last_read.unwrap_or(value.written + 1)).or_default() -= 1;
        }
        let live = changes.values().scan(0, |live, change| {
            *live += change;
            Some(*live)
        });
        live.max().unwrap_or(0) as usize
    }
}

fn values_of(cell: &Cell, history: &History) -> Vec<Value> {
    let next_writes = history.writes.iter().skip(1).copied().chain([i64::MAX]);
    let pairs = history.writes.iter().copied().zip(next_writes);
    let value = |(written, next)| {
        let own = history.reads.iter().copied().filter(|read| written < *read && *read <= next);
        Value { cell: cell.clone(), written, last_read: own.max() }
    };
    pairs.map(value).collect()
}

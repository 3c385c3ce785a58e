//! When the cells of one array are occupied.
//!
//! A value occupies its cell at every moment t with `w <= t < r`, and a value that nobody reads at `t = w` only.
//! Each cell remembers its pending value's write and last read; when the value ends, its interval is entered into a
//! list of changes by date. The largest prefix sum of the changes is the largest number of occupied cells.
//!
//! A write that may not happen belongs to the value before it: if either is read later, the cell is occupied all the
//! while; if neither is, the write still needs its cell at its own moment.

use super::CountError;
use std::collections::HashMap;

/// The value that a cell holds.
#[derive(Clone, Copy)]
struct Pending {
    written: u32,
    last_read: u32,
}

/// Cells and intervals of one array.
pub(super) struct Store {
    extents: Vec<i64>,
    cells: Vec<Option<Pending>>,
    /// By cell: writes that may have happened, since its last read.
    unread: HashMap<usize, Vec<u32>>,
    changes: Vec<Change>,
    /// Of each value its cell, its write and its last read, if they are to be listed.
    listed: Option<Vec<Span>>,
}

/// A value: its cell, the date of its write, and that of its last read, or of its write if nobody reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) cell: usize,
    pub(super) written: u32,
    pub(super) last_read: u32,
}

/// A date and the change in the number of occupied cells at it.
pub(super) type Change = (u32, i32);

impl Store {
    /// An array without values.
    pub(super) fn new(extents: Vec<i64>, cells: usize) -> Store {
        Store { extents, cells: vec![None; cells], unread: HashMap::new(), changes: Vec::new(), listed: None }
    }

    /// The same, which lists values.
    pub(super) fn listing(self) -> Store {
        Store { listed: Some(Vec::new()), ..self }
    }

    /// All values in the order of their ends, and the coordinates of a cell.
    pub(super) fn into_listed(mut self) -> (Vec<Span>, impl Fn(usize) -> Vec<i64>) {
        for cell in 0..self.cells.len() {
            self.end(cell);
        }
        let extents = self.extents;
        let cell = move |index: usize| {
            let mut rest = index as i64;
            let mut cell: Vec<i64> = extents
                .iter()
                .rev()
                .map(|extent| {
                    let at = rest % extent;
                    rest /= extent;
                    at
                })
                .collect();
            cell.reverse();
            cell
        };
        (self.listed.unwrap_or_default(), cell)
    }

    /// The place of a cell.
    pub(super) fn index(&self, cell: impl Iterator<Item = i64>) -> Result<usize, CountError> {
        let mut index = 0;
        for (c, extent) in cell.zip(&self.extents) {
            if c < 0 || c >= *extent {
                return Err(CountError::OutOfBounds);
            }
            index = index * extent + c;
        }
        Ok(index as usize)
    }

    pub(super) fn read(&mut self, cell: usize, date: u32) {
        let pending = self.cells[cell].get_or_insert(Pending { written: 0, last_read: 0 });
        pending.last_read = pending.last_read.max(date);
        self.take_unread(cell);
    }

    /// Several writes at one date are one.
    pub(super) fn write(&mut self, cell: usize, date: u32) {
        if self.cells[cell].is_some_and(|pending| pending.written == date) {
            return;
        }
        self.end(cell);
        self.cells[cell] = Some(Pending { written: date, last_read: date });
    }

    pub(super) fn may_write(&mut self, cell: usize, date: u32) {
        match self.cells[cell] {
            None => self.cells[cell] = Some(Pending { written: date, last_read: date }),
            Some(_) => self.unread.entry(cell).or_default().push(date),
        }
    }

    /// All changes, in any order.
    pub(super) fn into_changes(mut self) -> Vec<Change> {
        for cell in 0..self.cells.len() {
            self.end(cell);
        }
        self.changes
    }

    fn end(&mut self, cell: usize) {
        let Some(pending) = self.cells[cell].take() else { return };
        self.occupied(pending.written, pending.last_read);
        let value = Span { cell, written: pending.written, last_read: pending.last_read };
        self.listed.iter_mut().for_each(|listed| listed.push(value));
        let until = pending.last_read.max(pending.written + 1);
        for date in self.take_unread(cell).into_iter().filter(|date| *date >= until) {
            self.occupied(date, date);
        }
    }

    /// Hashing a cell costs more than all else that is done with it, and most programs have no such writes.
    fn take_unread(&mut self, cell: usize) -> Vec<u32> {
        if self.unread.is_empty() { Vec::new() } else { self.unread.remove(&cell).unwrap_or_default() }
    }

    fn occupied(&mut self, from: u32, until: u32) {
        self.changes.push((from, 1));
        self.changes.push((until.max(from + 1), -1));
    }
}

/// The largest prefix sum of the changes of some arrays by date, and the first date at which it is reached; all are before `end`. A value
/// that ends at t is no longer there for one that begins at t.
///
/// Many changes are summed up by date: to sort them would take longer.
pub(super) fn peak(arrays: &[Vec<Change>], end: u32) -> (u32, u64) {
    if arrays.iter().map(Vec::len).sum::<usize>() >= end as usize / FEW_CHANGES {
        return highest((0..end).zip(by_date(arrays, end)));
    }
    let mut changes: Vec<Change> = arrays.concat();
    changes.sort_unstable();
    highest(changes.into_iter())
}

/// Sorting takes some so many times as long for a change as summing up takes for a date.
const FEW_CHANGES: usize = 16;

fn by_date(arrays: &[Vec<Change>], end: u32) -> Vec<i32> {
    let mut sums = vec![0i32; end as usize];
    arrays.iter().flatten().for_each(|(at, change)| sums[*at as usize] += change);
    sums
}

/// The largest sum of changes in the order of their dates, and its first date.
fn highest(changes: impl Iterator<Item = Change>) -> (u32, u64) {
    let (mut now, mut date, mut most) = (0i64, 0, 0i64);
    for (at, change) in changes {
        now += i64::from(change);
        if now > most {
            (date, most) = (at, now);
        }
    }
    (date, most as u64)
}

/// Cells that are occupied at a date.
pub(super) fn occupied_at(date: u32, changes: &[Change]) -> u64 {
    let until = changes.iter().filter(|(at, _)| *at <= date);
    until.map(|(_, change)| i64::from(*change)).sum::<i64>() as u64
}

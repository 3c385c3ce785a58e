//! Runs a trace on contracted memory and looks whether every read finds its value.
//!
//! There is no notion of lifetime or conflict here: each write gets a number, the original memory knows which write
//! each cell holds, the contracted memory which write each slot holds, and every read compares the two. A slot may belong to
//! a cell once and for all, or be said by each access anew.

use std::collections::{HashMap, HashSet};
use std::fmt;

use polyfold_scop::{AccessKind, ArrayId, LoopId, StatementId};

use crate::trace::{Cell, Event, Operation, Trace};

/// A read that did not find its value in its slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clobber {
    /// The operation that reads; [`Trace::end`] for a value that should have outlived the scop.
    pub operation: i64,
    /// Its statement and iteration vector; `None` at the end.
    pub instance: Option<(StatementId, Vec<i64>)>,
    /// What it wanted to read.
    pub wanted: (ArrayId, Cell),
    /// Whose value was there; `None`: nobody's.
    pub found: Option<(ArrayId, Cell)>,
}

impl fmt::Display for Clobber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Clobber { operation, instance, wanted, found } = self;
        match instance {
            Some((statement, iteration)) => write!(f, "operation {operation} (S{} at {iteration:?})", statement.0)?,
            None => write!(f, "the end of the scop")?,
        }
        write!(f, " wants array {} cell {:?}, ", wanted.0.0, wanted.1)?;
        match found {
            Some((array, cell)) => write!(f, "overwritten by array {} cell {cell:?}", array.0),
            None => write!(f, "where nothing was written"),
        }
    }
}

impl std::error::Error for Clobber {}

/// Where a cell or value lives: a buffer, and a place in it.
pub type Slot = (usize, Vec<i64>);

/// What an access touches in contracted memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// Memory that is not replayed.
    Elsewhere,
    /// No memory: nobody reads what is written.
    Nowhere,
    /// A slot.
    At(Slot),
}

/// Replays the accesses to one array under a mapping of its cells; the number of distinct slots it used.
///
/// # Errors
/// The first read that does not find its value.
pub fn replay_mapping(trace: &Trace, array: ArrayId, map: &dyn Fn(&[i64]) -> Vec<i64>) -> Result<usize, Clobber> {
    replay_shared(trace, &|other, cell| (other == array).then(|| (0, map(cell))))
}

/// Replays the accesses to all arrays that `map` places in some buffer; the number of distinct slots they used.
///
/// # Errors
/// The first read that does not find its value.
pub fn replay_shared(trace: &Trace, map: &dyn Fn(ArrayId, &[i64]) -> Option<Slot>) -> Result<usize, Clobber> {
    let home = |array, cell: &[i64]| map(array, cell).map_or(Home::Elsewhere, Home::At);
    let mut memory = Memory::default();
    let touched = touched(trace);
    for (array, cell) in written_at_start(trace, &touched) {
        memory.write(array, cell, home(array, cell));
    }
    memory.run(trace, &|_, event| home(event.array, &event.cell))?;
    for (array, cell) in touched.into_iter().filter(|(array, _)| trace.live_out.contains(array)) {
        let wanted = (array, cell.clone());
        memory.read(array, cell, home(array, cell)).map_err(|found| Clobber {
            operation: trace.end(),
            instance: None,
            wanted,
            found,
        })?;
    }
    Ok(memory.writer_of_slot.len())
}

/// Replays accesses that each say where their value lives; the number of distinct slots they used. Nothing is there before the
/// first operation, and nothing is asked after the last.
///
/// # Errors
/// The first read that does not find its value.
pub fn replay_values(trace: &Trace, home: &dyn Fn(&Operation, &Event) -> Home) -> Result<usize, Clobber> {
    let mut memory = Memory::default();
    memory.run(trace, home)?;
    Ok(memory.writer_of_slot.len())
}

/// Replays accesses that each say where their value lives, in memory whose slots get what is in others at the end of a loop's turns: `moves` says
/// which, first the slot that gets it, in the order in which that happens. Nothing is there before the first operation, and nothing is asked after the last.
///
/// # Errors
/// The first read that does not find its value.
pub fn replay_moving(
    trace: &Trace,
    home: &dyn Fn(&Operation, &Event) -> Home,
    moves: &dyn Fn(LoopId) -> Vec<(Slot, Slot)>,
) -> Result<(), Clobber> {
    let (mut memory, mut turns) = (Memory::default(), trace.turns.iter().peekable());
    for (time, operation) in trace.operations.iter().enumerate() {
        while let Some(turn) = turns.next_if(|turn| turn.end <= time) {
            moves(turn.of).into_iter().for_each(|(to, from)| memory.copy(to, &from));
        }
        memory.operation(time, operation, home)?;
    }
    Ok(())
}

/// Every cell of the run, in order of its first access.
fn touched(trace: &Trace) -> Vec<(ArrayId, &Cell)> {
    let mut seen = HashSet::new();
    let events = trace.operations.iter().flat_map(|operation| &operation.events);
    events.map(|event| (event.array, &event.cell)).filter(|access| seen.insert(*access)).collect()
}

/// First what the run needs, then what it overwrites unseen: the order that hides no clobber.
fn written_at_start<'a>(trace: &Trace, touched: &[(ArrayId, &'a Cell)]) -> Vec<(ArrayId, &'a Cell)> {
    let mut written = HashSet::new();
    let mut exposed = HashSet::new();
    for event in trace.operations.iter().flat_map(|operation| &operation.events) {
        let access = (event.array, &event.cell);
        if event.kind == AccessKind::Write {
            written.insert(access);
        } else if !written.contains(&access) {
            exposed.insert(access);
        }
    }
    let (needed, other): (Vec<_>, Vec<_>) = touched.iter().copied().partition(|access| exposed.contains(access));
    needed.into_iter().chain(other.into_iter().filter(|(array, _)| trace.live_in.contains(array))).collect()
}

#[derive(Default)]
struct Memory {
    writer_of_cell: HashMap<(ArrayId, Cell), usize>,
    writer_of_slot: HashMap<Slot, usize>,
    /// The cell that each write wrote.
    writes: Vec<(ArrayId, Cell)>,
}

impl Memory {
    fn run(&mut self, trace: &Trace, home: &dyn Fn(&Operation, &Event) -> Home) -> Result<(), Clobber> {
        trace.operations.iter().enumerate().try_for_each(|(time, operation)| self.operation(time, operation, home))
    }

    fn operation(
        &mut self,
        time: usize,
        operation: &Operation,
        home: &dyn Fn(&Operation, &Event) -> Home,
    ) -> Result<(), Clobber> {
        for event in &operation.events {
            match event.kind {
                AccessKind::Write => self.write(event.array, &event.cell, home(operation, event)),
                AccessKind::Read => self.needs(event, home(operation, event), (time, operation))?,
            }
        }
        for event in &operation.still {
            self.needs(event, home(operation, event), (time, operation))?;
        }
        Ok(())
    }

    fn copy(&mut self, to: Slot, from: &Slot) {
        match self.writer_of_slot.get(from).copied() {
            Some(write) => self.writer_of_slot.insert(to, write),
            None => self.writer_of_slot.remove(&to),
        };
    }

    fn needs(&self, event: &Event, home: Home, (time, operation): (usize, &Operation)) -> Result<(), Clobber> {
        self.read(event.array, &event.cell, home).map_err(|found| Clobber {
            operation: time as i64,
            instance: Some((operation.statement, operation.iteration.clone())),
            wanted: (event.array, event.cell.clone()),
            found,
        })
    }

    fn write(&mut self, array: ArrayId, cell: &Cell, home: Home) {
        if home == Home::Elsewhere {
            return;
        }
        self.writer_of_cell.insert((array, cell.clone()), self.writes.len());
        if let Home::At(slot) = home {
            self.writer_of_slot.insert(slot, self.writes.len());
        }
        self.writes.push((array, cell.clone()));
    }

    /// The cell whose value is there instead, if the wanted value is not.
    fn read(&self, array: ArrayId, cell: &Cell, home: Home) -> Result<(), Option<(ArrayId, Cell)>> {
        let found = match home {
            Home::Elsewhere => return Ok(()),
            Home::Nowhere => None,
            Home::At(slot) => self.writer_of_slot.get(&slot),
        };
        let wanted = self.writer_of_cell.get(&(array, cell.clone()));
        match found {
            Some(_) if found == wanted => Ok(()),
            _ => Err(found.map(|write| self.writes[*write].clone())),
        }
    }
}

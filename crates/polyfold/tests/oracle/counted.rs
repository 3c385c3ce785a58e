//! Where a row of storage has a value that is counted from multiples of counters, as the generated code does it.

use polyfold_prove::{Origin, Row};
use polyfold_replay::{Event, Operation};
use polyfold_scop::{AccessKind, LoopId, Scop};

/// A row, and from where it is counted.
pub(crate) struct Counted<'a> {
    pub(crate) row: &'a Row,
    pub(crate) origin: &'a Origin,
    pub(crate) cells: i64,
}

impl Counted<'_> {
    /// The place of an event's cell, with reads so many places further up; `None`: it has none.
    pub(crate) fn place(&self, scop: &Scop, (operation, event): (&Operation, &Event), beside: i64) -> Option<i64> {
        let loops = &scop.statement(operation.statement).loops;
        let counter = |id: &LoopId| loops.iter().position(|own| own == id).map(|level| operation.iteration[level]);
        let begin = self.origin.terms().iter().map(|(id, factor)| Some(factor * counter(id)?)).sum::<Option<i64>>()?;
        let v: i64 = self.row.coefficients.iter().zip(&event.cell).map(|(factor, x)| factor * x).sum();
        let v = if self.origin.is_turned() { -v } else { v };
        let by = if event.kind == AccessKind::Read { beside } else { 0 };
        Some(v - begin - self.origin.lowest() + by).filter(|place| (0..self.cells + by).contains(place))
    }
}

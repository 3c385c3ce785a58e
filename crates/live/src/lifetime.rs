//! The accesses that decide an array's lifetimes.
//!
//! A cell that may be read before it is written holds something from before the scop, and keeps it: a write at START,
//! before every date of the program, stands for that.
//!
//! Dates are shortened to the dimensions in which the accesses of this array differ.

use crate::order::{Order, compose};
use polyfold_flow::{Accesses, Model};
use polyfold_isl::{Map, Result};
use polyfold_scop::ArrayId;

/// One array's reads and writes, with START's.
#[derive(Clone, Debug)]
pub struct Lifetimes {
    accesses: Accesses,
    exposed: Option<Map>,
    unordered: Option<Map>,
}

impl Lifetimes {
    /// Of one array of a model.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn of(model: &Model, array: ArrayId) -> Result<Lifetimes> {
        let mut accesses = model.accesses(array).clone();
        let mut dimensions = model.date_dimensions;
        if model.unordered.is_none() {
            dimensions = shorten(&mut accesses, dimensions)?;
        }
        let exposed = read_before_written(&accesses, accesses.must_writes.as_ref())?;
        if let Some(exposed) = &exposed {
            accesses = with_start(&accesses, exposed, dimensions)?;
        }
        Ok(Lifetimes { accesses, exposed, unordered: model.unordered.clone() })
    }

    /// Reads and writes, with a certain write at START of each cell that may be read before it is written.
    pub fn accesses(&self) -> &Accesses {
        &self.accesses
    }

    /// `{ cell -> date }`: reads that may come before every certain write of their cell; `None`: there are none.
    pub fn exposed(&self) -> Option<&Map> {
        self.exposed.as_ref()
    }

    /// `{ cell -> date }`: reads that come before every write of their cell, certain or not; `None`: there are none.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn surely_exposed(&self, model: &Model, array: ArrayId) -> Result<Option<Map>> {
        let accesses = model.accesses(array);
        match &accesses.may_writes {
            None => Ok(self.exposed.clone()),
            Some(_) => read_before_written(accesses, accesses.writes()?.as_ref()),
        }
    }

    /// Pairs of dates that may run in either order.
    pub(crate) fn unordered(&self) -> Option<&Map> {
        self.unordered.as_ref()
    }
}

/// Removes dimensions of dates that have the same value in all accesses, except the first; the number that is left.
fn shorten(accesses: &mut Accesses, dimensions: usize) -> Result<usize> {
    let mut left = dimensions;
    for dimension in (1..dimensions).rev() {
        let relations = [&accesses.reads, &accesses.must_writes, &accesses.may_writes];
        let values = relations.into_iter().flatten().map(|r| r.fixed_in_domain(dimension));
        let values = values.collect::<Result<Vec<_>>>()?;
        if values.iter().all(|v| v.is_some() && *v == values[0]) {
            let relations = [&mut accesses.reads, &mut accesses.must_writes, &mut accesses.may_writes];
            for relation in relations.into_iter().flatten() {
                *relation = relation.project_out_of_domain(dimension)?;
            }
            left -= 1;
        }
    }
    Ok(left)
}

/// `{ cell -> date }` of reads with no earlier write in `writes`.
fn read_before_written(accesses: &Accesses, writes: Option<&Map>) -> Result<Option<Map>> {
    let Some(reads) = &accesses.reads else { return Ok(None) };
    let reads = reads.reverse()?;
    let exposed = match writes {
        None => reads,
        Some(writes) => reads.subtract(&compose(&writes.reverse()?, Order::Before)?)?,
    };
    Ok(if exposed.is_empty()? { None } else { Some(exposed.coalesce()?) })
}

fn with_start(accesses: &Accesses, exposed: &Map, date_dimensions: usize) -> Result<Accesses> {
    let any: Vec<String> = (0..date_dimensions).map(|k| format!("x{k}")).collect();
    let start: Vec<&str> = (0..date_dimensions).map(|k| if k == 0 { "-1" } else { "0" }).collect();
    let to_start = format!("{{ [{}] -> [{}] }}", any.join(", "), start.join(", "));
    let at_start = exposed.apply_range(&Map::read(exposed.context(), &to_start)?)?.reverse()?;
    let must_writes = match &accesses.must_writes {
        None => at_start,
        Some(writes) => writes.union(&at_start)?,
    };
    Ok(Accesses { must_writes: Some(must_writes), ..accesses.clone() })
}

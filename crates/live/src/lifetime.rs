//! The accesses that decide an array's lifetimes.
//!
//! A cell that may be read before it is written holds something from before the scop, and keeps it: a write at START,
//! before every date of the program, stands for that.

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
        let accesses = model.accesses(array);
        let exposed = read_before_written(accesses, accesses.must_writes.as_ref())?;
        let accesses = match &exposed {
            None => accesses.clone(),
            Some(exposed) => with_start(accesses, exposed, model.date_dimensions)?,
        };
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

/// `{ cell -> date }` of reads with no earlier write in `writes`.
fn read_before_written(accesses: &Accesses, writes: Option<&Map>) -> Result<Option<Map>> {
    let Some(reads) = &accesses.reads else { return Ok(None) };
    let reads = reads.reverse()?;
    let exposed = match writes {
        None => reads,
        Some(writes) => {
            let dates = reads.range()?;
            let later = Map::lex_lt(&dates)?.intersect_range(&dates)?;
            reads.subtract(&writes.reverse()?.apply_range(&later)?)?
        }
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

//! What an array's cells go through: writes, reads, and the value each read gets.
//!
//! All relations go from dates to cells, `{ [date] -> A[cell] }`. Because a date names one operation, nothing
//! is lost against relations from statement instances.
//!
//! Paper: Bee §3.1 (first writes, last reads); Feautrier 1991 (dataflow).

use polyfold_isl::{Map, Result, Set};
use polyfold_scop::Access;

/// Reads and writes of one array.
#[derive(Clone, Debug)]
pub struct Accesses {
    /// Everything that may be read; `None`: nothing is.
    pub reads: Option<Map>,
    /// Writes that surely happen and cover their cell.
    pub must_writes: Option<Map>,
    /// Writes that may happen, or change a part of their cell.
    pub may_writes: Option<Map>,
}

impl Accesses {
    pub(crate) fn none() -> Accesses {
        Accesses { reads: None, must_writes: None, may_writes: None }
    }

    pub(crate) fn add(&mut self, relation: &Map, access: &Access, certain: bool) -> Result<()> {
        let into = match (access.is_read(), certain) {
            (true, _) => &mut self.reads,
            (false, true) => &mut self.must_writes,
            (false, false) => &mut self.may_writes,
        };
        *into = union(into.take(), Some(relation.clone()))?;
        Ok(())
    }

    pub(crate) fn coalesce(&mut self) -> Result<()> {
        for relation in [&mut self.reads, &mut self.must_writes, &mut self.may_writes].into_iter().flatten() {
            *relation = relation.coalesce()?;
        }
        Ok(())
    }

    pub(crate) fn intersect_params(&self, context: &Set) -> Result<Accesses> {
        let restrict = |relation: &Option<Map>| match relation {
            None => Ok(None),
            Some(relation) => {
                let relation = relation.intersect_params(context)?;
                Ok(if relation.is_empty()? { None } else { Some(relation) })
            }
        };
        Ok(Accesses {
            reads: restrict(&self.reads)?,
            must_writes: restrict(&self.must_writes)?,
            may_writes: restrict(&self.may_writes)?,
        })
    }

    /// All writes, certain or not.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn writes(&self) -> Result<Option<Map>> {
        union(self.must_writes.clone(), self.may_writes.clone())
    }

    /// All cells that may be touched.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn cells(&self) -> Result<Option<Set>> {
        Ok(match union(self.writes()?, self.reads.clone())? {
            None => None,
            Some(all) => Some(all.range()?.coalesce()?),
        })
    }
}

fn union(a: Option<Map>, b: Option<Map>) -> Result<Option<Map>> {
    Ok(match (a, b) {
        (Some(a), Some(b)) => Some(a.union(&b)?),
        (a, b) => a.or(b),
    })
}

/// Which values reach which reads.
#[derive(Clone, Debug)]
pub struct Dataflow {
    /// `{ write date -> [read date -> cell] }`; exact where all writes are certain, else too large.
    pub dependences: Option<Map>,
    /// `{ read date -> cell }`: reads that may get a value from before the scop.
    pub exposed: Option<Map>,
}

/// The dataflow of one array.
///
/// # Errors
/// When the work bound is reached.
pub fn dataflow(accesses: &Accesses) -> Result<Dataflow> {
    let Some(reads) = &accesses.reads else {
        return Ok(Dataflow { dependences: None, exposed: None });
    };
    let Some(writes) = accesses.writes()? else {
        return Ok(Dataflow { dependences: None, exposed: Some(reads.clone()) });
    };
    let must = match &accesses.must_writes {
        Some(must) => must.clone(),
        None => writes.subtract(&writes)?,
    };
    let flow = polyfold_isl::dataflow(reads, &must, accesses.may_writes.as_ref())?;
    Ok(Dataflow { dependences: flow.dependences, exposed: flow.without_source })
}

/// `{ cell -> date }`: the first write of each cell ("FW" in Bee §3.1.1).
///
/// # Errors
/// When the work bound is reached.
pub fn first_writes(accesses: &Accesses) -> Result<Option<Map>> {
    Ok(match accesses.writes()? {
        None => None,
        Some(writes) => Some(writes.reverse()?.lexmin()?.coalesce()?),
    })
}

/// `{ cell -> date }`: the last read of each cell ("LR" in Bee §3.1.2).
///
/// # Errors
/// When the work bound is reached.
pub fn last_reads(accesses: &Accesses) -> Result<Option<Map>> {
    Ok(match &accesses.reads {
        None => None,
        Some(reads) => Some(reads.reverse()?.lexmax()?.coalesce()?),
    })
}

//! What an array's cells go through: writes, reads, and the value each read gets.
//!
//! All relations go from dates to cells, `{ [date] -> A[cell] }`. Because a date names one operation, nothing
//! is lost against relations from statement instances. They are kept apart by statement, since relations of different
//! statements rarely merge into a simpler one.
//!
//! What a function writes through an address that it got is in use until the operation ends, at a date of its own behind that of the
//! writes. So is what it reads through one: such a read stands at both dates, since it may come before other writes of the operation
//! or behind them.
//!
//! Paper: Bee §3.1 (first writes, last reads); Feautrier 1991 (dataflow).

use polyfold_isl::{Map, Result, Set};

/// Reads and writes of one array; each list holds one relation per statement, none of them empty.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    /// Everything that may be read.
    pub reads: Vec<Map>,
    /// Writes that surely happen and cover their cell.
    pub must_writes: Vec<Map>,
    /// Writes that may happen, or change a part of their cell.
    pub may_writes: Vec<Map>,
    /// Cells that are written through an address, at the end of the same operation: they have to keep their values up to there,
    /// whether or not anybody reads them. These are no reads: a cell that may not have been written is not needed here.
    pub held: Vec<Map>,
}

impl Accesses {
    /// The same accesses with every relation replaced; relations that become empty go.
    ///
    /// # Errors
    /// When the work bound is reached, or `change` fails.
    pub fn map(&self, change: impl Fn(&Map) -> Result<Map>) -> Result<Accesses> {
        let all = |relations: &[Map]| {
            let mut changed = Vec::new();
            for relation in relations {
                let relation = change(relation)?;
                if !relation.is_empty()? {
                    changed.push(relation);
                }
            }
            Ok(changed)
        };
        Ok(Accesses {
            reads: all(&self.reads)?,
            must_writes: all(&self.must_writes)?,
            may_writes: all(&self.may_writes)?,
            held: all(&self.held)?,
        })
    }

    /// All relations.
    pub fn all(&self) -> impl Iterator<Item = &Map> {
        self.reads.iter().chain(self.writes())
    }

    /// Everything that needs what a cell holds: reads, and the ends of operations that write it through an address.
    pub fn uses(&self) -> impl Iterator<Item = &Map> {
        self.reads.iter().chain(&self.held)
    }

    /// All writes, certain or not.
    pub fn writes(&self) -> impl Iterator<Item = &Map> {
        self.must_writes.iter().chain(&self.may_writes)
    }

    /// All cells that may be touched; `None`: there are none.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn cells(&self) -> Result<Option<Set>> {
        Ok(match union(self.all())? {
            None => None,
            Some(all) => Some(all.range()?.coalesce()?),
        })
    }
}

/// The union of relations between the same spaces; `None` for none.
///
/// # Errors
/// When the spaces do not match.
pub fn union<'a>(relations: impl IntoIterator<Item = &'a Map>) -> Result<Option<Map>> {
    let mut all: Option<Map> = None;
    for relation in relations {
        all = Some(match all {
            None => relation.clone(),
            Some(others) => others.union(relation)?,
        });
    }
    Ok(all)
}

/// Which values reach which reads, as `{ write date -> [read date -> cell] }`; exact where all writes are certain, else
/// too large. `None`: no read gets its value from a write.
///
/// # Errors
/// When the work bound is reached.
pub fn dataflow(accesses: &Accesses) -> Result<Option<Map>> {
    polyfold_isl::dataflow(&accesses.reads, &accesses.must_writes, &accesses.may_writes)
}

/// `{ cell -> date }`: the first write of each cell ("FW" in Bee §3.1.1).
///
/// # Errors
/// When the work bound is reached.
pub fn first_writes(accesses: &Accesses) -> Result<Option<Map>> {
    Ok(match union(accesses.writes())? {
        None => None,
        Some(writes) => Some(writes.reverse()?.lexmin()?.coalesce()?),
    })
}

/// `{ cell -> date }`: the last read of each cell ("LR" in Bee §3.1.2).
///
/// # Errors
/// When the work bound is reached.
pub fn last_reads(accesses: &Accesses) -> Result<Option<Map>> {
    Ok(match union(&accesses.reads)? {
        None => None,
        Some(reads) => Some(reads.reverse()?.lexmax()?.coalesce()?),
    })
}

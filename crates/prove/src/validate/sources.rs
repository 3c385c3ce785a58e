//! Where reads get their values from, looked through copies.
//!
//! ```text
//! S0: W[0] = …;  copy B[0 : 1] = W[0 : 1];  S1: … = B[0];        S1 reads what S0 wrote
//! ```
//!
//! The source of a read is the last write of its cell in front of it, exactly. If that is a copy, it
//! is the source of what was copied, and so on, for a bounded number of copies.

use super::operations::{Access, Operation, Slot};
use super::relations::Relations;
use super::{Obligation, Stop};
use polyfold_isl::{Map, Set, dataflow};
use polyfold_program::{BufferId, Program};

type Outcome<T> = std::result::Result<T, Stop>;

/// A value that went through more copies than these is not followed.
const MOST_COPIES: usize = 12;

/// Of some reads.
pub(super) struct Sources {
    /// `read -> write`, by dates; no write is a copy.
    pub(super) written: Map,
    /// `read -> cell`, by buffer: what the cell held before the program ran.
    pub(super) first: Vec<Map>,
}

/// The writes of a program.
pub(super) struct Writes<'a> {
    relations: &'a Relations<'a>,
    program: &'a Program,
    /// `write -> cell`, by buffer.
    writes: Vec<Map>,
    /// `write -> read` of copied cells.
    copies: Map,
    /// Of the reads of copied cells.
    copied: Sources,
}

impl<'a> Writes<'a> {
    pub(super) fn of(relations: &'a Relations, program: &'a Program, operations: &[Operation]) -> Outcome<Writes<'a>> {
        let all = |id: usize| operations.iter().flat_map(|own| &own.writes).filter(move |w| w.buffer.0 == id);
        let writes = (0..program.buffers.len())
            .map(|id| relations.accesses(all(id), program.buffers[id].extents.len()))
            .collect::<Outcome<Vec<Map>>>()?;
        let copies = operations.iter().flat_map(|own| &own.copies);
        let dates = copies.map(|(facts, to, from)| (facts, relations.padded(to), relations.padded(from)));
        let copies = relations.of((relations.length, relations.length), dates)?;
        let none = Sources { written: relations.none(relations.length, relations.length)?, first: Vec::new() };
        let mut found = Writes { relations, program, writes, copies, copied: none };
        let is_copy = |own: &&Operation| own.statement.is_none();
        let reads: Vec<&Access> = operations.iter().filter(is_copy).flat_map(|own| reads(&own.slots)).collect();
        found.copied = found.direct(&reads)?;
        Ok(found)
    }

    /// The sources of reads.
    pub(super) fn sources(&self, reads: &[&Access]) -> Outcome<Sources> {
        let copies = self.copies.domain()?;
        let Sources { written, mut first } = self.direct(reads)?;
        let (mut done, mut through) = parted(&written, &copies)?;
        for _ in 0..MOST_COPIES {
            if through.is_empty()? {
                return Ok(Sources { written: done, first });
            }
            let at = through.apply_range(&self.copies)?;
            for (own, copied) in first.iter_mut().zip(&self.copied.first) {
                *own = own.union(&at.apply_range(copied)?)?;
            }
            let (written, next) = parted(&at.apply_range(&self.copied.written)?, &copies)?;
            done = done.union(&written)?;
            through = next.coalesce()?;
        }
        Err(Obligation::Unsupported("values that are copied many times").into())
    }

    /// The sources of reads, copies among them.
    fn direct(&self, reads: &[&Access]) -> Outcome<Sources> {
        let length = self.relations.length;
        let mut found = Sources { written: self.relations.none(length, length)?, first: Vec::new() };
        for (id, writes) in self.writes.iter().enumerate() {
            let own = reads.iter().copied().filter(|read| read.buffer == BufferId(id));
            let own = self.relations.accesses(own, self.program.buffers[id].extents.len())?.coalesce()?;
            let flow = match own.is_empty()? || writes.is_empty()? {
                true => None,
                false => dataflow(std::slice::from_ref(&own), std::slice::from_ref(writes), &[])?,
            };
            let first = match flow {
                Some(flow) => {
                    found.written = found.written.union(&flow.range_factor_domain()?.reverse()?)?;
                    own.subtract(&flow.range()?.unwrap()?)?
                }
                None => own,
            };
            found.first.push(first);
        }
        Ok(found)
    }
}

/// Pairs that end outside of a set, and those that end in it.
fn parted(map: &Map, set: &Set) -> Outcome<(Map, Map)> {
    let inside = map.intersect_range(set)?;
    Ok((map.subtract(&inside)?, inside))
}

/// The reads in slots.
pub(super) fn reads(slots: &[Slot]) -> impl Iterator<Item = &Access> {
    slots.iter().filter_map(|slot| if let Slot::Read(accesses) = slot { Some(accesses) } else { None }).flatten()
}

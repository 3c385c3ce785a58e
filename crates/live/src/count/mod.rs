//! How many values are alive at once, by running the loops at given sizes.
//!
//! The largest number of occupied cells at one moment is a floor for every storage mapping at these sizes
//! and for this order of execution; with parallel loops it is the floor for running them in order.
//!
//! What a function reads through an address is alive while the operation writes, since it may be read behind that.
//!
//! Where data decides, a value counts as alive while it may still be read: both branches are walked, reads happen, and
//! a write that may not happen does not end the value before it, and needs its cell at its own moment. That is the floor
//! for a mapping that has to be right whatever the data are. Otherwise the count is exact for the program; past the bound
//! there is no count.

mod evaluate;
mod history;
mod occupancy;
mod ordered;

use evaluate::{Point, Subscript};
pub use history::{History, Operation, Value, history};
use occupancy::{Change, Store, occupied_at, peak};
pub use ordered::Coordinate;
use ordered::Listing;
use polyfold_flow::{Write, sure_writes};
use polyfold_scop::{ArrayId, Certainty, Condition, Node, Scop, StatementId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Values alive at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveCount {
    /// Over all counted arrays together.
    pub total: u64,
    /// Over each array alone, in the order asked for.
    pub each: Vec<u64>,
    /// Of each array at one moment at which `total` are alive, in the same order: they sum up to it.
    pub at_peak: Vec<u64>,
    /// What counting cost.
    pub steps: u64,
}

/// Why there is no count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountError {
    /// More operations or cells than the bound.
    TooLarge,
    /// A subscript or bound of a counted array is not affine.
    NotAffine,
    /// An access outside its array, at these sizes.
    OutOfBounds,
    /// A size has no value, or an extent is not positive.
    UnknownSize,
}

impl fmt::Display for CountError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            CountError::TooLarge => "counting would take more operations than --max-ops allows",
            CountError::NotAffine => "a subscript is not affine",
            CountError::OutOfBounds => "a subscript is out of bounds at these sizes",
            CountError::UnknownSize => "the sizes leave an array without cells",
        })
    }
}

/// Steps that one access costs; memory is some 16 bytes per value.
const ACCESS_STEPS: u64 = 8;

/// Steps that one cell costs, which takes 12 bytes.
const CELL_STEPS: u64 = 8;

/// Counts values of `arrays` alive at once; `sizes` are the values of the scop's parameters in order, `bound`
/// limits the steps: operations, loop turns, eight for each cell and for each access.
///
/// # Errors
/// See [`CountError`].
pub fn max_live(scop: &Scop, arrays: &[ArrayId], sizes: &[i64], bound: u64) -> Result<LiveCount, CountError> {
    let mut run = Run::new(scop, arrays, sizes, bound)?;
    run.nodes(&scop.body)?;
    Ok(run.finish())
}

/// The same for an order in which operations have these dates, by statement: the loops that run them in that order need not be known.
/// The order has to keep what depends on each other in the order of the text.
///
/// # Errors
/// See [`CountError`]; and when dates are too large.
pub fn max_live_in_order(
    scop: &Scop,
    arrays: &[ArrayId],
    sizes: &[i64],
    dates: &[Vec<Coordinate>],
    bound: u64,
) -> Result<LiveCount, CountError> {
    let bound = bound.min(u64::from(u32::MAX / 4));
    let mut listing = Run { turns: Turns::Listed(Listing::new(dates)), ..Run::new(scop, &[], sizes, bound)? };
    listing.nodes(&scop.body)?;
    let listed = listing.work;
    let Turns::Listed(dates) = listing.turns else { return Err(CountError::NotAffine) };
    let mut run = Run { turns: Turns::Placed(dates.places()?.into_iter()), ..Run::new(scop, arrays, sizes, bound)? };
    run.nodes(&scop.body)?;
    let found = run.finish();
    Ok(LiveCount { steps: found.steps.saturating_add(listed), ..found })
}

/// An access to a counted array, ready to run.
struct Counted<'s> {
    slot: usize,
    is_read: bool,
    /// A read through an address, which may come behind the writes.
    is_late_read: bool,
    is_certain: bool,
    /// Happens although the guard around it depends on data.
    is_sure: bool,
    condition: &'s Condition,
    subscripts: Vec<Subscript<'s>>,
}

struct Run<'s> {
    scop: &'s Scop,
    at: Point<'s>,
    /// By statement, reads before writes.
    accesses: Vec<Vec<Counted<'s>>>,
    slots: Vec<Option<usize>>,
    stores: Vec<Store>,
    turns: Turns<'s>,
    /// Number of the present operation, from 1; date 0 is before the program.
    date: u32,
    /// The last one so far.
    last: u32,
    work: u64,
    bound: u64,
    /// Whether data decides if the present operation happens.
    uncertain: bool,
}

/// When operations run.
enum Turns<'s> {
    /// As they stand in the text.
    Text,
    /// That is listed, and nothing is counted.
    Listed(Listing<'s>),
    /// At these places, one for each operation as they stand in the text.
    Placed(std::vec::IntoIter<u32>),
    /// As they stand in the text, and each is written down by its date.
    Recorded(BTreeMap<u32, Operation>),
}

impl<'s> Run<'s> {
    fn new(scop: &'s Scop, arrays: &[ArrayId], sizes: &'s [i64], bound: u64) -> Result<Run<'s>, CountError> {
        let mut run = Run {
            scop,
            at: Point { sizes, iterators: vec![0; scop.loops().len()] },
            accesses: Vec::new(),
            slots: vec![None; scop.arrays.len()],
            stores: Vec::new(),
            turns: Turns::Text,
            date: 0,
            last: 0,
            work: 0,
            bound,
            uncertain: false,
        };
        for &array in arrays {
            let store = run.store(array)?;
            run.slots[array.0] = Some(run.stores.len());
            run.stores.push(store);
        }
        let sure = sure_writes(scop);
        run.accesses =
            (0..scop.statements.len()).map(|k| run.compile(StatementId(k), &sure)).collect::<Result<_, _>>()?;
        Ok(run)
    }

    fn spend(&mut self, work: u64) -> Result<(), CountError> {
        self.work = self.work.saturating_add(work);
        if self.work > self.bound.min(u64::from(u32::MAX - 2)) { Err(CountError::TooLarge) } else { Ok(()) }
    }

    fn store(&mut self, array: ArrayId) -> Result<Store, CountError> {
        let mut extents = Vec::new();
        for extent in &self.scop.array(array).extents {
            extents.push(self.at.value(extent.as_ref().ok_or(CountError::UnknownSize)?));
        }
        if extents.iter().any(|e| *e < 1) {
            return Err(CountError::UnknownSize);
        }
        let cells = extents.iter().try_fold(1i64, |product, e| product.checked_mul(*e)).ok_or(CountError::TooLarge)?;
        self.spend(CELL_STEPS.saturating_mul(cells as u64))?;
        Ok(Store::new(extents, cells as usize))
    }

    fn nodes(&mut self, nodes: &[Node]) -> Result<(), CountError> {
        for node in nodes {
            match node {
                Node::Statement(id) => self.operation(id.0)?,
                Node::Guard(g) => match self.at.holds(&g.condition) {
                    Some(true) => self.nodes(&g.then)?,
                    Some(false) => self.nodes(&g.otherwise)?,
                    None => {
                        let outside = std::mem::replace(&mut self.uncertain, true);
                        self.nodes(&g.then)?;
                        self.nodes(&g.otherwise)?;
                        self.uncertain = outside;
                    }
                },
                Node::Loop(l) => {
                    self.at.iterators[l.id.0] = self.at.value(&l.first);
                    while self.at.holds(&l.condition) == Some(true) {
                        self.spend(1)?;
                        self.nodes(&l.body)?;
                        self.at.iterators[l.id.0] = self.at.iterators[l.id.0].saturating_add(l.step);
                    }
                }
            }
        }
        Ok(())
    }

    fn compile(&self, id: StatementId, sure: &BTreeSet<Write>) -> Result<Vec<Counted<'s>>, CountError> {
        let mut counted = Vec::new();
        for (at, access) in self.scop.statement(id).accesses.iter().enumerate() {
            let Some(slot) = self.slots[access.array.0] else { continue };
            let Some(subscripts) = &access.subscripts else { return Err(CountError::NotAffine) };
            counted.push(Counted {
                slot,
                is_read: access.is_read(),
                is_late_read: access.is_read() && access.is_in_call(),
                is_certain: access.certainty == Certainty::Must,
                is_sure: sure.contains(&(id, at)),
                condition: &access.condition,
                subscripts: subscripts.iter().map(|s| self.at.prepare(s)).collect(),
            });
        }
        counted.sort_by_key(|access| !access.is_read);
        Ok(counted)
    }

    fn operation(&mut self, statement: usize) -> Result<(), CountError> {
        let listed = if let Turns::Listed(dates) = &self.turns { dates.steps() } else { 0 };
        self.spend(1 + listed + ACCESS_STEPS * self.accesses[statement].len() as u64)?;
        self.date = match &mut self.turns {
            Turns::Text => self.date + 1,
            Turns::Listed(dates) => return dates.add(statement, &self.at),
            Turns::Placed(places) => 2 * places.next().ok_or(CountError::TooLarge)? + 1,
            Turns::Recorded(operations) => {
                let id = StatementId(statement);
                let counters = self.scop.statement(id).loops.iter().map(|id| self.at.iterators[id.0]).collect();
                operations.insert(self.date + 1, Operation { statement: id, counters });
                self.date + 1
            }
        };
        for k in 0..self.accesses[statement].len() {
            self.access(statement, k)?;
        }
        // What is written through an address is occupied at its own date in any case.
        let late: Vec<usize> =
            (0..self.accesses[statement].len()).filter(|k| self.accesses[statement][*k].is_late_read).collect();
        self.date += u32::from(!late.is_empty());
        self.last = self.last.max(self.date);
        late.into_iter().try_for_each(|k| self.access(statement, k))
    }

    fn access(&mut self, statement: usize, k: usize) -> Result<(), CountError> {
        let access = &self.accesses[statement][k];
        let happens = self.at.holds(access.condition);
        if happens == Some(false) {
            return Ok(());
        }
        let certain = happens.is_some() && (access.is_sure || !self.uncertain) && access.is_certain;
        let index = self.stores[access.slot].index(access.subscripts.iter().map(|s| self.at.subscript(s)))?;
        let (date, is_read) = (self.date, access.is_read);
        let store = &mut self.stores[access.slot];
        match (is_read, certain) {
            (true, _) => store.read(index, date),
            (false, true) => store.write(index, date),
            (false, false) => store.may_write(index, date),
        }
        Ok(())
    }

    fn finish(self) -> LiveCount {
        let changes: Vec<Vec<Change>> = self.stores.into_iter().map(Store::into_changes).collect();
        // A value that nobody reads is there until the date behind its own.
        let end = self.last + 2;
        let each = changes.iter().map(|changes| peak(std::slice::from_ref(changes), end).1).collect();
        let (date, total) = peak(&changes, end);
        let at_peak = changes.iter().map(|c| occupied_at(date, c)).collect();
        LiveCount { total, each, at_peak, steps: self.work }
    }
}

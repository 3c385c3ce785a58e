//! How many values are alive at once, by running the loops at given sizes.
//!
//! A value occupies its cell at every moment t with `w <= t < r`, and a value that nobody reads at `t = w` only.
//! The largest number of occupied cells at one moment is a floor for every storage mapping at these sizes
//! and for this order of execution; with parallel loops it is the floor for running them in order.
//!
//! One pass over the operations: each cell remembers its pending value's write and last read; when the value
//! ends, its interval is entered into a list of changes by date, and the largest prefix sum is the answer.
//!
//! Where data decides, a value counts as alive while it may still be read: both branches are walked, reads happen, and
//! a write that may not happen neither ends the value before it nor needs a second cell. That is the floor for a
//! mapping that has to be right whatever the data are. Otherwise the count is exact for the program; past the bound
//! there is no count.

use polyfold_flow::sure_writes;
use polyfold_scop::{ArrayId, Certainty, Condition, Expr, Node, Scop, StatementId};
use std::collections::BTreeSet;
use std::fmt;

/// Values alive at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveCount {
    /// Over all counted arrays together.
    pub total: u64,
    /// Over each array alone, in the order asked for.
    pub each: Vec<u64>,
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

/// Counts values of `arrays` alive at once; `sizes` are the values of the scop's parameters in order, `bound`
/// limits the steps: operations, loop turns, cells, and eight for each access.
///
/// # Errors
/// See [`CountError`].
pub fn max_live(scop: &Scop, arrays: &[ArrayId], sizes: &[i64], bound: u64) -> Result<LiveCount, CountError> {
    let mut run = Run {
        scop,
        sizes,
        accesses: Vec::new(),
        iterators: vec![0; scop.loops().len()],
        slots: vec![None; scop.arrays.len()],
        stores: Vec::new(),
        date: 0,
        work: 0,
        bound,
        uncertain: false,
    };
    for &array in arrays {
        let store = Store::new(&mut run, array)?;
        run.slots[array.0] = Some(run.stores.len());
        run.stores.push(store);
    }
    let sure = sure_writes(scop);
    run.accesses = (0..scop.statements.len()).map(|k| run.compile(StatementId(k), &sure)).collect::<Result<_, _>>()?;
    run.nodes(&scop.body)?;
    Ok(run.finish())
}

/// The value that a cell holds.
#[derive(Clone, Copy)]
struct Pending {
    written: u32,
    last_read: u32,
}

/// Cells and intervals of one array.
struct Store {
    extents: Vec<i64>,
    cells: Vec<Option<Pending>>,
    /// Change in the number of occupied cells at each date.
    changes: Vec<(u32, i32)>,
}

impl Store {
    fn new(run: &mut Run<'_>, array: ArrayId) -> Result<Store, CountError> {
        let mut extents = Vec::new();
        for extent in &run.scop.array(array).extents {
            extents.push(run.value(extent.as_ref().ok_or(CountError::UnknownSize)?));
        }
        if extents.iter().any(|e| *e < 1) {
            return Err(CountError::UnknownSize);
        }
        let cells = extents.iter().try_fold(1i64, |product, e| product.checked_mul(*e)).ok_or(CountError::TooLarge)?;
        run.spend(cells as u64)?;
        Ok(Store { extents, cells: vec![None; cells as usize], changes: Vec::new() })
    }

    fn index(&self, cell: impl Iterator<Item = i64>) -> Result<usize, CountError> {
        let mut index = 0;
        for (c, extent) in cell.zip(&self.extents) {
            if c < 0 || c >= *extent {
                return Err(CountError::OutOfBounds);
            }
            index = index * extent + c;
        }
        Ok(index as usize)
    }

    fn end(&mut self, pending: Pending) {
        self.changes.push((pending.written, 1));
        self.changes.push((pending.last_read.max(pending.written + 1), -1));
    }
}

/// An access to a counted array, ready to run.
struct Counted<'s> {
    slot: usize,
    is_read: bool,
    is_certain: bool,
    /// Happens although the guard around it depends on data.
    is_sure: bool,
    condition: &'s Condition,
    subscripts: Vec<Value<'s>>,
}

/// A subscript at given sizes.
enum Value<'s> {
    /// A constant and multiples of iterators.
    Linear(i64, Vec<(usize, i64)>),
    Other(&'s Expr),
}

struct Run<'s> {
    scop: &'s Scop,
    sizes: &'s [i64],
    /// By statement, reads before writes.
    accesses: Vec<Vec<Counted<'s>>>,
    iterators: Vec<i64>,
    slots: Vec<Option<usize>>,
    stores: Vec<Store>,
    /// Number of the present operation, from 1; date 0 is before the program.
    date: u32,
    work: u64,
    bound: u64,
    /// Whether data decides if the present operation happens.
    uncertain: bool,
}

impl<'s> Run<'s> {
    fn spend(&mut self, work: u64) -> Result<(), CountError> {
        self.work = self.work.saturating_add(work);
        if self.work > self.bound.min(u64::from(u32::MAX - 2)) { Err(CountError::TooLarge) } else { Ok(()) }
    }

    fn nodes(&mut self, nodes: &[Node]) -> Result<(), CountError> {
        for node in nodes {
            match node {
                Node::Statement(id) => self.operation(id.0)?,
                Node::Guard(g) => match self.holds(&g.condition) {
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
                    self.iterators[l.id.0] = self.value(&l.first);
                    while self.holds(&l.condition) == Some(true) {
                        self.spend(1)?;
                        self.nodes(&l.body)?;
                        self.iterators[l.id.0] = self.iterators[l.id.0].saturating_add(l.step);
                    }
                }
            }
        }
        Ok(())
    }

    fn compile(
        &self,
        id: StatementId,
        sure: &BTreeSet<(StatementId, ArrayId)>,
    ) -> Result<Vec<Counted<'s>>, CountError> {
        let mut counted = Vec::new();
        for access in &self.scop.statement(id).accesses {
            let Some(slot) = self.slots[access.array.0] else { continue };
            let Some(subscripts) = &access.subscripts else { return Err(CountError::NotAffine) };
            counted.push(Counted {
                slot,
                is_read: access.is_read(),
                is_certain: access.certainty == Certainty::Must,
                is_sure: access.is_write() && sure.contains(&(id, access.array)),
                condition: &access.condition,
                subscripts: subscripts.iter().map(|s| self.linear(s)).collect(),
            });
        }
        counted.sort_by_key(|access| !access.is_read);
        Ok(counted)
    }

    fn linear(&self, expr: &'s Expr) -> Value<'s> {
        let (mut constant, mut terms) = (0, Vec::new());
        match self.add_terms(expr, 1, &mut constant, &mut terms) {
            true => Value::Linear(constant, terms),
            false => Value::Other(expr),
        }
    }

    fn add_terms(&self, expr: &Expr, factor: i64, constant: &mut i64, terms: &mut Vec<(usize, i64)>) -> bool {
        match expr {
            Expr::Constant(value) => *constant = constant.saturating_add(value.saturating_mul(factor)),
            Expr::Parameter(id) => *constant = constant.saturating_add(self.sizes[id.0].saturating_mul(factor)),
            Expr::Iterator(id) => terms.push((id.0, factor)),
            Expr::Scale(by, e) => return self.add_terms(e, factor.saturating_mul(*by), constant, terms),
            Expr::Add(a, b) => {
                return self.add_terms(a, factor, constant, terms) && self.add_terms(b, factor, constant, terms);
            }
            Expr::Divide(..) | Expr::Remainder(..) | Expr::Select(..) => return false,
        }
        true
    }

    fn subscript(&self, value: &Value) -> i64 {
        match value {
            Value::Other(expr) => self.value(expr),
            Value::Linear(constant, terms) => terms
                .iter()
                .fold(*constant, |sum, (k, factor)| sum.saturating_add(self.iterators[*k].saturating_mul(*factor))),
        }
    }

    fn operation(&mut self, statement: usize) -> Result<(), CountError> {
        self.date += 1;
        self.spend(1 + ACCESS_STEPS * self.accesses[statement].len() as u64)?;
        for k in 0..self.accesses[statement].len() {
            self.access(statement, k)?;
        }
        Ok(())
    }

    fn access(&mut self, statement: usize, k: usize) -> Result<(), CountError> {
        let access = &self.accesses[statement][k];
        let happens = self.holds(access.condition);
        if happens == Some(false) {
            return Ok(());
        }
        let certain = happens.is_some() && (access.is_sure || !self.uncertain) && access.is_certain;
        let index = self.stores[access.slot].index(access.subscripts.iter().map(|s| self.subscript(s)))?;
        let (date, is_read) = (self.date, access.is_read);
        let store = &mut self.stores[access.slot];
        if is_read {
            store.cells[index].get_or_insert(Pending { written: 0, last_read: 0 }).last_read = date;
        } else if !certain {
            store.cells[index].get_or_insert(Pending { written: date, last_read: date });
        } else if let Some(old) = store.cells[index].replace(Pending { written: date, last_read: date }) {
            store.end(old);
        }
        Ok(())
    }

    fn finish(mut self) -> LiveCount {
        for store in &mut self.stores {
            for index in 0..store.cells.len() {
                if let Some(pending) = store.cells[index].take() {
                    store.end(pending);
                }
            }
            store.changes.sort_unstable();
        }
        let each = self.stores.iter().map(|s| peak(s.changes.iter().copied())).collect();
        let mut all: Vec<(u32, i32)> = self.stores.iter().flat_map(|s| s.changes.iter().copied()).collect();
        all.sort_unstable();
        LiveCount { total: peak(all.into_iter()), each, steps: self.work }
    }

    fn value(&self, expr: &Expr) -> i64 {
        match expr {
            Expr::Constant(value) => *value,
            Expr::Iterator(id) => self.iterators[id.0],
            Expr::Parameter(id) => self.sizes[id.0],
            Expr::Add(a, b) => self.value(a).saturating_add(self.value(b)),
            Expr::Scale(factor, e) => self.value(e).saturating_mul(*factor),
            Expr::Divide(e, divisor) => self.value(e) / divisor,
            Expr::Remainder(e, divisor) => self.value(e) % divisor,
            Expr::Select(condition, first, second) => match self.holds(condition) {
                Some(false) => self.value(second),
                _ => self.value(first),
            },
        }
    }

    /// Whether a condition holds; `None` if data decides.
    fn holds(&self, condition: &Condition) -> Option<bool> {
        match condition {
            Condition::Unknown => None,
            Condition::Not(inner) => self.holds(inner).map(|h| !h),
            Condition::All(parts) => self.join(parts, false),
            Condition::Any(parts) => self.join(parts, true),
            Condition::Compare(a, comparison, b) => Some(comparison.compare(self.value(a), self.value(b))),
        }
    }

    /// A conjunction or disjunction, of which one part equal to `decisive` decides.
    fn join(&self, parts: &[Condition], decisive: bool) -> Option<bool> {
        let mut known = true;
        for part in parts {
            match self.holds(part) {
                Some(holds) if holds == decisive => return Some(decisive),
                Some(_) => {}
                None => known = false,
            }
        }
        known.then_some(!decisive)
    }
}

/// The largest prefix sum of changes sorted by date. At equal dates the ends sort first: a value that ends at t is
/// no longer there for one that begins at t.
fn peak(changes: impl Iterator<Item = (u32, i32)>) -> u64 {
    let (mut now, mut most) = (0i64, 0i64);
    for (_, change) in changes {
        now += i64::from(change);
        most = most.max(now);
    }
    most as u64
}

//! The accesses that decide an array's lifetimes.
//!
//! A cell that may be read before it is written holds something from before the scop, and keeps it: a write at START,
//! before every date of the program, stands for that.
//!
//! Dates are shortened to the dimensions in which the accesses differ.

use crate::Subject;
use crate::order::{Dated, Equal, Order};
use polyfold_flow::{Accesses, Model, dataflow, union};
use polyfold_isl::{Error, ErrorKind, Map, Result, Set};
use polyfold_scop::ArrayId;
use std::cell::OnceCell;
use std::rc::Rc;

/// The first dimension of END; that of a program's dates is a position in it, and no program has so many.
const END: i64 = i32::MAX as i64;

/// One array's reads and writes, with START's.
#[derive(Clone)]
pub struct Lifetimes {
    subject: Subject,
    accesses: Accesses,
    exposed: Option<Map>,
    unordered: Option<Map>,
    /// The order of the dates, one for all lifetimes that can be compared.
    order: Rc<Order>,
    /// Its dataflow, once it was asked for: it is the dearest part of conflicts per value, with every other array.
    values: OnceCell<Option<Map>>,
}

impl Lifetimes {
    /// Of one array of a model.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn of(model: &Model, array: ArrayId) -> Result<Lifetimes> {
        Ok(Lifetimes::together(model, &[array])?.remove(0))
    }

    /// Of one array whose values are needed behind the scop: END reads all of its cells that the program touches.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn to_the_end(model: &Model, array: ArrayId) -> Result<Lifetimes> {
        let mut accesses = model.accesses(array).clone();
        accesses.reads.extend(end_reads(model, array)?);
        Ok(Lifetimes::among(model, &[array], vec![accesses])?.remove(0))
    }

    /// Of several arrays, with dates that can be compared.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn together(model: &Model, arrays: &[ArrayId]) -> Result<Vec<Lifetimes>> {
        let accesses = arrays.iter().map(|array| model.accesses(*array).clone()).collect();
        Lifetimes::among(model, arrays, accesses)
    }

    fn among(model: &Model, arrays: &[ArrayId], mut accesses: Vec<Accesses>) -> Result<Vec<Lifetimes>> {
        if model.unordered.is_none() {
            accesses = shorten(accesses, model.date_dimensions)?;
        }
        let dates = match accesses.iter().flat_map(Accesses::all).next() {
            Some(access) => access.domain()?,
            None => Set::read(model.context.context(), "{ [] }")?,
        };
        let order = Rc::new(Order::new(&dates)?);
        (arrays.iter().zip(accesses)).map(|(array, accesses)| Lifetimes::new(*array, accesses, &order, model)).collect()
    }

    fn new(array: ArrayId, mut accesses: Accesses, order: &Rc<Order>, model: &Model) -> Result<Lifetimes> {
        let exposed = read_before_written(order, &accesses.reads, &accesses.must_writes)?;
        if let Some(exposed) = &exposed {
            accesses.must_writes.push(at_start(exposed)?);
        }
        let subject = Subject::of(model, array)?;
        let (unordered, order) = (model.unordered.clone(), Rc::clone(order));
        Ok(Lifetimes { subject, accesses, exposed, unordered, order, values: OnceCell::new() })
    }

    /// The same where `cells` are read behind the scop, at END.
    pub(crate) fn read_at_end(mut self, cells: &Set) -> Result<Lifetimes> {
        let dimensions = self.accesses.all().next().map(Map::dimensions).transpose()?;
        if let Some((dimensions, _)) = dimensions {
            self.accesses.reads.push(end(cells, dimensions)?.with_each_of(cells)?);
            self.values = OnceCell::new();
        }
        Ok(self)
    }

    /// Whose these are, and for which sizes.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Reads and writes, with a certain write at START of each cell that may be read before it is written.
    pub fn accesses(&self) -> &Accesses {
        &self.accesses
    }

    /// `{ date -> cell }`: reads that may come before every certain write of their cell; `None`: there are none.
    pub fn exposed(&self) -> Option<&Map> {
        self.exposed.as_ref()
    }

    /// `{ date -> cell }`: reads that come before every write of their cell, certain or not; `None`: there are none.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn surely_exposed(&self) -> Result<Option<Map>> {
        match &self.exposed {
            None => Ok(None),
            Some(exposed) => read_before_written(&self.order, std::slice::from_ref(exposed), &self.accesses.may_writes),
        }
    }

    /// Whether the dates of both mean the same.
    pub(crate) fn check_same_dates(&self, other: &Lifetimes) -> Result<()> {
        if Rc::ptr_eq(&self.order, &other.order) {
            return Ok(());
        }
        let message = "lifetimes were not taken together: their dates cannot be compared".to_string();
        Err(Error { kind: ErrorKind::Refused, message })
    }

    /// `{ [write date -> date of use] -> cell }`: which values reach which reads, or ends of the operations that write them; `None`: no
    /// value reaches any.
    pub(crate) fn values(&self) -> Result<Option<&Map>> {
        if self.values.get().is_none() {
            let reads = self.accesses.uses().cloned().collect();
            let used = Accesses { reads, ..self.accesses.clone() };
            let values = dataflow(&used)?.map(|values| values.uncurry()).transpose()?;
            let _ = self.values.set(values);
        }
        Ok(self.values.get().and_then(Option::as_ref))
    }

    pub(crate) fn order(&self) -> &Order {
        &self.order
    }

    /// Pairs of dates that may run in either order.
    pub(crate) fn unordered(&self) -> Option<&Map> {
        self.unordered.as_ref()
    }
}

/// `{ END -> cell }`: what reads all cells of an array that the program touches, behind all of its dates; `None`: it touches none.
///
/// # Errors
/// When the work bound is reached.
pub fn end_reads(model: &Model, array: ArrayId) -> Result<Option<Map>> {
    let Some(cells) = model.accesses(array).cells()? else { return Ok(None) };
    end(&cells, model.date_dimensions)?.with_each_of(&cells).map(Some)
}

/// END, as a date of so many dimensions.
fn end(like: &Set, dimensions: usize) -> Result<Set> {
    Set::read(like.context(), &format!("{{ [{END}{}] }}", ", 0".repeat(dimensions.saturating_sub(1))))
}

/// Removes dimensions of dates that have the same value in all accesses, except the first.
fn shorten(mut all: Vec<Accesses>, dimensions: usize) -> Result<Vec<Accesses>> {
    for dimension in (1..dimensions).rev() {
        let relations = all.iter().flat_map(|accesses| accesses.uses().chain(accesses.writes()));
        let values = relations.map(|r| r.fixed_in_domain(dimension)).collect::<Result<Vec<_>>>()?;
        if values.iter().all(|v| v.is_some() && *v == values[0]) {
            all = all.iter().map(|a| a.map(|r| r.project_out_of_domain(dimension))).collect::<Result<_>>()?;
        }
    }
    Ok(all)
}

/// `{ date -> cell }` of reads with no earlier write in `writes`.
fn read_before_written(order: &Order, reads: &[Map], writes: &[Map]) -> Result<Option<Map>> {
    let writes = Dated::all(writes)?;
    let mut exposed = Vec::new();
    for read in Dated::all(reads)? {
        let mut covered = Vec::new();
        for write in &writes {
            covered.extend(order.earlier(write, &read, Equal::No)?);
        }
        let rest = match union(&covered)? {
            None => read.relation,
            Some(covered) => read.relation.subtract(&covered)?,
        };
        if !rest.is_empty()? {
            exposed.push(rest);
        }
    }
    union(&exposed)
}

fn at_start(exposed: &Map) -> Result<Map> {
    let (dimensions, _) = exposed.dimensions()?;
    let any: Vec<String> = (0..dimensions).map(|k| format!("x{k}")).collect();
    let start: Vec<&str> = (0..dimensions).map(|k| if k == 0 { "-1" } else { "0" }).collect();
    let to_start = format!("{{ [{}] -> [{}] }}", any.join(", "), start.join(", "));
    exposed.apply_domain(&Map::read(exposed.context(), &to_start)?)?.coalesce()
}

//! Whether a schedule keeps what a program computes.
//!
//! With T from the dates of the source to those given, two operations at source dates d < d' have changed places iff T(d) >= T(d').
//! They must not where they depend on each other:
//!
//! ```text
//! by value      d writes what d' reads                                            (dataflow)
//! by memory     d < d' touch the same cell, and one of them writes it
//! by overlap    one of them touches what some pointer leads to, the other an array that may be the same, and one of them writes
//! by effects    one of them may do more than can be seen, as a call that may look at any memory but the function's own
//! ```
//!
//! Nor must they run at once: where a dimension k of T is parallel, two operations may if T(d) and T(d') agree up to k, and differ
//! there, whatever follows.
//!
//! Values come first: what breaks one of them is wrong whatever the storage. What only breaks dependences by memory would be right
//! with more storage. Example: for `a[i] = x[i]; b[i] = a[i - 1];` in one loop the schedule `{ S0[i] -> [-i]; S1[i] -> [-i] }`
//! lets S1[i] read a cell that S0[i - 1] has yet to write.
//!
//! Paper: Feautrier, Dataflow analysis (1991); the GeCoS note (2014), step 1.

use crate::Given;
use polyfold_flow::{Accesses, Model, union};
use polyfold_isl::{Context, Error, Map, Set};
use polyfold_scop::{ArrayId, Scop, StatementId};

/// A schedule under which every operation finds the same values in the same cells.
#[derive(Clone, Debug)]
pub struct Legal(Given);

impl Legal {
    /// By statement, `{ S[i] -> [date] }`.
    pub fn dates(&self) -> &[Map] {
        &self.0.dates
    }
}

/// One execution of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Of which statement.
    pub statement: StatementId,
    /// The values of its loops' counters, outermost first.
    pub iterators: Vec<i64>,
}

/// Why two operations must not change places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependence {
    /// The second reads what the first wrote.
    Value(ArrayId),
    /// Both use a cell, and one of them writes it.
    Memory(ArrayId),
    /// They use two arrays that may be the same memory, and one of them writes it.
    Overlap(ArrayId, ArrayId),
    /// One of them may do more than can be seen.
    Effects,
    /// They are two operations of one statement, and get the same date.
    Date,
}

/// What becomes of the order of two operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The second comes first, or both have the same date.
    Back,
    /// They may run at once, in a parallel dimension.
    AtOnce(usize),
}

/// Two operations that a schedule puts in a wrong order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What the schedule does to them.
    pub turn: Turn,
    /// Why that is wrong.
    pub dependence: Dependence,
    /// The one that is first in the source.
    pub first: Operation,
    /// The other.
    pub second: Operation,
    /// Parameters, by their names in isl notation.
    pub sizes: Vec<(String, i64)>,
}

/// Proves a schedule, of which some dimensions are `parallel`, for all parameters in the model's context, or finds two operations
/// that it puts in a wrong order.
///
/// # Errors
/// When the work bound is reached.
pub fn check(model: &Model, given: Given, parallel: &[usize]) -> Result<Result<Legal, Violation>, Error> {
    let Some(turned) = Turned::of(model, &given)? else { return Ok(Ok(Legal(given))) };
    let mut misplaced = vec![(Turn::Back, turned.back()?)];
    for dimension in parallel {
        misplaced.push((Turn::AtOnce(*dimension), turned.at_once(*dimension)?));
    }
    if let Some(found) = turned.first_broken(&misplaced)? {
        return Ok(Err(found));
    }
    match turned.same_date(&misplaced)? {
        Some(found) => Ok(Err(found)),
        None => Ok(Ok(Legal(given))),
    }
}

/// Two operations of some statements that depend on each other, though they may run at once where a dimension of the dates is
/// parallel for these statements; `None`: there are none, for any parameters in the model's context.
///
/// # Errors
/// When the work bound is reached.
pub fn dependent_at_once(
    model: &Model,
    legal: &Legal,
    (dimension, statements): (usize, &[StatementId]),
) -> Result<Option<Violation>, Error> {
    let Some(turned) = Turned::of_some(model, &legal.0, &|id| statements.contains(&id))? else { return Ok(None) };
    turned.first_broken(&[(Turn::AtOnce(dimension), turned.at_once(dimension)?)])
}

/// What a schedule does to the order of the source.
struct Turned<'a> {
    model: &'a Model<'a>,
    /// `{ d -> d' : d < d' }`.
    before: Map,
    /// T.
    dates: Map,
    /// The same by statement.
    parts: Vec<(StatementId, Map)>,
}

/// By what happens to operations, their dates: T(d) and T(d') that must not be those of d and d'.
type Misplaced = [(Turn, Map)];

impl<'a> Turned<'a> {
    /// `None`: there are no operations.
    fn of(model: &'a Model, given: &Given) -> Result<Option<Turned<'a>>, Error> {
        Turned::of_some(model, given, &|_| true)
    }

    /// Of the statements that are asked for.
    fn of_some(
        model: &'a Model,
        given: &Given,
        is_asked_for: &dyn Fn(StatementId) -> bool,
    ) -> Result<Option<Turned<'a>>, Error> {
        let mut parts = Vec::new();
        let statements = model.statements.iter().zip(&given.dates).enumerate();
        for (k, (statement, dates)) in statements.filter(|(k, _)| is_asked_for(StatementId(*k))) {
            let part = statement.schedule.intersect_params(&model.context)?.reverse()?.apply_range(dates)?;
            parts.push((StatementId(k), part));
        }
        let Some(dates) = union(parts.iter().map(|(_, part)| part))? else { return Ok(None) };
        let source = dates.domain()?;
        if source.is_empty()? {
            return Ok(None);
        }
        Ok(Some(Turned { model, before: Map::lex_lt(&source)?, dates, parts }))
    }

    /// Dates of operations that change places.
    fn back(&self) -> Result<Map, Error> {
        Map::lex_ge(&self.dates.range()?)
    }

    /// Dates of operations that may run at once if a dimension is parallel.
    fn at_once(&self, dimension: usize) -> Result<Map, Error> {
        at_once(self.dates.context(), dimension, self.dates.dimensions()?.1)
    }

    /// The operations that have pairs of dates.
    fn in_source(&self, pairs: &Map) -> Result<Map, Error> {
        self.dates.apply_range(pairs)?.apply_range(&self.dates.reverse()?)
    }

    /// Two operations that depend on each other, and are misplaced; those by value come first. What depends on each other by value does by
    /// memory, too: only where that is broken is it worth while to know the values.
    fn first_broken(&self, misplaced: &Misplaced) -> Result<Option<Violation>, Error> {
        let arrays = || (0..self.model.scop.arrays.len()).map(ArrayId);
        for array in arrays() {
            if let Some(found) = self.broken_by_memory(array, misplaced)? {
                for array in arrays() {
                    if let Some(by_value) = self.broken_by_value(array, misplaced)? {
                        return Ok(Some(by_value));
                    }
                }
                return Ok(Some(found));
            }
        }
        for (pointer, other) in may_overlap(self.model.scop) {
            if let Some(pairs) = self.by_overlap(pointer, other)?
                && let Some(found) = self.breaks(&pairs, misplaced, Dependence::Overlap(pointer, other))?
            {
                return Ok(Some(found));
            }
        }
        match self.by_effects()? {
            Some(pairs) => self.breaks(&pairs, misplaced, Dependence::Effects),
            None => Ok(None),
        }
    }

    fn broken_by_value(&self, array: ArrayId, misplaced: &Misplaced) -> Result<Option<Violation>, Error> {
        match self.model.flow(array)? {
            Some(flow) => self.breaks(&flow.range_factor_domain()?, misplaced, Dependence::Value(array)),
            None => Ok(None),
        }
    }

    fn broken_by_memory(&self, array: ArrayId, misplaced: &Misplaced) -> Result<Option<Violation>, Error> {
        match by_memory(self.model.accesses(array), &self.before)? {
            Some(pairs) => self.breaks(&pairs, misplaced, Dependence::Memory(array)),
            None => Ok(None),
        }
    }

    /// Two operations of some pairs that are misplaced. Pairs get their dates first: dates of all operations are far more than those of
    /// the few that depend on each other.
    fn breaks(&self, pairs: &Map, misplaced: &Misplaced, dependence: Dependence) -> Result<Option<Violation>, Error> {
        let pairs = pairs.intersect_params(&self.model.context)?;
        let Some(dates) = self.dates_of(dependence)? else { return Ok(None) };
        let moved = pairs.apply_domain(&dates)?.apply_range(&dates)?;
        for (turn, misplaced) in misplaced {
            let wrong = moved.intersect(misplaced)?;
            if wrong.is_empty()? {
                continue;
            }
            if let Some(found) = self.witness(&pairs.intersect(&self.in_source(&wrong)?)?, *turn, dependence)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// T of the operations that may depend on each other so: those that use the array, if it is about one; `None`: there are none.
    fn dates_of(&self, dependence: Dependence) -> Result<Option<Map>, Error> {
        let (Dependence::Value(array) | Dependence::Memory(array)) = dependence else {
            return Ok(Some(self.dates.clone()));
        };
        let uses = |id: &StatementId| self.model.scop.statement(*id).accesses.iter().any(|a| a.array == array);
        union(self.parts.iter().filter(|(id, _)| uses(id)).map(|(_, part)| part))
    }

    fn witness(&self, wrong: &Map, turn: Turn, dependence: Dependence) -> Result<Option<Violation>, Error> {
        let pairs = wrong.wrap()?;
        let names = pairs.parameter_names()?;
        let mut sample = None;
        for most in USUAL_SIZES {
            sample = sample.or(near(&pairs, &names, most)?.sample()?);
        }
        let Some((values, point)) = sample.map_or_else(|| pairs.sample(), |sample| Ok(Some(sample)))? else {
            return Ok(None);
        };
        let sizes: Vec<(String, i64)> = names.into_iter().zip(values).collect();
        let (first, second) = point.split_at(point.len() / 2);
        let both = self.operation(first, &sizes)?.zip(self.operation(second, &sizes)?);
        let Some((first, second)) = both else {
            return Err(Error {
                kind: polyfold_isl::ErrorKind::Invalid,
                message: "a date of no operation".to_string(),
            });
        };
        Ok(Some(Violation { turn, dependence, first, second, sizes }))
    }

    /// The operation at a date of the source.
    fn operation(&self, date: &[i64], sizes: &[(String, i64)]) -> Result<Option<Operation>, Error> {
        let at: Vec<(&str, i64)> = sizes.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let text: Vec<String> = date.iter().map(i64::to_string).collect();
        let date = Set::read(self.dates.context(), &format!("{{ [{}] }}", text.join(", ")))?;
        for (k, statement) in self.model.statements.iter().enumerate() {
            let here = statement.schedule.intersect_range(&date)?.domain()?.at(&at)?;
            if let Some((_, iterators)) = here.sample()? {
                return Ok(Some(Operation { statement: StatementId(k), iterators }));
            }
        }
        Ok(None)
    }

    /// Operations one after the other that use two arrays, one of them to write it.
    fn by_overlap(&self, one: ArrayId, other: ArrayId) -> Result<Option<Map>, Error> {
        let uses = |array: ArrayId| {
            let accesses = self.model.accesses(array);
            let operations = |relation: Option<Map>| relation.map(|relation| relation.domain()).transpose();
            Ok::<_, Error>((operations(union(accesses.all())?)?, operations(union(accesses.writes())?)?))
        };
        let ((all, writes), (others, others_writes)) = (uses(one)?, uses(other)?);
        let mut pairs: Option<Map> = None;
        for both in [all.zip(others_writes), writes.zip(others)] {
            let Some((one, other)) = both else { continue };
            let found = one.with_each_of(&other)?.union(&other.with_each_of(&one)?)?;
            pairs = Some(match pairs {
                None => found,
                Some(others) => others.union(&found)?,
            });
        }
        pairs.map(|pairs| pairs.intersect(&self.before)).transpose()
    }

    /// Operations one after the other of which one may do more than can be seen.
    fn by_effects(&self) -> Result<Option<Map>, Error> {
        let mut dates: Option<Set> = None;
        for (statement, modelled) in self.model.scop.statements.iter().zip(&self.model.statements) {
            if statement.is_effectful() {
                let here = modelled.schedule.range()?;
                dates = Some(match dates {
                    None => here,
                    Some(others) => others.union(&here)?,
                });
            }
        }
        let Some(dates) = dates else { return Ok(None) };
        let all = self.before.intersect_domain(&self.dates.domain()?)?.intersect_range(&self.dates.domain()?)?;
        all.intersect_domain(&dates)?.union(&all.intersect_range(&dates)?).map(Some)
    }

    /// Two operations that get one date.
    fn same_date(&self, misplaced: &Misplaced) -> Result<Option<Violation>, Error> {
        if self.dates.is_injective()? {
            return Ok(None);
        }
        let same = self.dates.apply_range(&self.dates.reverse()?)?.intersect(&self.before)?;
        self.breaks(&same, misplaced, Dependence::Date)
    }
}

/// Examples have sizes up to one of these, if they can.
const USUAL_SIZES: [i64; 3] = [10, 100, 1000];

/// A set at small sizes.
fn near(set: &Set, names: &[String], most: i64) -> Result<Set, Error> {
    let bounds = names.iter().map(|name| format!("-{most} <= {name} <= {most}"));
    let bounds: Vec<String> = ["true".to_string()].into_iter().chain(bounds).collect();
    set.intersect_params(&Set::read(
        set.context(),
        &format!("[{}] -> {{ : {} }}", names.join(", "), bounds.join(" and ")),
    )?)
}

/// `{ x -> y : x₀ = y₀, …, x_{k−1} = y_{k−1}, x_k ≠ y_k }`: dates that may come at once where dimension k is parallel.
fn at_once(ctx: &Context, k: usize, dimensions: usize) -> Result<Map, Error> {
    let name = |letter: &str| (0..dimensions).map(|k| format!("{letter}{k}")).collect::<Vec<_>>().join(", ");
    let equal: String = (0..k).map(|k| format!("x{k} = y{k} and ")).collect();
    Map::read(ctx, &format!("{{ [{}] -> [{}] : {equal}x{k} != y{k} }}", name("x"), name("y")))
}

/// What pointers lead to, each with the other arrays that may be the same memory: all but the function's own.
fn may_overlap(scop: &Scop) -> Vec<(ArrayId, ArrayId)> {
    let ids = || (0..scop.arrays.len()).map(ArrayId);
    let pointers = ids().filter(|id| scop.array(*id).leads_anywhere);
    let others = |pointer: ArrayId| {
        let may_be = move |id: &ArrayId| *id != pointer && scop.may_be_same(pointer, *id);
        ids().filter(may_be).map(move |other| (pointer, other)).collect::<Vec<_>>()
    };
    pointers.flat_map(others).collect()
}

/// Operations that use a cell one after the other, one of them to write it.
fn by_memory(accesses: &Accesses, before: &Map) -> Result<Option<Map>, Error> {
    let (Some(all), Some(writes)) = (union(accesses.all())?, union(accesses.writes())?) else { return Ok(None) };
    let pairs = all.apply_range(&writes.reverse()?)?.union(&writes.apply_range(&all.reverse()?)?)?;
    pairs.intersect(before).map(Some)
}

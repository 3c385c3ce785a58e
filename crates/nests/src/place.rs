//! Where operations stand in the counter of a loop that several loops and statements may become.
//!
//! ```text
//! place(x) = r x + c      −r x + c, turned over      c, once           x: an axis of the nest, by date;  r: a rate;  c: an expression of sizes
//! ```
//!
//! Example: `for (i = 0; i < n; i++) a[i] = …` and `for (i = n - 1; i >= 0; i--) … = a[i]`, whose dates are i and −i: with the
//! second one turned over each value is used at distance 0.

use crate::axis::Axis;
use crate::dependence::Dependence;
use polyfold_isl::{Error, ErrorKind, Map, Result, Set};
use polyfold_scop::ParameterId;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// How a loop or statement goes along a shared loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Course {
    /// In its own direction.
    Kept,
    /// Against it.
    Turned,
    /// It does not: all of it runs in one iteration.
    Once,
}

/// A function from dates to iterations of a shared loop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    /// What an own loop runs over.
    pub(crate) axis: Axis,
    pub(crate) course: Course,
    /// How many iterations of the shared loop one of its own takes.
    pub(crate) rate: i64,
    /// c, in isl notation.
    pub(crate) offset: String,
}

impl Place {
    /// Of a loop as it is.
    pub(crate) fn kept(axis: Axis) -> Place {
        Place { axis, course: Course::Kept, rate: 1, offset: "0".to_string() }
    }

    pub(crate) fn later(&self, shift: i64) -> Place {
        Place { offset: format!("{} + {shift}", self.offset), ..self.clone() }
    }

    pub(crate) fn at_rate(&self, rate: i64) -> Place {
        Place { rate, ..self.clone() }
    }

    /// As an expression, of a counter.
    pub(crate) fn of(&self, counter: &str) -> String {
        match self.course {
            Course::Kept if self.rate == 1 => format!("{counter} + {}", self.offset),
            Course::Kept => format!("{} * ({counter}) + {}", self.rate, self.offset),
            Course::Turned => format!("-{} * ({counter}) + {}", self.rate, self.offset),
            Course::Once => self.offset.clone(),
        }
    }

    /// `{ [date] -> [places] }`, of loops as they are over some axes.
    pub(crate) fn along(like: &Set, axes: &[&Axis]) -> Result<Map> {
        let dates: Vec<String> = (0..like.dimensions()?).map(|k| format!("d{k}")).collect();
        let places: Vec<String> = axes.iter().map(|axis| axis.of_dates()).collect();
        Map::read(like.context(), &format!("{{ [{}] -> [{}] }}", dates.join(", "), places.join(", ")))
    }

    /// `{ [date] -> [place] }`.
    fn relation(&self, like: &Set, parameters: &[String]) -> Result<Map> {
        let dates: Vec<String> = (0..like.dimensions()?).map(|k| format!("d{k}")).collect();
        let place = self.of(&self.axis.of_dates());
        let text = format!("[{}] -> {{ [{}] -> [{place}] }}", parameters.join(", "), dates.join(", "));
        Map::read(like.context(), &text)
    }
}

/// The smallest and the largest of some differences for any sizes, if there are any.
pub(crate) type Range = (Option<i64>, Option<i64>);

/// What of a dependence is between operations in one place, if anything; and whether that is all of it.
type Within = (Option<Dependence>, bool);

/// A dependence and the places of its ends.
type Placed = (usize, Place, Place);

/// Dates of several statements' operations, by place. Orders have much in common: what was found for one is known for the next.
#[derive(Debug)]
pub(crate) struct Places {
    /// Names of the sizes in isl notation.
    parameters: Vec<String>,
    ranges: RefCell<HashMap<Placed, Range>>,
    bounding: RefCell<HashMap<Placed, Vec<ParameterId>>>,
    within: RefCell<HashMap<Placed, Within>>,
    /// Numbers of dependences that are given away.
    numbers: Cell<usize>,
}

impl Places {
    /// For dependences with numbers below `numbers`.
    pub(crate) fn new(parameters: &[String], numbers: usize) -> Places {
        let (parameters, numbers) = (parameters.to_vec(), Cell::new(numbers));
        let (ranges, bounding, within) = Default::default();
        Places { parameters, ranges, bounding, within, numbers }
    }

    /// The range of [`distances`](Places::distances).
    pub(crate) fn range(&self, dependence: &Dependence, from: &Place, to: &Place) -> Result<Range> {
        let placed = (dependence.number, from.clone(), to.clone());
        if let Some(known) = self.ranges.borrow().get(&placed) {
            return Ok(*known);
        }
        let found = range(&self.distances(dependence, from, to)?)?;
        self.ranges.borrow_mut().insert(placed, found);
        Ok(found)
    }

    /// `{ [to(y) − from(x)] }` of dates x and y between which there is a dependence.
    pub(crate) fn distances(&self, dependence: &Dependence, from: &Place, to: &Place) -> Result<Set> {
        self.pairs(dependence, from, to)?.deltas()
    }

    /// `{ [from(x)] -> [to(y)] }` of dates x and y between which there is a dependence.
    pub(crate) fn pairs(&self, dependence: &Dependence, from: &Place, to: &Place) -> Result<Map> {
        let dates = dependence.pairs.domain()?;
        let (from, to) = (from.relation(&dates, &self.parameters)?, to.relation(&dates, &self.parameters)?);
        dependence.pairs.apply_domain(&from)?.apply_range(&to)
    }

    /// Of constants those at whose values a number of iterations is enough for `to` to be behind `from`; none: they don't help.
    pub(crate) fn bounded_by(
        &self,
        dependence: &Dependence,
        (from, to): (&Place, &Place),
        constants: &[(ParameterId, i64)],
    ) -> Result<Vec<ParameterId>> {
        let placed = (dependence.number, from.clone(), to.clone());
        if let Some(known) = self.bounding.borrow().get(&placed) {
            return Ok(known.clone());
        }
        let found = self.found_bounded_by(dependence, (from, to), constants)?;
        self.bounding.borrow_mut().insert(placed, found.clone());
        Ok(found)
    }

    fn found_bounded_by(
        &self,
        dependence: &Dependence,
        (from, to): (&Place, &Place),
        constants: &[(ParameterId, i64)],
    ) -> Result<Vec<ParameterId>> {
        let distances = self.distances(dependence, from, to)?;
        let is_bounded = |at: &[(ParameterId, i64)]| {
            let named: Vec<(&str, i64)> = at.iter().map(|(id, value)| (&self.parameters[id.0][..], *value)).collect();
            Ok::<bool, Error>(range(&distances.at(&named)?)?.0.is_some())
        };
        let mut needed = constants.to_vec();
        if !is_bounded(&needed)? {
            return Ok(Vec::new());
        }
        for constant in constants {
            let others: Vec<(ParameterId, i64)> = needed.iter().filter(|other| *other != constant).copied().collect();
            if is_bounded(&others)? {
                needed = others;
            }
        }
        Ok(needed.into_iter().map(|(id, _)| id).collect())
    }

    /// What of a dependence is between operations in one place.
    pub(crate) fn in_one(&self, dependence: &Dependence, from: &Place, to: &Place) -> Result<Within> {
        let placed = (dependence.number, from.clone(), to.clone());
        if let Some(known) = self.within.borrow().get(&placed) {
            return Ok(known.clone());
        }
        let found = self.found_in_one(dependence, from, to)?;
        self.within.borrow_mut().insert(placed, found.clone());
        Ok(found)
    }

    fn found_in_one(&self, dependence: &Dependence, from: &Place, to: &Place) -> Result<Within> {
        let dates = dependence.pairs.domain()?;
        let (from, to) = (from.relation(&dates, &self.parameters)?, to.relation(&dates, &self.parameters)?);
        let pairs = dependence.pairs.intersect(&from.apply_range(&to.reverse()?)?)?;
        if pairs.is_empty()? {
            return Ok((None, false));
        }
        let is_whole = dependence.pairs.is_subset(&pairs)?;
        let number = self.numbers.get();
        self.numbers.set(number + 1);
        Ok((Some(Dependence { pairs, number, ..dependence.clone() }), is_whole))
    }
}

/// The smallest and the largest of some differences for any sizes, if there are any that fit into 64 bits.
pub(crate) fn range(differences: &Set) -> Result<Range> {
    let all = differences.without_parameters()?;
    Ok((fitting(all.dim_min_value(0))?, fitting(all.dim_max_value(0))?))
}

/// A number, if it fits into 64 bits.
pub(crate) fn fitting(found: Result<Option<i64>>) -> Result<Option<i64>> {
    match found {
        Err(Error { kind: ErrorKind::Limit, .. }) => Ok(None),
        other => other,
    }
}

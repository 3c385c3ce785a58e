//! Which values integers have, by the counters of the loops around.
//!
//! The idea: a counter lies between what its loop begins with and its bound. With these in its place a sum has a least and a
//! largest value. Where an end is chosen by a size, each choice knows how that size compares.
//!
//! Assumed: an iteration changes neither what the loop begins with nor its bound.
//!
//! Example: in `for (i = 0; i < n; i++)` the sum `n - i` is from 1 up to n.

use crate::comparison::Comparison;
use polyfold_program::Sum;
use polyfold_program::{Cond, Int, LocalId, Loop, Relation};

/// The values of a loop's counter, or of a size: none is less than one of `least`, none more than one of `most`.
#[derive(Clone)]
pub(crate) struct Counter {
    at: Int,
    least: Vec<Int>,
    most: Vec<Int>,
}

impl Counter {
    /// What the loop begins with and its test come first, what its head says behind them.
    pub(crate) fn of(own: &Loop) -> Counter {
        let mut counter = Counter { at: Int::Local(own.counter), least: Vec::new(), most: Vec::new() };
        let first = own.first.iter();
        match own.step {
            Some(1..) => first.for_each(|first| counter.note(first, true)),
            Some(_) => first.for_each(|first| counter.note(first, false)),
            None => {}
        }
        let said = std::iter::once(&own.test).chain(&own.invariant.ranges);
        said.for_each(|cond| counter.note_cond(cond, own.counter));
        counter
    }

    /// The same where a condition holds.
    pub(crate) fn where_holds(&self, cond: &Cond) -> Counter {
        let mut counter = self.clone();
        if let Int::Local(own) = self.at {
            counter.note_cond(cond, own);
        }
        counter
    }

    /// A size that a number is compared with, where that holds. `None`: it is another condition.
    fn of_size(cond: &Cond) -> Option<Counter> {
        let Cond::Compare(relation, at @ Int::Parameter(_), Int::Constant(number)) = cond else { return None };
        let one = |number: Option<i64>| number.map(Int::Constant).into_iter().collect();
        let (least, most) = match relation {
            Relation::Equal => (Some(*number), Some(*number)),
            Relation::LessOrEqual => (None, Some(*number)),
            Relation::Less => (None, number.checked_sub(1)),
            Relation::GreaterOrEqual => (Some(*number), None),
            Relation::Greater => (number.checked_add(1), None),
            Relation::NotEqual => return None,
        };
        Some(Counter { at: at.clone(), least: one(least), most: one(most) })
    }

    fn note_cond(&mut self, cond: &Cond, own: LocalId) {
        match (cond, Comparison::of(cond, own)) {
            (Cond::And(left, right), _) => [left, right].into_iter().for_each(|cond| self.note_cond(cond, own)),
            (_, Some(own)) if own.is_at_least => self.note(&own.threshold, true),
            (_, Some(own)) => self.note(&plus(&own.threshold, -1), false),
            _ => {}
        }
    }

    /// What is at least a maximum is at least both.
    fn note(&mut self, end: &Int, is_least: bool) {
        let ends = if is_least { &mut self.least } else { &mut self.most };
        ends.extend(Sum::of(end, 1).extremes(is_least).iter().map(|own| own.print(&[])));
    }

    /// How many iterations there are besides the first one, for a loop that has one: no more than each of these, and as many as
    /// the least of them.
    pub(crate) fn iterations(&self) -> Vec<Sum> {
        let up_to = |most: &Int| self.least.iter().map(|least| Sum::of(most, 1).plus(least, -1)).collect::<Vec<_>>();
        self.most.iter().flat_map(up_to).collect()
    }

    /// Whether there is one iteration at most.
    pub(crate) fn runs_once(&self) -> bool {
        let is_one = |least: &Int, most: &Int| Sum::difference(most, least).is_some_and(|own| own <= 0);
        self.least.iter().any(|least| self.most.iter().any(|most| is_one(least, most)))
    }
}

/// An integer and a number.
pub(crate) fn plus(e: &Int, by: i64) -> Int {
    Sum::of(e, 1).plus(&Int::Constant(by), 1).print(&[])
}

/// Whether an integer is at least a number, and at most another integer and a number, for all values of the counters.
pub(crate) fn is_between(e: &Int, (least, most, by): (i64, &Int, i64), around: &[Counter]) -> bool {
    if let Int::Select(cond, yes, no) = most
        && let Some(size) = Counter::of_size(cond)
    {
        let here: Vec<Counter> = std::iter::once(size).chain(around.iter().cloned()).collect();
        return is_between(e, (least, yes, by), &here) && is_between(e, (least, no, by), around);
    }
    some_extreme(Sum::of(e, 1), false, around, &|own| own >= least)
        && some_extreme(Sum::of(e, 1).plus(most, -1), true, around, &|own| own <= by)
}

/// Whether some number that a sum is at most, or at least, is as wanted: with the counters' ends in their places, inner loops
/// first.
fn some_extreme(sum: Sum, is_largest: bool, around: &[Counter], is_wanted: &dyn Fn(i64) -> bool) -> bool {
    let Some((counter, outer)) = around.split_last() else { return sum.number().is_some_and(is_wanted) };
    let at = &counter.at;
    let ends = match sum.without(at) {
        None | Some((i64::MIN, _)) => return false,
        Some((0, _)) => return some_extreme(sum, is_largest, outer, is_wanted),
        Some((factor, _)) => {
            let ends = if (factor > 0) == is_largest { &counter.most } else { &counter.least };
            ends.iter().map(move |end| (end, factor))
        }
    };
    let placed = |(end, factor): (&Int, i64)| sum.clone().plus(at, -factor).plus(end, factor);
    ends.map(placed).any(|sum| some_extreme(sum, is_largest, outer, is_wanted))
}

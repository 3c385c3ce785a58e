//! Which values integers have, by the counters of the loops around.
//!
//! The idea: a counter lies between what its loop begins with and its bound. With these in its place a sum has a least and a
//! largest value.
//!
//! Assumed: an iteration changes neither what the loop begins with nor its bound.
//!
//! Example: in `for (i = 0; i < n; i++)` the sum `n - i` is from 1 up to n.

use crate::comparison::Comparison;
use crate::sum::Sum;
use polyfold_program::{Int, LocalId, Loop};

/// The values of a loop's counter.
pub(crate) struct Counter {
    local: LocalId,
    least: Option<Int>,
    most: Option<Int>,
}

impl Counter {
    pub(crate) fn of(own: &Loop) -> Counter {
        let mut counter = Counter { local: own.counter, least: None, most: None };
        let bound = Comparison::of(&own.test, own.counter);
        let end = |is_at_least: bool| bound.as_ref().filter(|own| own.is_at_least == is_at_least);
        match own.step {
            Some(1..) => {
                counter.least = own.first.clone();
                counter.most = end(false).map(|own| plus(&own.threshold, -1));
            }
            Some(_) => {
                counter.most = own.first.clone();
                counter.least = end(true).map(|own| own.threshold.clone());
            }
            None => {}
        }
        counter
    }

    /// How many iterations there are besides the first one, for a loop that has one.
    pub(crate) fn iterations(&self) -> Option<Sum> {
        Some(Sum::of(self.most.as_ref()?, 1).plus(self.least.as_ref()?, -1))
    }
}

/// An integer and a number.
pub(crate) fn plus(e: &Int, by: i64) -> Int {
    Sum::of(e, 1).plus(&Int::Constant(by), 1).print(&[])
}

/// Whether an integer is at least a number, and at most another integer and a number, for all values of the counters.
pub(crate) fn is_between(e: &Int, (least, most, by): (i64, &Int, i64), around: &[Counter]) -> bool {
    let is_least = extreme(Sum::of(e, 1), false, around).and_then(|own| own.number()).is_some_and(|own| own >= least);
    let above = extreme(Sum::of(e, 1).plus(most, -1), true, around).and_then(|own| own.number());
    is_least && above.is_some_and(|own| own <= by)
}

/// The largest or least value of a sum, with the counters' ends in their places, inner loops first.
fn extreme(sum: Sum, is_largest: bool, around: &[Counter]) -> Option<Sum> {
    around.iter().rev().try_fold(sum, |sum, counter| {
        let at = Int::Local(counter.local);
        let (factor, _) = sum.without(&at)?;
        let end = match (factor, (factor > 0) == is_largest) {
            (0, _) => return Some(sum),
            (_, true) => counter.most.as_ref()?,
            (_, false) => counter.least.as_ref()?,
        };
        Some(sum.plus(&at, factor.checked_neg()?).plus(end, factor))
    })
}

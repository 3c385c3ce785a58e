//! How loops go through rings of a few cells.
//!
//! ```text
//! value v(j) in the k-th turn:   v(first) + k s   =   c + at s   (mod M)      c = v(first) mod M,  at = k mod T,  T s a multiple of M
//! ```
//!
//! That v(first) mod M is one number c for all sizes and counters around is shown on sets, from the loop's first value, or that of a part of it. Where v(j) is shown to
//! stay between two multiples of M, multiples of M aside, it is a sum: `a[j]`, `a[j - 16]`, and `a[(4 * k + 2 * i + 1) % 4]` for i = 0 and 1 is `a[2 * i + 1]`.
//!
//! Example: `a[(j + 1) % 3]` in a loop from 2 by 1 is `a[at]`, since 2 + 1 is a multiple of 3, and `a[j % 3]` is `a[at > 0 ? at - 1 : 2]`.

use super::Segments;
use super::common::Common;
use super::frame::LoopFrame;
use super::parts::Part;
use crate::linear::Linear;
use polyfold_isl::{Map, Result, Set};

/// Longer strips are no better than a remainder.
pub(super) const MOST_TURNS: i64 = 31;

/// How a loop goes through a subscript's values.
#[derive(PartialEq, Eq)]
pub(super) enum Course {
    /// None of them wraps around: it is a sum.
    Sum(String),
    Ring(Ring),
}

/// How a loop goes through a ring.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Ring {
    pub(super) cells: i64,
    /// Where it is in the first turn.
    pub(super) first: i64,
    /// By how much it moves in each, below the number of cells.
    pub(super) by: i64,
}

impl Segments<'_> {
    /// How a part goes through a ring of few cells; `None`: where it begins depends, or the subscript is of something else.
    pub(super) fn course_in_few(&self, common: &Common, part: &Part) -> Result<Option<Course>> {
        let cells = common.modulus().parse().ok().filter(|cells| (2..=MOST_TURNS).contains(cells));
        let slope = common.slope(self.head.counter).filter(|slope| *slope != 0);
        let by = slope.and_then(|slope| slope.checked_mul(self.inside.node.step));
        let (Some(cells), Some(by), Some(value)) = (cells, by, common.value()) else { return Ok(None) };
        if let Some(sum) = self.sum(&value, cells, part)? {
            return Ok(Some(Course::Sum(sum)));
        }
        let first = match &part.iterations {
            Some(iterations) => Some(iterations.dim_min(0)?),
            None => LoopFrame::first_value(self.accesses.decisions, self.loops_around(), self.inside.node)?,
        };
        let Some(first) = first else { return Ok(None) };
        let place = self.number_at(&first.graph()?, &value, &format!("mod {cells}"))?;
        Ok(place.map(|first| Course::Ring(Ring { cells, first, by: by.rem_euclid(cells) })))
    }

    /// A value that stays between two multiples of the number of cells, less the first one, where multiples of that number are all that it has beside the
    /// counter and a number.
    fn sum(&self, value: &Linear, cells: i64, part: &Part) -> Result<Option<String>> {
        let counter = self.head.counter;
        if value.terms().any(|(name, factor)| name != counter && factor % cells != 0) {
            return Ok(None);
        }
        let iterations = match &part.iterations {
            Some(iterations) => Some(iterations.clone()),
            None => self.frame()?.map(|frame| frame.iterations()).transpose()?,
        };
        let Some(iterations) = iterations else { return Ok(None) };
        let slope = value.factor(counter);
        let mut own = Linear::default();
        own.constant = value.constant;
        if own.add(slope, &Linear::variable(counter)).is_none() {
            return Ok(None);
        }
        let times = self.number_at(&iterations, &own, &format!("/ {cells}"))?;
        let number = times.and_then(|times| value.constant.checked_sub(times.checked_mul(cells)?));
        Ok(number.map(|number| multiple_and(slope, counter, number)))
    }

    /// What is left of a value, or how often something goes into it, where it is one number for all of some values of the counter.
    fn number_at(&self, iterations: &Set, value: &Linear, divided: &str) -> Result<Option<i64>> {
        let names = LoopFrame::names(self.accesses.decisions, self.loops_around());
        let own = |name: &str| (name == self.head.counter).then(|| "x".to_string());
        let Some(value) = value.in_isl(|name| own(name).or_else(|| names.of(name))) else { return Ok(None) };
        let iterations = iterations.intersect_params(self.accesses.decisions.proved)?;
        let divided = format!("[{}] -> {{ [x] -> [floor(({value}) {divided})] }}", names.all());
        let numbers = iterations.apply(&Map::read(iterations.context(), &divided)?)?;
        let Some(least) = numbers.dim_min_value(0)? else { return Ok(None) };
        let is_one = numbers.is_subset(&Set::read(numbers.context(), &format!("{{ [{least}] }}"))?)?;
        Ok(is_one.then_some(least))
    }
}

impl Course {
    /// After how many turns the loop is where it was.
    pub(super) fn turns(&self) -> i64 {
        if let Course::Ring(ring) = self { ring.turns() } else { 1 }
    }

    /// The subscript in a turn of a strip of so many turns, in C.
    pub(super) fn at(&self, turn: &str, turns: i64) -> String {
        match self {
            Course::Sum(sum) => sum.clone(),
            Course::Ring(ring) => ring.at(turn, turns),
        }
    }
}

impl Ring {
    fn turns(&self) -> i64 {
        self.cells / common_divisor(self.cells, self.by)
    }

    fn at(&self, turn: &str, turns: i64) -> String {
        let Ring { cells, first, by } = *self;
        let last = cells - 1;
        match (by, first) {
            (0, _) => first.to_string(),
            (1, 0) if turns == cells => turn.to_string(),
            (1, 1) if turns == cells && cells == 2 => format!("1 - {turn}"),
            (1, _) if turns == cells && first == last => format!("{turn} > 0 ? {turn} - 1 : {last}"),
            (1, 1) if turns == cells => format!("{turn} < {last} ? {turn} + 1 : 0"),
            (1, _) if turns == cells => {
                format!("{turn} < {0} ? {turn} + {first} : {turn} - {0}", cells - first)
            }
            (_, _) if by == last && turns == cells && first == last => format!("{last} - {turn}"),
            (_, 0) if by == last && turns == cells => format!("{turn} > 0 ? {cells} - {turn} : 0"),
            (_, _) if by == last && turns == cells => {
                format!("{turn} <= {first} ? {first} - {turn} : {} - {turn}", cells + first)
            }
            (1, 0) => format!("{turn} % {cells}"),
            (1, _) => format!("({turn} + {first}) % {cells}"),
            (_, 0) => format!("{by} * {turn} % {cells}"),
            (_, _) => format!("({by} * {turn} + {first}) % {cells}"),
        }
    }
}

/// `slope * counter + number` in C.
fn multiple_and(slope: i64, counter: &str, number: i64) -> String {
    match slope {
        1 => Linear::plus(counter, number),
        -1 => format!("{number} - {counter}"),
        _ if slope < 0 => format!("{number} - {} * {counter}", slope.unsigned_abs()),
        _ => Linear::plus(&format!("{slope} * {counter}"), number),
    }
}

/// The largest number that divides both.
pub(super) fn common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of what is written, which has one operator of each kind at most.
    fn value(text: &str, at: i64) -> i64 {
        let text = text.replace("at", &at.to_string());
        if let Some((condition, rest)) = text.split_once(" ? ") {
            let (yes, no) = rest.split_once(" : ").unwrap();
            let ask = |sign: &str| condition.split_once(sign).map(|(a, b)| (value(a, 0), value(b, 0)));
            let holds =
                ask(" <= ").map(|(a, b)| a <= b).or(ask(" < ").map(|(a, b)| a < b)).or(ask(" > ").map(|(a, b)| a > b));
            return value(if holds.unwrap() { yes } else { no }, 0);
        }
        let binary = |sign: &str| text.rsplit_once(sign).map(|(a, b)| (value(a, 0), value(b, 0)));
        match () {
            () if text.contains(" % ") => binary(" % ").map(|(a, b)| a % b).unwrap(),
            () if text.contains('(') => value(text.trim_matches(['(', ')']), 0),
            () if text.contains(" + ") => binary(" + ").map(|(a, b)| a + b).unwrap(),
            () if text.contains(" - ") => binary(" - ").map(|(a, b)| a - b).unwrap(),
            () if text.contains(" * ") => binary(" * ").map(|(a, b)| a * b).unwrap(),
            () => text.parse().unwrap(),
        }
    }

    #[test]
    fn places_are_where_the_ring_is() {
        for cells in 2..=9 {
            for (first, by) in (0..cells).flat_map(|first| (0..cells).map(move |by| (first, by))) {
                let ring = Ring { cells, first, by };
                for turns in [ring.turns(), 2 * ring.turns(), 3 * ring.turns()] {
                    let text = ring.at("at", turns);
                    for at in 0..turns {
                        assert_eq!(value(&text, at), (first + at * by) % cells, "{text} for {at}");
                    }
                }
            }
        }
    }

    #[test]
    fn turns_are_as_few_as_come_back() {
        let turns = |cells, by| Ring { cells, first: 0, by }.turns();
        assert_eq!([turns(3, 1), turns(3, 2), turns(4, 2), turns(6, 4), turns(2, 0)], [3, 3, 2, 3, 1]);
    }
}

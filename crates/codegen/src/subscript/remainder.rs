//! Subscripts that are remainders, and what may stand for them.
//!
//! Example: while `(t + i) % n` does not wrap around, a variable `at = (t + i) % n - i` makes it `at + i`.

use crate::home::words;
use crate::linear::Linear;
use std::collections::BTreeMap;

/// A subscript `value % modulus`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remainder {
    /// What the storage is called.
    pub(crate) storage: String,
    /// All of it, in C.
    pub(crate) text: String,
    /// The modulus, in C.
    pub(crate) modulus: String,
    /// What the value is a sum of, beside the next two.
    pub(super) summands: Vec<Summand>,
    /// A function of the sizes.
    pub(super) shift: Summand,
    /// How many moduli; `None`: as many as it takes for a value that is not negative.
    pub(super) lift: Option<i64>,
}

/// A multiple of a coordinate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Summand {
    pub(super) factor: i64,
    /// The coordinate in C, less a number.
    pub(super) text: String,
    pub(super) offset: i64,
    /// What it is worth where that is linear.
    pub(super) linear: Option<Linear>,
}

impl Remainder {
    /// By how much the value grows with a variable, if that is known.
    pub(crate) fn slope(&self, variable: &str) -> Option<i64> {
        self.summands.iter().try_fold(0i64, |sum, summand| sum.checked_add(summand.slope(variable)?))
    }
}

impl Remainder {
    /// Whether its value is larger by one than another one's.
    pub(crate) fn follows(&self, other: &Remainder) -> bool {
        self.lift == other.lift && self.distance(other) == Some(1)
    }

    /// Whether it may stand for another one: their values are equal but for moduli, of which this one has no fewer.
    ///
    /// Where the other one is not negative, neither is this one, and both are the same.
    pub(crate) fn stands_for(&self, other: &Remainder) -> bool {
        let has_enough = self.lift.is_none() || other.lift.is_some_and(|lift| self.lift >= Some(lift));
        has_enough && self.distance(other) == Some(0)
    }

    /// By how much its value is larger than another one's, moduli aside; `None`: that is not known.
    fn distance(&self, other: &Remainder) -> Option<i64> {
        if (&self.storage, &self.modulus) != (&other.storage, &other.modulus) {
            return None;
        }
        let mut sum = Linear::default();
        let own = self.summands.iter().chain([&self.shift]).map(|summand| (1, summand));
        let others = other.summands.iter().chain([&other.shift]).map(|summand| (-1, summand));
        for (sign, summand) in own.chain(others) {
            sum.add(summand.factor.checked_mul(sign)?, &summand.all()?)?;
        }
        sum.as_constant()
    }
}

impl Summand {
    /// A function of the sizes.
    pub(super) fn new(text: &str) -> Summand {
        Summand { factor: 1, text: text.to_string(), offset: 0, linear: Linear::parse(text) }
    }

    /// All of it; what is not linear, as a variable of its own.
    fn all(&self) -> Option<Linear> {
        let mut all = match &self.linear {
            Some(linear) => return Some(linear.clone()),
            None => Linear::variable(&self.text),
        };
        all.constant = self.offset;
        Some(all)
    }

    fn slope(&self, variable: &str) -> Option<i64> {
        match &self.linear {
            Some(linear) => self.factor.checked_mul(linear.factor(variable)),
            None => words(&self.text).all(|(_, word)| word != variable).then_some(0),
        }
    }
}

/// What stands for remainders, by their text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Positions(pub(crate) BTreeMap<String, String>);

impl Positions {
    /// What stands for a subscript.
    pub(super) fn of(&self, subscript: String) -> String {
        self.0.get(&subscript).cloned().unwrap_or(subscript)
    }
}

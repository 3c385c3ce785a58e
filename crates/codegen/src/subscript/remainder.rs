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
    /// A function of the sizes, in C.
    pub(super) shift: String,
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
        let is_alike = (&self.storage, &self.modulus, &self.shift, self.lift)
            == (&other.storage, &other.modulus, &other.shift, other.lift);
        let difference = || {
            let mut sum = Linear::default();
            for (sign, summand) in self.summands.iter().map(|s| (1, s)).chain(other.summands.iter().map(|s| (-1, s))) {
                sum.add(summand.factor.checked_mul(sign)?, &summand.all()?)?;
            }
            sum.as_constant()
        };
        is_alike && difference() == Some(1)
    }
}

impl Summand {
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

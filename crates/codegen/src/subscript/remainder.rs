//! Subscripts that are remainders, and what may stand for them.
//!
//! Example: while `(t + i) % n` does not wrap around, a variable `at = (t + i) % n - i` makes it `at + i`.

use super::operand::{is_in_parentheses, parenthesized};
use crate::home::words;
use crate::linear::{Linear, Variables};
use crate::names::LONG;
use crate::overflow::{Range, may_overflow};
use polyfold_isl::PwAff;
use polyfold_scop::{Parameter, ParameterOrigin};
use std::collections::BTreeMap;

/// A subscript `value % modulus`.
#[derive(Clone, Debug)]
pub(crate) struct Remainder {
    /// What the storage is called.
    pub(crate) storage: String,
    /// All of it, in C.
    pub(crate) text: String,
    /// The modulus, in C.
    pub(crate) modulus: String,
    /// The modulus, as a function of the sizes; `None`: it grows faster than they do.
    pub(crate) size: Option<PwAff>,
    /// A number that the modulus is never below; 0: it may be unsigned.
    pub(super) least: i64,
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
    /// Whether the value goes past no more than one multiple of the modulus if it changes by a number.
    pub(crate) fn wraps_once(&self, by: i64) -> bool {
        by.unsigned_abs() <= self.least.unsigned_abs()
    }

    /// By how much the value grows with a variable, if that is known.
    pub(crate) fn slope(&self, variable: &str) -> Option<i64> {
        self.summands.iter().try_fold(0i64, |sum, summand| sum.checked_add(summand.slope(variable)?))
    }
}

/// Factors and constants up to here: a sum of a few multiples of numbers of type `int` fits `long`.
const MOST: u64 = 1 << 24;

/// All that an `int` holds.
const INT_RANGE: Range = (i32::MIN as i128, i32::MAX as i128);

impl Remainder {
    /// The remainder where variables have values, one put in after the other, computed as `long`; `None`: it might overflow there, or divide by 0.
    ///
    /// The loop that changes the variable need not have an iteration with that value. So what is known of subscripts that are used
    /// does not count, and the result may be negative. Products are variables of their own, in which nothing can be put.
    pub(crate) fn at(&self, values: &[(&str, &Linear)], variables: &Variables) -> Option<String> {
        let sum = self.value()?;
        let is_inside =
            |name: &str| values.iter().any(|(own, _)| *own != name && words(name).any(|(_, word)| word == *own));
        if sum.terms().any(|(name, _)| is_inside(name)) {
            return None;
        }
        let sum = values.iter().try_fold(sum, |sum, (variable, value)| sum.at(variable, value))?;
        let is_small = |number: i64| number.unsigned_abs() <= MOST;
        let fits = sum.terms().all(|(name, factor)| is_small(factor) && are_ints(name, variables));
        if self.least < 1 || !fits || !is_small(sum.constant) || sum.terms().count() > 16 {
            return None;
        }
        let is_operand = sum.constant == 0 && sum.terms().map(|(_, factor)| factor).eq([1]);
        let wide = Variables { wide: true, ..*variables };
        let (terms, modulus) = (sum.print_terms(Some(&wide)), parenthesized(&self.modulus));
        let value = match (terms.is_empty(), sum.constant) {
            (true, constant) => constant.to_string(),
            (false, 0) => terms,
            (false, constant) if constant < 0 => format!("{terms} - {}", constant.unsigned_abs()),
            (false, constant) => format!("{terms} + {constant}"),
        };
        if may_overflow(&value, &|_| INT_RANGE) {
            return None;
        }
        let raised = match self.lift {
            _ if value == "0" => return Some(value),
            None if value.parse::<u64>().is_ok() => value,
            None => return Some(format!("({} % {modulus} + {modulus}) % {modulus}", parenthesized(&value))),
            Some(0) if is_operand => value,
            Some(0) => parenthesized(&value),
            Some(1) => format!("({value} + {LONG}{modulus})"),
            Some(lift) if lift.unsigned_abs() > MOST => return None,
            Some(lift) => format!("({value} + {lift} * {LONG}{modulus})"),
        };
        Some(format!("{raised} % {modulus}"))
    }

    /// What it is the remainder of, in C; `None`: it has moduli in it that keep it from being negative.
    pub(crate) fn operand(&self) -> Option<&str> {
        let operand = self.text.strip_suffix(&format!(" % {}", parenthesized(&self.modulus)))?;
        let inside = operand.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let is_one = is_in_parentheses(operand);
        (self.lift == Some(0)).then(|| inside.filter(|_| is_one).unwrap_or(operand))
    }

    /// What it is the remainder of, less the moduli that keep it from being negative; what is not linear, as variables.
    pub(crate) fn value(&self) -> Option<Linear> {
        let mut sum = Linear::default();
        for summand in self.summands.iter().chain([&self.shift]) {
            sum.add(summand.factor, &summand.closed())?;
        }
        Some(sum)
    }

    /// By how much its value is larger than another one's, which has as many moduli more; `None`: that is not known.
    pub(crate) fn ahead_of(&self, other: &Remainder) -> Option<i64> {
        self.distance(other)?.as_constant().filter(|_| self.lift == other.lift)
    }

    /// By how much its value is larger than another one's, multiples of the modulus aside: the least number from 1 on among those with up to one
    /// modulus more or less, or with any if that is a number; `None`: there is none.
    pub(crate) fn ahead_in_ring(&self, other: &Remainder) -> Option<i64> {
        let distance = self.distance(other)?;
        let modulus = Linear::parse(self.modulus.replace(LONG, "").trim_matches(['(', ')']))?;
        if let (Some(distance), Some(modulus)) = (distance.as_constant(), modulus.as_constant()) {
            return distance.checked_rem_euclid(modulus).filter(|ahead| *ahead > 0);
        }
        let with = |times: i64| {
            let mut sum = distance.clone();
            sum.add(times, &modulus)?;
            sum.as_constant().filter(|ahead| *ahead > 0)
        };
        [-1, 0, 1].into_iter().filter_map(with).min()
    }

    /// The same one, never negative.
    pub(crate) fn raised(&self) -> Remainder {
        Remainder { lift: None, ..self.clone() }
    }

    /// The same one, for values that are not negative without moduli.
    pub(crate) fn unraised(&self) -> Remainder {
        Remainder { lift: Some(0), ..self.clone() }
    }

    /// Whether it may stand for another one: their values are equal but for moduli, of which this one has no fewer, those in the
    /// sums included: `(t + 1) % 2` for `(t - 1) % 2`, and `t % (n + 1)` for `(t - n - 1 + (n + 1)) % (n + 1)`.
    ///
    /// Where the other one is not negative, neither is this one, and both are the same.
    pub(crate) fn stands_for(&self, other: &Remainder) -> bool {
        let Some(more) = self.distance(other).and_then(|distance| self.moduli_in(&distance)) else { return false };
        match (self.lift, other.lift) {
            (None, _) => true,
            (Some(own), Some(other)) => own.saturating_add(more) >= other,
            (Some(_), None) => false,
        }
    }

    /// How many moduli a sum is; `None`: it is no multiple of them.
    fn moduli_in(&self, sum: &Linear) -> Option<i64> {
        if sum.as_constant() == Some(0) {
            return Some(0);
        }
        let modulus = Linear::parse(self.modulus.replace(LONG, "").trim_matches(['(', ')']))?;
        let (all, one) = match modulus.terms().next() {
            Some((name, factor)) => (sum.factor(name), factor),
            None => (sum.constant, modulus.constant),
        };
        let times = all.checked_div(one).filter(|times| *times != 0)?;
        let mut rest = sum.clone();
        rest.add(times.checked_neg()?, &modulus)?;
        (rest.as_constant() == Some(0)).then_some(times)
    }

    /// By how much its value is larger than another one's, moduli aside; `None`: that is not known.
    fn distance(&self, other: &Remainder) -> Option<Linear> {
        if (&self.storage, &self.modulus) != (&other.storage, &other.modulus) {
            return None;
        }
        let mut sum = Linear::default();
        let own = self.summands.iter().chain([&self.shift]).map(|summand| (1, summand));
        let others = other.summands.iter().chain([&other.shift]).map(|summand| (-1, summand));
        for (sign, summand) in own.chain(others) {
            sum.add(summand.factor.checked_mul(sign)?, &summand.all()?)?;
        }
        Some(sum)
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

    /// The same, in parentheses where it is not linear.
    fn closed(&self) -> Linear {
        self.linear.clone().unwrap_or_else(|| {
            let mut sum = Linear::variable(&parenthesized(&self.text));
            sum.constant = self.offset;
            sum
        })
    }

    fn slope(&self, variable: &str) -> Option<i64> {
        match &self.linear {
            Some(linear) => self.factor.checked_mul(linear.factor(variable)),
            None => words(&self.text).all(|(_, word)| word != variable).then_some(0),
        }
    }
}

/// Whether all variables of a text are plainly of type `int`, or signed constants that fit one.
pub(super) fn are_ints(text: &str, variables: &Variables) -> bool {
    let is_small = |p: &Parameter| matches!(p.origin, ParameterOrigin::Constant(value) if i32::try_from(value).is_ok());
    let is_constant = |word: &str| {
        let found = variables.scop.parameters.iter().find(|p| p.name == word);
        found.is_some_and(is_small) && variables.signed.contains_macro(word)
    };
    words(text).all(|(_, word)| match word.starts_with(|c: char| c.is_ascii_digit()) {
        true => word.parse::<i32>().is_ok(),
        false => word == "long" || variables.signed.is_int(word) || is_constant(word),
    })
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

//! Subscripts of equal values, under one name.
//!
//! `a[(i - 2 + m) % m]` and `a[(i - 2 + 2 * m) % m]` are one cell. Compilers do not know that, and take writing the one and reading the
//! other for something that keeps them from making vectors; with one name they do.

use crate::linear::{Linear, Variables};
use crate::subscript::{Remainder, is_in_parentheses, parenthesized};
use polyfold_isl::PwAff;

/// A remainder that stands for others, too.
#[derive(Clone, Debug)]
pub(super) struct Common {
    remainder: Remainder,
    /// How all of them read.
    pub(super) texts: Vec<String>,
    /// Whether every iteration has one of them.
    pub(super) is_sure: bool,
}

impl Common {
    /// All remainders, each together with whether every iteration has it. One comes behind those that it follows.
    pub(super) fn all(found: Vec<(Remainder, bool)>) -> Vec<Common> {
        let mut all: Vec<Common> = Vec::new();
        for (remainder, is_sure) in found {
            let text = remainder.text.clone();
            let stands = |common: &Common| {
                let other = &common.remainder;
                other.text == text || other.stands_for(&remainder) || remainder.stands_for(other)
            };
            match all.iter_mut().find(|common| stands(common)) {
                Some(common) => {
                    if !common.texts.contains(&text) {
                        common.texts.push(text);
                    }
                    common.is_sure |= is_sure;
                    if !common.remainder.stands_for(&remainder) {
                        common.remainder = remainder;
                    }
                }
                None => all.push(Common { remainder, texts: vec![text], is_sure }),
            }
        }
        let smaller: Vec<usize> = all.iter().map(|own| own.count_before(&all)).collect();
        let mut ordered: Vec<(usize, Common)> = smaller.into_iter().zip(all).collect();
        ordered.sort_by_key(|(smaller, _)| *smaller);
        ordered.into_iter().map(|(_, common)| common).collect()
    }

    /// How many others it follows, through each other.
    fn count_before(&self, all: &[Common]) -> usize {
        let mut count = 0;
        let mut last = self;
        while let Some(before) = all.iter().find(|before| last.follows(before)) {
            last = before;
            count += 1;
        }
        count
    }

    /// Whether its value is larger by one than another one's.
    pub(super) fn follows(&self, other: &Common) -> bool {
        self.ahead_of(other) == Some(1)
    }

    /// By how much its value is larger than another one's; `None`: that is not known.
    pub(super) fn ahead_of(&self, other: &Common) -> Option<i64> {
        self.remainder.ahead_of(&other.remainder)
    }

    /// By how much its value is larger than another one's, less multiples of the modulus; `None`: that is no number.
    pub(super) fn ahead_in_ring(&self, other: &Common) -> Option<i64> {
        self.remainder.ahead_in_ring(&other.remainder)
    }

    pub(super) fn text(&self) -> &str {
        &self.remainder.text
    }

    pub(super) fn modulus(&self) -> &str {
        &self.remainder.modulus
    }

    /// What the remainder is of, in C; `None`: it has moduli in it that keep it from being negative.
    pub(super) fn operand(&self) -> Option<&str> {
        self.remainder.operand()
    }

    /// What the remainder is of, moduli aside; `None`: it is no sum.
    pub(super) fn value(&self) -> Option<Linear> {
        self.remainder.value()
    }

    /// The modulus as a function of the sizes; `None`: it is none that isl knows.
    pub(super) fn size(&self) -> Option<&PwAff> {
        self.remainder.size.as_ref()
    }

    /// The declaration of a place that is so many cells ahead of another one, which is in the ring: it may have wrapped around.
    pub(super) fn wrapped(&self, name: &str, from: &str, ahead: i64) -> String {
        let (place, modulus) = (format!("{from} + {ahead}"), parenthesized(self.modulus()));
        let wrapped = if ahead == 1 { "0".to_string() } else { format!("{place} - {modulus}") };
        format!("const long {name} = {place} < {modulus} ? {place} : {wrapped};")
    }

    /// The last value of a counter, to which a place is added, that is so many cells in front of the modulus.
    pub(super) fn end(&self, place: &str, cells: i64) -> String {
        format!("{} - {place}", self.in_front(cells))
    }

    /// So many cells in front of the modulus; three in front of `(long)n + 1` is `(long)n - 2`.
    pub(super) fn in_front(&self, cells: i64) -> String {
        let (modulus, wide) = (self.modulus(), "(long)");
        let bare = if is_in_parentheses(modulus) { &modulus[1..modulus.len() - 1] } else { modulus };
        if let Some(sum) = bare.strip_prefix(wide).filter(|sum| Linear::parse(sum).is_some()) {
            return format!("{wide}{}", Linear::plus(sum, -cells));
        }
        let is_sum = Linear::parse(modulus).is_some();
        Linear::plus(&if is_sum { modulus.to_string() } else { parenthesized(modulus) }, -cells)
    }

    pub(super) fn storage(&self) -> &str {
        &self.remainder.storage
    }

    /// What it is where a variable has a value, in C; `None`: it might overflow there, or divide by 0.
    pub(super) fn at(&self, variable: &str, value: &Linear, variables: &Variables) -> Option<String> {
        self.remainder.at(&[(variable, value)], variables)
    }

    /// The same where several have values, one put in after the other, and never negative.
    pub(super) fn raised_at(&self, values: &[(&str, &Linear)], variables: &Variables) -> Option<String> {
        self.remainder.raised().at(values, variables)
    }

    /// The same for a value that is not negative without moduli.
    pub(super) fn unraised_at(&self, values: &[(&str, &Linear)], variables: &Variables) -> Option<String> {
        self.remainder.unraised().at(values, variables)
    }

    /// Whether the value goes past no more than one multiple of the modulus if it changes by a number.
    pub(super) fn wraps_once(&self, by: i64) -> bool {
        self.remainder.wraps_once(by)
    }

    /// By how much the value grows with a variable, if that is known.
    pub(super) fn slope(&self, variable: &str) -> Option<i64> {
        self.remainder.slope(variable)
    }
}

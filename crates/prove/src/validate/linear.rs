//! Sums of symbols.

use std::collections::BTreeMap;

/// Something that stands for an unknown integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Symbol(pub(super) u32);

/// `constant + Σ factor * symbol`, without factors that are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Linear {
    pub(super) constant: i128,
    pub(super) terms: BTreeMap<Symbol, i128>,
}

impl Linear {
    pub(super) fn number(constant: i128) -> Linear {
        Linear { constant, terms: BTreeMap::new() }
    }

    pub(super) fn symbol(symbol: Symbol) -> Linear {
        Linear { constant: 0, terms: BTreeMap::from([(symbol, 1)]) }
    }

    /// Its value, if no symbol is in it.
    pub(super) fn as_number(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Whether products of two such factors have room.
    pub(super) fn is_short(&self) -> bool {
        const MOST: u128 = 1 << 62;
        self.terms.values().chain([&self.constant]).all(|number| number.unsigned_abs() <= MOST)
    }

    pub(super) fn times(&self, factor: i128) -> Linear {
        if factor == 0 {
            return Linear::default();
        }
        let terms = self.terms.iter().map(|(symbol, own)| (*symbol, own * factor)).collect();
        Linear { constant: self.constant * factor, terms }
    }

    /// `self + factor * other`
    pub(super) fn plus(&self, other: &Linear, factor: i128) -> Linear {
        let mut sum = self.clone();
        sum.constant += factor * other.constant;
        for (symbol, own) in &other.terms {
            let entry = sum.terms.entry(*symbol).or_insert(0);
            *entry += factor * own;
            if *entry == 0 {
                sum.terms.remove(symbol);
            }
        }
        sum
    }

    pub(super) fn minus(&self, other: &Linear) -> Linear {
        self.plus(other, -1)
    }

    pub(super) fn and(&self, constant: i128) -> Linear {
        Linear { constant: self.constant + constant, terms: self.terms.clone() }
    }
}

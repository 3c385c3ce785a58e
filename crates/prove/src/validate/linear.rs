//! Sums of symbols.

use std::rc::Rc;

/// Something that stands for an unknown integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Symbol(pub(super) u32);

/// `constant + Σ factor * symbol`, without factors that are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Linear {
    pub(super) constant: i128,
    /// By symbol. Facts are copied at each step of a proof, and share their sums.
    terms: Rc<[(Symbol, i128)]>,
}

impl Linear {
    pub(super) fn number(constant: i128) -> Linear {
        Linear { constant, terms: Rc::default() }
    }

    pub(super) fn symbol(symbol: Symbol) -> Linear {
        Linear { constant: 0, terms: Rc::new([(symbol, 1)]) }
    }

    /// The sum of a number and of products, whose symbols come in their order.
    pub(super) fn of(constant: i128, products: impl Iterator<Item = (Symbol, i128)>) -> Linear {
        Linear { constant, terms: products.filter(|(_, factor)| *factor != 0).collect() }
    }

    /// Its symbols with their factors, in their order.
    pub(super) fn terms(&self) -> &[(Symbol, i128)] {
        &self.terms
    }

    /// The factor of a symbol, 0 if it isn't there.
    pub(super) fn factor(&self, symbol: Symbol) -> i128 {
        self.terms.binary_search_by_key(&symbol, |own| own.0).map_or(0, |at| self.terms[at].1)
    }

    /// Its value, if no symbol is in it.
    pub(super) fn as_number(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Whether products of two such factors have room.
    pub(super) fn is_short(&self) -> bool {
        const MOST: u128 = 1 << 62;
        self.terms.iter().map(|own| own.1).chain([self.constant]).all(|number| number.unsigned_abs() <= MOST)
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
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().copied().peekable(), other.terms.iter().copied().peekable());
        loop {
            let next = match (left.peek(), right.peek()) {
                (Some(own), Some(more)) if own.0 == more.0 => {
                    let sum = (own.0, own.1 + factor * more.1);
                    left.next();
                    right.next();
                    Some(sum)
                }
                (Some(own), Some(more)) if own.0 < more.0 => left.next(),
                (Some(_), None) => left.next(),
                (_, Some(_)) => right.next().map(|(symbol, more)| (symbol, factor * more)),
                (None, None) => break,
            };
            terms.extend(next.filter(|own| own.1 != 0));
        }
        Linear { constant: self.constant + factor * other.constant, terms: terms.into() }
    }

    pub(super) fn minus(&self, other: &Linear) -> Linear {
        self.plus(other, -1)
    }

    pub(super) fn and(&self, constant: i128) -> Linear {
        Linear { constant: self.constant + constant, terms: self.terms.clone() }
    }
}

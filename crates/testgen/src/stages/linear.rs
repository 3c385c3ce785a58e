//! A matrix in an array of one dimension.

use crate::array::{Region, Size};
use crate::draft::{Draft, counters};
use crate::options::Feature;
use crate::text::{line, plus};

impl Draft {
    /// `A[i * M + j]` is written in one nest and read, with its neighbours in memory, in the next.
    pub(crate) fn linearised(&mut self) {
        if !self.macros {
            // With run-time sizes the subscript would not be affine.
            self.features.remove(&Feature::Linearised);
            return self.pointwise();
        }
        let flat = self.temporary(&[Size::Product], Region::Full);
        let result = self.temporary(&[Size::N], Region::Full);
        let nest = counters(&[Size::N, Size::M]);
        let [name, to] = [flat, result].map(|a| self.arrays[a].name.clone());
        let (m, all) = (self.size(Size::M), self.size(Size::Product));
        let value = self.value(&nest);
        let make = self.any_order(&nest, Region::Full, line(format!("{name}[i * {m} + j] = {value};")));
        let next = plus(&format!("i * {m} + j"), self.random.between(1, 3));
        let mut terms = vec![format!("{name}[i * {m} + j]")];
        if self.allow(Feature::Ternaries) {
            terms.push(format!("({next} < {all} ? {name}[{next}] : {})", self.literal(1)));
        }
        let value = self.combine(terms, &nest);
        let mut body = line(format!("{to}[i] = {};", self.literal(0)));
        let sum = self.add_to(&format!("{to}[i]"), &value);
        body.extend(self.any_order(&nest[1..], Region::Full, sum));
        let take = self.any_order(&nest[..1], Region::Full, body);
        self.lines.extend(make.into_iter().chain(take));
        self.sources.extend([flat, result]);
    }
}

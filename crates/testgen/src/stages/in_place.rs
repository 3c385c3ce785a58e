//! Updates of an array that is there already, and values that depend on their predecessors.

use crate::array::{Kind, Region, Size};
use crate::draft::{Counter, Draft, cell, counters, interior};
use crate::options::Feature;
use crate::text::{line, plus};

impl Draft {
    pub(crate) fn in_place(&mut self) {
        let Some(target) = self.changeable() else { return self.pointwise() };
        let array = self.arrays[target].clone();
        let smooth = self.random.percent(50) && array.region == Region::Full;
        let nest = if smooth { interior(&array.extents, 1) } else { counters(&array.extents) };
        let to = cell(&array, &nest);
        // Elsewhere in the array itself there may be old and new values: both are defined.
        let value = self.value(&nest);
        let body = if smooth {
            let last = nest.len() - 1;
            let around = [-1, 1].map(|offset| {
                let before = nest[..last].iter().fold(array.name.clone(), |text, c| format!("{text}[{}]", c.name));
                format!("{before}[{}]", plus(nest[last].name, offset))
            });
            let value = self.combine(around.to_vec(), &nest);
            line(format!("{to} = {value};"))
        } else if self.chance(Feature::Compound, 60) {
            line(format!("{to} += {value};"))
        } else {
            let value = self.combine(vec![to.clone(), format!("({value})")], &nest);
            line(format!("{to} = {value};"))
        };
        let reverse = self.random.percent(40);
        let lines = if array.region != Region::Full {
            self.any_order(&nest, array.region, body)
        } else if reverse && self.allow(Feature::Reversed) {
            self.in_reverse(&nest, body)
        } else {
            self.in_order(&nest, body)
        };
        self.lines.extend(lines);
    }

    /// `A[0] = ..; A[i] = A[i-1] + ..`, or from the other end.
    pub(crate) fn scan(&mut self) {
        let size = *self.random.pick(&[Size::N, Size::M]);
        let target = self.temporary(&[size], Region::Full);
        let name = self.arrays[target].name.clone();
        let first = self.value_of_inputs();
        let reverse = self.random.percent(40);
        let whole = Counter { name: "i", size, low: 1, high: 0 };
        let value = self.value(&[if reverse { Counter { low: 0, high: 1, ..whole } } else { whole }]);
        let lines = if reverse && self.allow(Feature::Reversed) {
            self.lines.push(format!("{name}[{} - 1] = {first};", self.size(size)));
            let value = self.combine(vec![format!("{name}[i + 1]"), format!("({value})")], &[]);
            self.in_reverse(&[Counter { low: 0, high: 1, ..whole }], line(format!("{name}[i] = {value};")))
        } else {
            self.lines.push(format!("{name}[0] = {first};"));
            let value = if reverse { self.value(&[whole]) } else { value };
            let value = self.combine(vec![format!("{name}[i - 1]"), format!("({value})")], &[]);
            self.in_order(&[whole], line(format!("{name}[i] = {value};")))
        };
        self.lines.extend(lines);
        self.sources.push(target);
    }

    /// A value outside all loops. A compiler that does not know that sizes are positive would warn of a temporary
    /// there: the loop that sets it might not run.
    fn value_of_inputs(&mut self) -> String {
        let all = self.sources.clone();
        self.sources.retain(|a| self.arrays[*a].kind == Kind::Input);
        let value = self.value(&[]);
        self.sources = all;
        value
    }
}

//! Writes that happen only if the data says so, and cells that the data picks.

use crate::array::{Region, Size};
use crate::draft::{Counter, Draft, cell, counters};
use crate::options::Feature;
use crate::text::{choice, line};

impl Draft {
    pub(crate) fn data_dependent(&mut self) {
        let existing = self.changeable();
        let target = existing.unwrap_or_else(|| {
            let shape = self.shape();
            let target = self.temporary(&shape, Region::Full);
            self.fill(target);
            self.sources.push(target);
            target
        });
        let array = self.arrays[target].clone();
        let nest = counters(&array.extents);
        let [asked, used] = [0, 1].map(|_| {
            let read = self.read_any(&nest);
            self.term(read)
        });
        let value = self.combine(vec![used], &nest);
        let question =
            if self.floating() { format!("{asked} > {}", self.literal(1)) } else { format!("({asked} & 1u) != 0u") };
        let to = cell(&array, &nest);
        let compound = self.chance(Feature::Compound, 30);
        let otherwise = self.random.percent(30);
        let then = line(format!("{to} {}= {value};", if compound { "+" } else { "" }));
        let otherwise = if otherwise { line(format!("{to} = {};", self.literal(3))) } else { vec![] };
        let lines = if array.region == Region::Full {
            self.in_order(&nest, choice(&question, then, otherwise))
        } else {
            self.any_order(&nest, array.region, choice(&question, then, otherwise))
        };
        self.lines.extend(lines);
    }

    /// Reads a cell whose subscript is a value.
    pub(crate) fn gather(&mut self) {
        if self.lacks_whole_numbers() {
            return self.pointwise();
        }
        let [table, target] = [0, 1].map(|_| self.temporary(&[Size::N], Region::Full));
        let nest = [Counter { name: "i", size: Size::N, low: 0, high: 0 }];
        self.fill(table);
        let [from, to] = [table, target].map(|a| self.arrays[a].name.clone());
        let at = self.data_subscript(&nest);
        let value = self.combine(vec![format!("{from}[{at}]")], &nest);
        let lines = self.any_order(&nest, Region::Full, line(format!("{to}[i] = {value};")));
        self.lines.extend(lines);
        self.sources.extend([table, target]);
    }

    /// Changes a cell whose subscript is a value, as a histogram does.
    pub(crate) fn scatter(&mut self) {
        if self.lacks_whole_numbers() {
            return self.pointwise();
        }
        let target = self.temporary(&[Size::N], Region::Full);
        let nest = [Counter { name: "i", size: Size::N, low: 0, high: 0 }];
        self.fill(target);
        let at = self.data_subscript(&nest);
        let to = format!("{}[{at}]", self.arrays[target].name);
        let value = self.value(&nest);
        let body = self.add_to(&to, &value);
        let lines = self.in_order(&nest, body);
        self.lines.extend(lines);
        self.sources.push(target);
    }

    fn lacks_whole_numbers(&mut self) -> bool {
        if self.floating() {
            self.features.remove(&Feature::Gathers);
        }
        self.floating()
    }

    /// A value, brought into the range of an array of `n` cells.
    fn data_subscript(&mut self, nest: &[Counter]) -> String {
        let read = self.read_any(nest);
        format!("{} % (unsigned){}", self.term(read), self.size(Size::N))
    }
}

//! Writes that happen only if the data says so.

use crate::array::Region;
use crate::draft::{Draft, cell, counters};
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
}

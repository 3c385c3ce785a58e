//! Producer and consumer in one outer loop, the consumer some rows behind.

use crate::array::Region;
use crate::draft::{Counter, Draft, cell, counters};
use crate::options::Feature;
use crate::text::{Lines, choice, line, plus};

impl Draft {
    pub(crate) fn lag(&mut self) {
        if !self.allow(Feature::Guards) {
            return self.pointwise();
        }
        let shape = self.shape();
        let lag = self.random.between(1, 3);
        let producer = self.temporary(&shape, Region::Full);
        let consumer = self.temporary(&shape, Region::Full);
        let nest = counters(&shape);
        let made = self.value(&nest);
        let rows = self.size(shape[0]);
        let late = plus("i", -lag);
        let offsets = [self.random.between(-2, 0), self.random.between(0, lag), self.random.between(-1, lag)];
        let terms = offsets.map(|offset| self.row_of(producer, &nest, &late, offset, &rows));
        let value = self.combine(terms.to_vec(), &nest[1..]);
        let to = cell(&self.arrays[producer], &nest);
        let then = format!("{}[{late}]", self.arrays[consumer].name);
        let then = nest[1..].iter().fold(then, |text, c| format!("{text}[{}]", c.name));
        let make = self.any_order(&nest[1..], Region::Full, line(format!("{to} = {made};")));
        let take = self.any_order(&nest[1..], Region::Full, line(format!("{then} = {value};")));
        let lines = self.fused(&rows, lag, make, take);
        self.lines.extend(lines);
        self.sources.extend([producer, consumer]);
    }

    /// A reference to a row that the producer has finished.
    fn row_of(&mut self, producer: usize, nest: &[Counter], late: &str, offset: i64, rows: &str) -> String {
        let near = if self.options.features.contains(&Feature::Ternaries) { offset } else { 0 };
        let row = if near == 0 { late.to_string() } else { plus(&format!("({late})"), near) };
        let text = format!("{}[{row}]", self.arrays[producer].name);
        let text = nest[1..].iter().fold(text, |text, c| format!("{text}[{}]", c.name));
        match near {
            0 => text,
            ..0 => format!("({row} >= 0 ? {text} : {})", self.literal(2)),
            _ => format!("({row} < {rows} ? {text} : {})", self.literal(2)),
        }
    }

    fn fused(&mut self, rows: &str, lag: i64, make: Lines, take: Lines) -> Lines {
        let mut body = choice(&format!("i < {rows}"), make, vec![]);
        body.extend(choice(&format!("i >= {lag}"), take, vec![]));
        self.for_loop("i", "0", &format!("i < {rows} + {lag}"), "++", body)
    }
}

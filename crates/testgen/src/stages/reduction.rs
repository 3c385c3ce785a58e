//! Inner loops that sum up, into a cell or a scalar.

use crate::array::{Region, Size};
use crate::draft::{Counter, Draft, cell, counters};
use crate::text::line;

impl Draft {
    /// `C[i][j] = 0; for k: C[i][j] += ..`, in one nest or two.
    pub(crate) fn reduction(&mut self) {
        let mut shape = self.shape();
        shape.truncate(2);
        let target = self.temporary(&shape, Region::Full);
        let nest = counters(&shape);
        let to = cell(&self.arrays[target], &nest);
        let inner = Counter { name: "l", size: *self.random.pick(&[Size::N, Size::M]), low: 0, high: 0 };
        let all: Vec<Counter> = nest.iter().copied().chain([inner]).collect();
        let [a, b] = [0, 1].map(|_| {
            let read = self.read_any(&[inner, nest[nest.len() - 1]]);
            self.term(read)
        });
        let factor = if self.floating() { self.literal(1).replace("1.0", "0.125") } else { "1u".into() };
        let start = self.value(&nest);
        let separate = self.random.percent(40);
        let sum = self.add_to(&to, &format!("{factor} * {a} * {b}"));
        let lines = if separate {
            let mut lines = self.any_order(&nest, Region::Full, line(format!("{to} = {start};")));
            lines.extend(self.any_order(&all, Region::Full, sum));
            lines
        } else {
            let mut body = line(format!("{to} = {start};"));
            body.extend(self.any_order(&[inner], Region::Full, sum));
            self.any_order(&nest, Region::Full, body)
        };
        self.lines.extend(lines);
        self.sources.push(target);
    }

    /// A scalar that collects along a row, kept at its end or at each step.
    pub(crate) fn accumulate(&mut self) {
        let each = self.random.percent(50);
        let target = self.temporary(&[Size::N], Region::Full);
        let name = self.arrays[target].name.clone();
        let scalar = self.scalar();
        let outer = Counter { name: "i", size: Size::N, low: 0, high: 0 };
        let inner = Counter { name: "j", size: Size::M, ..outer };
        let start = self.literal(0);
        let lines = if each {
            let value = self.value(&[outer]);
            let mut body = self.add_to(&scalar, &value);
            body.push(format!("{name}[i] = {scalar};"));
            self.lines.push(format!("{scalar} = {start};"));
            self.in_order(&[outer], body)
        } else {
            let value = self.value(&[outer, inner]);
            let mut body = line(format!("{scalar} = {start};"));
            let sum = self.add_to(&scalar, &value);
            body.extend(self.in_order(&[inner], sum));
            body.push(format!("{name}[i] = {scalar};"));
            self.any_order(&[outer], Region::Full, body)
        };
        self.lines.extend(lines);
        self.sources.push(target);
    }

    /// Sums over a window that is cut off at the borders.
    pub(crate) fn window(&mut self) {
        let size = *self.random.pick(&[Size::N, Size::M]);
        let width = self.random.between(1, 3);
        let target = self.temporary(&[size], Region::Full);
        let name = self.arrays[target].name.clone();
        let outer = Counter { name: "i", size, low: 0, high: 0 };
        let value = self.value(&[Counter { name: "k", ..outer }]);
        let end = self.size(size);
        let mut body = line(format!("{name}[i] = {};", self.literal(0)));
        let (first, last) = (format!("MAX(0, i - {width})"), format!("k <= MIN({end} - 1, i + {width})"));
        let sum = self.add_to(&format!("{name}[i]"), &value);
        body.extend(self.for_loop("k", &first, &last, "++", sum));
        let lines = self.any_order(&[outer], Region::Full, body);
        self.lines.extend(lines);
        self.sources.push(target);
    }
}

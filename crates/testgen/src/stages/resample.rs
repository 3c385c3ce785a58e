//! Arrays of other sizes: every second cell, and small tables that repeat.

use crate::array::{Region, Size};
use crate::draft::{Counter, Draft};
use crate::text::line;

impl Draft {
    /// Half as many cells, and back again.
    pub(crate) fn resample(&mut self) {
        let [small, table] =
            [self.temporary(&[Size::HalfN], Region::Full), self.temporary(&[Size::Constant(3)], Region::Full)];
        let large = self.temporary(&[Size::N], Region::Full);
        let [a, b, c] = [small, table, large].map(|t| self.arrays[t].name.clone());
        let (n, other) = (self.size(Size::N), self.literal(1));
        let whole = Counter { name: "i", size: Size::N, low: 0, high: 0 };
        let few = Counter { size: Size::Constant(3), ..whole };
        let half = Counter { size: Size::HalfN, ..whole };
        // The first input has n cells.
        let from = self.arrays[0].name.clone();
        let pairs = vec![
            format!("(2 * i < {n} ? {from}[2 * i] : {other})"),
            format!("(2 * i + 1 < {n} ? {from}[2 * i + 1] : {other})"),
        ];
        let value = self.combine(pairs, &[half]);
        let down = self.any_order(&[half], Region::Full, line(format!("{a}[i] = {value};")));
        let value = self.value(&[few]);
        let fill = self.any_order(&[few], Region::Full, line(format!("{b}[i] = {value};")));
        let reads = vec![format!("{a}[i / 2]"), format!("{a}[(i + 1) / 2]"), format!("{b}[i % 3]")];
        let value = self.combine(reads, &[whole]);
        let up = self.any_order(&[whole], Region::Full, line(format!("{c}[i] = {value};")));
        self.lines.extend(down.into_iter().chain(fill).chain(up));
        self.sources.extend([small, large]);
    }
}

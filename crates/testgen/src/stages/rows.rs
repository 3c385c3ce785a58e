//! Row by row: one inner loop makes a row, the next ones use it.

use crate::array::{Region, Size};
use crate::draft::{Counter, Draft, cell, counters};
use crate::options::Feature;
use crate::text::line;

impl Draft {
    /// `for i { for j: A[i][j] = ..; for j: B[i][j] = A[i][..] + A[i-1][..]; }`
    pub(crate) fn row_by_row(&mut self) {
        if !self.allow(Feature::TwoDimensions) {
            return self.two_at_once();
        }
        let columns = *self.random.pick(&[Size::N, Size::M]);
        let extents = [Size::N, columns];
        let [first, second] = [0, 1].map(|_| self.temporary(&extents, Region::Full));
        let nest = counters(&extents);
        let made = self.value(&nest);
        let terms = [0, 1].map(|_| self.earlier_row(first, &nest));
        let other = self.value(&nest);
        let used = self.combine([terms.to_vec(), vec![format!("({other})")]].concat(), &nest);
        let [to, then] = [first, second].map(|a| cell(&self.arrays[a], &nest));
        let mut body = self.any_order(&nest[1..], Region::Full, line(format!("{to} = {made};")));
        body.extend(self.any_order(&nest[1..], Region::Full, line(format!("{then} = {used};"))));
        let lines = self.in_order(&nest[..1], body);
        self.lines.extend(lines);
        self.sources.push(second);
        if self.random.percent(30) {
            self.sources.push(first);
        }
    }

    /// A reference to a row that is complete: this one or the one before.
    fn earlier_row(&mut self, array: usize, nest: &[Counter]) -> String {
        let before = self.random.percent(40) && self.allow(Feature::Ternaries);
        let row = if before { "i - 1" } else { "i" };
        let mut read = self.read(array, &[row.into()], &nest[1..]);
        if before {
            read.conditions.insert(0, "i > 0".into());
        }
        self.term(read)
    }
}

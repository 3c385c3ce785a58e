//! Dynamic programs: tables over pairs of prefixes, and over intervals.

use crate::array::{Region, Size};
use crate::draft::{Draft, cell, counters};
use crate::options::Feature;
use crate::text::{choice, line};

impl Draft {
    /// `D[i][j]` from the cells above, to the left and between, as in a longest common subsequence.
    pub(crate) fn prefix_table(&mut self) {
        let second = *self.random.pick(&[Size::N, Size::M]);
        if !self.allow(Feature::TwoDimensions) || !self.allow(Feature::Guards) {
            return self.scan();
        }
        let target = self.temporary(&[Size::N, second], Region::Full);
        let name = self.arrays[target].name.clone();
        let nest = counters(&[Size::N, second]);
        let (border, inside) = (self.value(&nest), self.value(&nest));
        let reverse = self.random.percent(30) && self.allow(Feature::Reversed);
        let mut terms = if reverse {
            vec![format!("{name}[i + 1][j]"), format!("{name}[i][j + 1]"), format!("{name}[i + 1][j + 1]")]
        } else {
            vec![format!("{name}[i - 1][j]"), format!("{name}[i][j - 1]"), format!("{name}[i - 1][j - 1]")]
        };
        terms.push(format!("({inside})"));
        let value = self.combine(terms, &nest);
        let first = if reverse {
            format!("i == {} - 1 || j == {} - 1", self.size(Size::N), self.size(second))
        } else {
            "i == 0 || j == 0".into()
        };
        let body = choice(&first, line(format!("{name}[i][j] = {border};")), line(format!("{name}[i][j] = {value};")));
        let lines = if reverse { self.in_reverse(&nest, body) } else { self.in_order(&nest, body) };
        self.lines.extend(lines);
        self.sources.push(target);
    }

    /// `D[i][j]` for `i <= j` from shorter intervals, as in a matrix chain.
    pub(crate) fn interval_table(&mut self) {
        let needed = [Feature::TwoDimensions, Feature::Triangles, Feature::Reversed];
        if !needed.iter().all(|f| self.options.features.contains(f)) {
            return self.scan();
        }
        let target = self.temporary(&[Size::N, Size::N], Region::Upper);
        let array = self.arrays[target].clone();
        let (name, nest, n) = (array.name.clone(), counters(&array.extents), self.size(Size::N));
        let single = self.value(&nest[..1]);
        let more = self.value(&nest);
        let split = self.random.percent(60);
        let to = cell(&array, &nest);
        let value =
            self.combine(vec![format!("{name}[i + 1][j]"), format!("{name}[i][j - 1]"), format!("({more})")], &nest);
        let mut entry = line(format!("{to} = {value};"));
        if split {
            let parts = self.combine(vec![format!("{name}[i][k]"), format!("{name}[k + 1][j]")], &nest);
            let sum = self.add_to(&to, &parts);
            entry.extend(self.for_loop("k", "i", "k < j", "++", sum));
        }
        let mut row = line(format!("{name}[i][i] = {single};"));
        row.extend(self.for_loop("j", "i + 1", &format!("j < {n}"), "++", entry));
        let lines = self.for_loop("i", &format!("{n} - 1"), "i >= 0", "--", row);
        self.features.extend(needed);
        self.lines.extend(lines);
        self.sources.push(target);
    }
}

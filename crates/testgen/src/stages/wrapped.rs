//! Subscripts whose arithmetic wraps around, or would for large sizes, in several types; assignments inside expressions.
//!
//! Each cell that is read was written with the same subscript. The table is read nowhere else, since it has gaps.

use crate::array::{Region, Size};
use crate::draft::Draft;
use crate::options::Feature;
use crate::text::{Lines, block, line};

/// Types of the counter.
const COUNTERS: [&str; 4] = ["unsigned", "unsigned", "unsigned long", "int"];

/// Subscripts of `u`, all below 16, with a factor for `K`.
const SUBSCRIPTS: [&str; 8] = [
    "(u * Ku) % 13u",
    "((unsigned)u * Ku) >> 28",
    "(unsigned)(u * Kl) % 13",
    "(unsigned long)((unsigned)u * Ku) % 13",
    "(u + 4294967290u) % 13u",
    "((unsigned)u * Ku) % 16",
    "((unsigned)u * Ku + 3u) & 7u",
    "((unsigned)u * Ku) / 300000000u",
];

/// Small factors, some that wrap at the sizes of the runs, and one of a hash function.
const FACTORS: [u64; 5] = [3, 7, 200_000_003, 123_456_789, 2_654_435_769];

impl Draft {
    /// Goes through a small table with odd subscripts.
    pub(crate) fn wrapped(&mut self) {
        let [table, target] = [Size::Constant(16), Size::N]
            .map(|extent| self.temporary(&[extent], Region::Full))
            .map(|at| self.arrays[at].clone());
        let factor = self.random.pick(&FACTORS).to_string();
        let subscript = self.random.pick(&SUBSCRIPTS).replace('K', &factor);
        let counter = *self.random.pick(&COUNTERS);
        let end = if counter == "int" { self.size(Size::N) } else { format!("({counter})({})", self.size(Size::N)) };
        let input = self.arrays[0].name.clone();
        let cell = format!("{}[{subscript}]", table.name);
        let value = format!("{cell} + {input}[u]");
        let assigned = match self.random.below(4) {
            0 if self.allow(Feature::Chained) => format!("{} = {value}", self.scalar()),
            1 if self.element == "unsigned" && self.allow(Feature::Chained) => {
                format!("same({} = {value})", self.scalar())
            }
            _ => value,
        };
        for body in [line(format!("{cell} = {input}[u];")), line(format!("{}[u] = {assigned};", target.name))] {
            let nest: Lines = block(format!("for ({counter} u = 0; u < {end}; u++)"), body);
            self.lines.extend(nest);
        }
        self.sources.push(self.arrays.len() - 1);
    }
}

//! Random windows whose first values come from in front of a loop, or from its first turns, and whose last ones are used behind it.
//!
//! ```c
//! for (int i = 0; i < 3; i++) {
//!   w[0] = in[i];
//!   w[1] = in[i + 1];
//!   for (int j = 2; j < n + 2; j++) {
//!     w[j] = in[j] - w[j - 1] * 0.5 + w[j - 2] * 0.25;
//!     out[j] += w[j - 2];
//!   }
//!   out[0] += w[n + 1];
//! }
//! ```
//!
//! Programs are in bounds and defined at all sizes from 0. A window may be begun anew in each of three rows, and data may decide what is written.

use crate::by_size::BySize;
use crate::random::Random;
use std::fmt::Write;

/// Most values that come from in front of the loop.
const MOST_FIRST: i64 = 5;

/// One file with a program for each seed, which prints a line for each size.
pub fn recurrences_file(seeds: &[u64]) -> String {
    BySize { name: "recurrence", most: 12, scaled: "" }.file(seeds, function)
}

/// One window.
struct Window {
    random: Random,
    /// How many values nothing comes before.
    first: i64,
    is_upward: bool,
    in_rows: bool,
    /// Whether the loop writes the first values.
    in_first_turns: bool,
}

fn function(seed: u64) -> String {
    let mut random = Random::stream(seed, 79);
    let first = random.between(1, MOST_FIRST);
    let [is_upward, in_rows, in_first_turns] = [75, 50, 30].map(|chance| random.percent(chance));
    let mut window = Window { random, first, is_upward, in_rows, in_first_turns };
    let text = window.front() + &window.main_loop() + &window.behind();
    let body = if in_rows { format!("  for (int i = 0; i < 3; i++) {{\n{text}  }}\n") } else { text };
    let cells = MOST_FIRST + 1;
    format!(
        "static void recurrence_{seed}(int n, const double *in, double *out) {{
  double w[n + {cells}];
#pragma scop
{body}#pragma endscop
}}
"
    )
}

impl Window {
    fn cell(&self, at: &str) -> String {
        if self.is_upward { format!("w[{at}]") } else { format!("w[n + {MOST_FIRST} - ({at})]") }
    }

    /// What the values before which there is none are.
    fn input(&self, at: &str) -> String {
        if self.in_rows { format!("in[i + {at}]") } else { format!("in[{at}]") }
    }

    /// The first values, some of them as data say.
    fn front(&mut self) -> String {
        let mut text = String::new();
        for k in (0..self.first).filter(|_| !self.in_first_turns) {
            let (cell, value) = (self.cell(&k.to_string()), self.input(&k.to_string()));
            let _ = match self.random.percent(20) {
                true => writeln!(text, "  if ({value} > 40) {cell} = {value}; else {cell} = 1;"),
                false => writeln!(text, "  {cell} = {value};"),
            };
        }
        text
    }

    fn main_loop(&mut self) -> String {
        let (own, value, first) = (self.cell("j"), self.value(), self.first);
        let ago = self.random.between(0, first);
        let used = format!("out[j] += {};", self.cell(&format!("j - {ago}")));
        let (begin, written, used) = if self.in_first_turns {
            let written = format!("if (j < {first}) {own} = {}; else {own} = {value};", self.input("j"));
            (0, written, format!("if (j >= {first}) {used}"))
        } else if self.random.percent(25) {
            (first, format!("if (in[j] > 40) {own} = {value}; else {own} = in[j];"), used)
        } else {
            (first, format!("{own} = {value};"), used)
        };
        format!("  for (int j = {begin}; j < n; j++) {{\n    {written}\n    {used}\n  }}\n")
    }

    /// A sum with some of the values before, the earliest among them.
    fn value(&mut self) -> String {
        let mut sum = format!("in[j] * 0.{}", self.random.between(1, 9));
        for ago in 1..=self.first {
            if ago == self.first || self.random.percent(50) {
                let factor = self.random.between(1, 9);
                let _ = write!(sum, " - {} * 0.{factor}", self.cell(&format!("j - {ago}")));
            }
        }
        sum
    }

    /// What some of the last values are used for.
    fn behind(&mut self) -> String {
        let mut text = String::new();
        for ago in 1..=self.first {
            if self.random.percent(40) {
                let cell = self.cell(&format!("n - {ago}"));
                let _ = writeln!(text, "  if (n >= {}) out[0] += {cell} * {ago};", self.first);
            }
        }
        text
    }
}

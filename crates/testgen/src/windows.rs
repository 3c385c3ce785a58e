//! Random chains of stages in one nest of loops, each of which reads a window of the one before it: what fusion leaves.
//!
//! Stage s at (i, j) reads stage s − 1 at (i − x, j − y) for a few x and y ≥ 0, and runs where all of these are there. So arrays shrink
//! to some rows, or to a few cells of one row, which is what rings, rows that go on, and shift registers are for:
//!
//! ```c
//! for (int i = 0; i < n; i++)
//!   for (int j = m - 1; j >= 0; j--) {
//!     a0[i][j] = in[i + j] * 0.5;
//!     if (j < m - 3)
//!       a1[i][j] = a0[i][j + 3] + a0[i][j];
//!     if (i >= 2 && j < m - 3)
//!       out[i * m + j] = a1[i - 2][j] + a1[i][j];
//!   }
//! ```
//!
//! Programs are in bounds and defined at all sizes from 0. Stages share a loop over j, or have one each. Data may decide how a stage is computed, and
//! a stage may go on from its own values in the row: such rings are no shift registers.

use crate::random::Random;
use std::fmt::Write;

/// Most cells between two that a stage reads in a row: registers have up to 8.
const FURTHEST: i64 = 8;

/// How far a stage reads back in rows: so many rows, or so many times the size h, which is not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// `i - 2`
    Numbered,
    /// `i - 2 * h`
    Sized,
    /// `i - 2`, in rows of up to three strips of 128 cells.
    Long,
}

impl Rows {
    /// How long rows are, in C.
    fn lengths(self) -> String {
        let all: Vec<String> = match self {
            Rows::Numbered | Rows::Sized => (0..22).map(|m| m.to_string()).collect(),
            Rows::Long => [0, 1, 2, 5, 126, 127, 128, 129, 130, 136, 254, 256, 257, 263, 384, 391]
                .map(|m: i64| m.to_string())
                .into(),
        };
        all.join(", ")
    }

    /// Cells of the longest row.
    fn longest(self) -> i64 {
        if self == Rows::Long { 400 } else { 22 }
    }
}

/// One file with a program for each seed, which prints a line for each number of rows.
pub fn windows_file(seeds: &[u64], rows: Rows) -> String {
    let mut text = "#include <stdio.h>\n#include <string.h>\n".to_string();
    seeds.iter().for_each(|seed| text += &function(*seed, rows));
    text += &MAIN_BEGINS.replace("LENGTHS", &rows.lengths()).replace("CELLS", &(10 * rows.longest()).to_string());
    seeds.iter().for_each(|seed| text += &format!("  run({seed}, windows_{seed});\n"));
    text + "  return 0;\n}\n"
}

const MAIN_BEGINS: &str = "typedef void function(int n, int m, int h, const double *in, double *out);
static void run(unsigned seed, function *f) {
  static double in[CELLS], out[CELLS];
  static const int rows[] = {0, 1, 2, 3, 6, 9}, lengths[] = {LENGTHS};
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
    unsigned long sum = 0;
    for (unsigned l = 0; l < sizeof lengths / sizeof *lengths; l++) {
      const int m = lengths[l];
      for (int i = 0; i < CELLS; i++)
        in[i] = (i * 37 + seed % 1000 + m) % 101 + 0.25;
      memset(out, 0, sizeof out);
      f(rows[k], m, m % 4, in, out);
      for (int i = 0; i < CELLS; i++) {
        unsigned long bits;
        memcpy(&bits, &out[i], sizeof bits);
        sum = (sum ^ bits) * 0x100000001b3;
      }
    }
    printf(\"%u %d %lx\\n\", seed, rows[k], sum);
  }
}
int main(void) {
";

/// One axis of the nest.
struct Axis {
    counter: &'static str,
    size: &'static str,
    is_upward: bool,
    /// What numbers of iterations are multiples of: 1, or a size.
    unit: Option<&'static str>,
}

impl Axis {
    fn head(&self) -> String {
        let Axis { counter, size, is_upward, .. } = self;
        match is_upward {
            true => format!("for (int {counter} = 0; {counter} < {size}; {counter}++)"),
            false => format!("for (int {counter} = {size} - 1; {counter} >= 0; {counter}--)"),
        }
    }

    /// So many iterations, in C.
    fn iterations(&self, by: i64) -> String {
        match (self.unit, by) {
            (None, by) => by.to_string(),
            (Some(unit), 1) => unit.to_string(),
            (Some(unit), by) => format!("{by} * {unit}"),
        }
    }

    /// What the counter was so many iterations ago.
    fn ago(&self, by: i64) -> String {
        match (by, self.is_upward) {
            (0, _) => self.counter.to_string(),
            (by, true) => format!("{} - {}", self.counter, self.iterations(by)),
            (by, false) => format!("{} + {}", self.counter, self.iterations(by)),
        }
    }

    /// That so many iterations are over; `None`: there is nothing to ask.
    fn is_past(&self, by: i64) -> Option<String> {
        let Axis { counter, size, is_upward, .. } = self;
        match (by, is_upward) {
            (0, _) => None,
            (by, true) => Some(format!("{counter} >= {}", self.iterations(by))),
            (by, false) => Some(format!("{counter} < {size} - {}", self.iterations(by))),
        }
    }
}

/// How a stage's value is found.
#[derive(Clone, Copy)]
enum Manner {
    /// As a sum.
    Sum,
    /// As one of two, as data say.
    OnData,
    /// As a sum with the stage's own value so many cells before, where that is there.
    FromItself(i64),
}

impl Manner {
    /// Of a stage that others read, as often a sum as not.
    fn any(random: &mut Random) -> Manner {
        match random.below(4) {
            0 => Manner::OnData,
            1 => Manner::FromItself(random.between(1, 4)),
            _ => Manner::Sum,
        }
    }

    /// The statement that writes a value of a stage, of which so many iterations come before the first one.
    fn statement(self, [rows, cells]: &[Axis; 2], stage: usize, sum: &str, lag: Lag) -> String {
        let [i, j] = [rows.counter, cells.counter];
        let place = format!("a{stage}[{i}][{j}]");
        match self {
            Manner::Sum => format!("{place} = {sum};"),
            Manner::OnData => format!("{{ if (in[{i} + {j}] > 40) {place} = {sum}; else {place} = in[{i}]; }}"),
            Manner::FromItself(by) => {
                let past = cells.is_past(lag[1] + by).unwrap_or_default();
                let own = format!("a{stage}[{i}][{}]", cells.ago(by));
                format!("{{ if ({past}) {place} = {sum} - {own} * 0.5; else {place} = {sum}; }}")
            }
        }
    }
}

/// How many iterations of each loop come before a stage's first one.
type Lag = [i64; 2];

/// The statement of a stage, and its lag; without a manner it is the last one.
fn stage(
    random: &mut Random,
    axes: &[Axis; 2],
    (stage, manner): (usize, Option<Manner>),
    (before, most): (Lag, Lag),
    longest: i64,
) -> (String, Lag) {
    let [rows, cells] = axes;
    let (mut lag, mut sum) = (before, String::new());
    for term in 0..1 + random.below(3) {
        let ago = [0, 1].map(|k| if random.percent(60) { random.between(0, most[k]) } else { 0 });
        lag = [0, 1].map(|k| lag[k].max(before[k] + ago[k]));
        let factor = random.between(1, 4);
        let plus = if term == 0 { "" } else { " + " };
        let own = stage as i64 - 1;
        let _ = write!(sum, "{plus}a{own}[{}][{}] * 0.{factor}", rows.ago(ago[0]), cells.ago(ago[1]));
    }
    let [i, j] = [rows.counter, cells.counter];
    let statement = match manner {
        Some(manner) => manner.statement(axes, stage, &sum, lag),
        None => format!("out[{i} * {longest} + {j}] = {sum};"),
    };
    (guarded(axes, lag, &statement), lag)
}

/// A statement where so many iterations are over.
fn guarded(axes: &[Axis; 2], lag: Lag, statement: &str) -> String {
    let asked: Vec<String> = axes.iter().zip(lag).filter_map(|(axis, by)| axis.is_past(by)).collect();
    if asked.is_empty() { statement.to_string() } else { format!("if ({}) {statement}", asked.join(" && ")) }
}

fn function(seed: u64, back: Rows) -> String {
    let mut random = Random::stream(seed, 77);
    let unit = (back == Rows::Sized).then_some("h");
    let axes = [("i", "n", unit), ("j", "m", None)];
    let axes = axes.map(|(counter, size, unit)| Axis { counter, size, is_upward: random.percent(70), unit });
    let shares_loop = random.percent(60);
    let most = match back {
        Rows::Numbered => *random.pick(&[[0, FURTHEST], [2, 0], [3, 2], [1, FURTHEST], [0, 3]]),
        Rows::Long => *random.pick(&[[0, FURTHEST], [2, FURTHEST], [0, 2]]),
        Rows::Sized => *random.pick(&[[1, 0], [2, 0], [2, 3]]),
    };
    let stages = 1 + random.below(3);
    let first = format!("in[i + j] * 0.{}", random.between(1, 9));
    let mut manners = Random::stream(seed, 78);
    let mut lines = vec![Manner::any(&mut manners).statement(&axes, 0, &first, [0, 0])];
    let mut lag = [0, 0];
    for k in 1..=stages {
        let manner = (k < stages).then(|| Manner::any(&mut manners));
        let (line, own) = stage(&mut random, &axes, (k, manner), (lag, most), back.longest());
        lines.push(line);
        lag = own;
    }
    let locals: Vec<String> = (0..stages).map(|k| format!("a{k}[n + 1][m + 1]")).collect();
    let body = nest(&axes, &lines, shares_loop);
    format!(
        "static void windows_{seed}(int n, int m, int h, const double *in, double *out) {{
  double {};
#pragma scop
{body}#pragma endscop
  (void)h;
}}
",
        locals.join(", ")
    )
}

/// The stages in one loop over cells, or in one each.
fn nest([rows, cells]: &[Axis; 2], stages: &[String], shares_loop: bool) -> String {
    let mut text = format!("  {} {{\n", rows.head());
    if shares_loop {
        let all: String = stages.iter().map(|stage| format!("      {stage}\n")).collect();
        let _ = writeln!(text, "    {} {{\n{all}    }}", cells.head());
    } else {
        stages.iter().for_each(|stage| text += &format!("    {}\n      {stage}\n", cells.head()));
    }
    text + "  }\n"
}

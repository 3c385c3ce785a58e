//! Random sums that loops add up in cells of rows, of which some are alive at a time.
//!
//! ```c
//! for (int i = 1; i < 5; i++) {
//!   s[i][0] = in[i];
//!   s[i][n + 1] = in[i + 1];
//!   for (int j = 1; j <= n; j++) {
//!     s[i][j] = 0.5;
//!     for (int k = 1; k < j; k++)
//!       s[i][j] += s[i - 1][k] * 0.125 - s[i][k] * 0.25;
//!     u[i][j] = s[i][j] * 0.5;
//!   }
//! }
//! ```
//!
//! Programs are in bounds and defined at all sizes from 0. What is summed may be any cell that has a value by then, and data may decide what
//! is written.

use crate::by_size::BySize;
use crate::random::Random;
use std::fmt::Write;

/// Rows of each array.
const ROWS: i64 = 5;

/// One file with a program for each seed, which prints a line for each size.
pub fn sums_file(seeds: &[u64]) -> String {
    BySize { name: "sums", most: 9, scaled: " * 0.03125" }.file(seeds, function)
}

/// Which cells a loop in a turn goes through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Range {
    /// The neighbours in the row before.
    Near,
    /// Those in front of the turn's own, in its row, too.
    Before,
    All,
}

fn function(seed: u64) -> String {
    let mut random = Random::stream(seed, 97);
    let turns: String = (0..random.between(1, 2)).map(|at| turn(&mut random, at)).collect();
    let last = ROWS - 1;
    format!(
        "static void sums_{seed}(int n, const double *in, double *out) {{
  double s[{ROWS}][n + 2], u[{ROWS}][n + 2];
#pragma scop
  for (int j = 0; j <= n + 1; j++) {{
    s[0][j] = in[j];
    u[0][j] = in[j + 1] * 0.5;
  }}
  for (int i = 1; i < {ROWS}; i++) {{
    for (int j = 0; j <= n + 1; j++) {{
      s[i][j] = in[i];
      u[i][j] = in[j + i];
    }}
{turns}  }}
  for (int j = 0; j <= n + 1; j++)
    out[j] += s[{last}][j] - u[{last}][j];
#pragma endscop
}}
"
    )
}

/// A loop over a row, whose turns sum up once or twice.
fn turn(random: &mut Random, at: i64) -> String {
    let (own, other) = if at == 0 { ("s", "u") } else { ("u", "s") };
    let is_upward = random.percent(75);
    let mut text = match is_upward {
        true => "    for (int j = 1; j <= n; j++) {\n".to_string(),
        false => "    for (int j = n; j >= 1; j--) {\n".to_string(),
    };
    for _ in 0..random.between(1, 2) {
        text += &begin(random, own);
        text += &sum(random, own, other);
        text += &behind(random, own, other);
    }
    text + "    }\n"
}

fn begin(random: &mut Random, own: &str) -> String {
    match random.between(0, 4) {
        0 => String::new(),
        1 => format!("      {own}[i][j] *= 0.5;\n"),
        2 => format!("      if (in[j] > 1) {own}[i][j] = in[i];\n"),
        3 => format!("      {own}[i][j] = {own}[i - 1][j] * 0.25;\n"),
        _ => format!("      {own}[i][j] = 0.5;\n"),
    }
}

fn sum(random: &mut Random, own: &str, other: &str) -> String {
    let range = *random.pick(&[Range::Near, Range::Before, Range::Before, Range::All]);
    let head = match range {
        Range::Near => "for (int k = j - 1; k <= j + 1; k++)",
        Range::Before if random.percent(50) => "for (int k = j - 1; k >= 0; k--)",
        Range::Before => "for (int k = 0; k < j; k++)",
        Range::All => "for (int k = 0; k <= n + 1; k++)",
    };
    let mut term = format!("in[k] * 0.0{}", random.between(1, 9));
    for _ in 0..random.between(1, 2) {
        let array = if random.percent(60) { own } else { other };
        let row = if random.percent(40) { "i" } else { "i - 1" };
        let _ = write!(term, " - {array}[{row}][k] * 0.0{}", random.between(1, 9));
    }
    let cell = format!("{own}[i][j]");
    let body = match random.between(0, 3) {
        0 => format!("if ({term} > {cell}) {cell} = {term};"),
        1 => format!("{cell} = {cell} * 0.5 - ({term});"),
        _ => format!("{cell} += {term};"),
    };
    format!("      {head}\n        {body}\n")
}

fn behind(random: &mut Random, own: &str, other: &str) -> String {
    match random.between(0, 4) {
        0 => format!("      {own}[i][j] *= 0.5;\n"),
        1 => format!("      {other}[i][j] = {own}[i][j] * 0.25;\n"),
        2 => format!("      out[j] += {own}[i][j];\n"),
        3 => format!("      if (in[j] > 2) {own}[i][j] -= 1;\n"),
        _ => String::new(),
    }
}

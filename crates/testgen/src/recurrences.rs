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

use crate::random::Random;
use std::fmt::Write;

/// Most values that come from in front of the loop.
const MOST_FIRST: i64 = 5;

/// One file with a program for each seed, which prints a line for each size.
pub fn recurrences_file(seeds: &[u64]) -> String {
    let mut text = "#include <stdio.h>\n#include <string.h>\n".to_string();
    seeds.iter().for_each(|seed| text += &function(*seed));
    text += MAIN_BEGINS;
    seeds.iter().for_each(|seed| text += &format!("  run({seed}, recurrence_{seed});\n"));
    text + "  return 0;\n}\n"
}

const MAIN_BEGINS: &str = "typedef void function(int n, const double *in, double *out);
static void run(unsigned seed, function *f) {
  static double in[64], out[64];
  for (int n = 0; n <= 12; n++) {
    unsigned long sum = 0;
    for (int i = 0; i < 64; i++)
      in[i] = (i * 37 + seed % 1000 + n) % 101 + 0.25;
    memset(out, 0, sizeof out);
    f(n, in, out);
    for (int i = 0; i < 64; i++) {
      unsigned long bits;
      memcpy(&bits, &out[i], sizeof bits);
      sum = (sum ^ bits) * 0x100000001b3;
    }
    printf(\"%u %d %lx\\n\", seed, n, sum);
  }
}
int main(void) {
";

fn function(seed: u64) -> String {
    let mut random = Random::stream(seed, 79);
    let (first, is_upward) = (random.between(1, MOST_FIRST), random.percent(75));
    let cell = |at: &str| if is_upward { format!("w[{at}]") } else { format!("w[n + {MOST_FIRST} - ({at})]") };
    let in_rows = random.percent(50);
    let row = if in_rows { "i + " } else { "" };
    let mut front = String::new();
    let in_first_turns = random.percent(30);
    if !in_first_turns {
        (0..first).for_each(|k| front += &first_value(&mut random, &cell(&k.to_string()), &format!("in[{row}{k}]")));
    }
    let mut value = format!("in[j] * 0.{}", random.between(1, 9));
    for ago in 1..=first {
        if ago == first || random.percent(50) {
            let _ = write!(value, " - {} * 0.{}", cell(&format!("j - {ago}")), random.between(1, 9));
        }
    }
    let next = match (in_first_turns, random.percent(25)) {
        (true, _) => {
            format!("if (j < {first}) {} = in[{row}j]; else {} = {value};", cell("j"), cell("j"))
        }
        (_, true) => format!("if (in[j] > 40) {} = {value}; else {} = in[j];", cell("j"), cell("j")),
        _ => format!("{} = {value};", cell("j")),
    };
    let read = cell(&format!("j - {}", random.between(0, first)));
    let begin = if in_first_turns { 0 } else { first };
    let read =
        if in_first_turns { format!("if (j >= {first}) out[j] += {read};") } else { format!("out[j] += {read};") };
    let mut behind = String::new();
    for ago in 1..=first {
        if random.percent(40) {
            let _ = write!(behind, "  if (n >= {first}) out[0] += {} * {ago};\n", cell(&format!("n - {ago}")));
        }
    }
    let window = format!("{front}  for (int j = {begin}; j < n; j++) {{\n    {next}\n    {read}\n  }}\n{behind}");
    let body = if in_rows { format!("  for (int i = 0; i < 3; i++) {{\n{window}  }}\n") } else { window };
    format!(
        "static void recurrence_{seed}(int n, const double *in, double *out) {{
  double w[n + {}];
#pragma scop
{body}#pragma endscop
}}
",
        MOST_FIRST + 1
    )
}

fn first_value(random: &mut Random, cell: &str, value: &str) -> String {
    match random.percent(20) {
        true => format!("  if ({value} > 40) {cell} = {value}; else {cell} = 1;\n"),
        false => format!("  {cell} = {value};\n"),
    }
}

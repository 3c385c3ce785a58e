//! Random loops whose values are chosen as floating numbers say.
//!
//! ```c
//! for (int i = 0; i < 3; i++) {
//!   for (int j = 0; j < n; j++)
//!     a[i][j] = in[j + i] * 0.5 - 1;
//!   for (int j = 1; j < n; j++) {
//!     const double d = a[i][j] > LIMIT && a[i][j] * 2 < in[j] ? a[i][j] - LIMIT : a[i][j - 1];
//!     b[i][j] = d < 0.25 ? -d : a[i][j] < d || d != d ? d * a[i][j] : 0;
//!   }
//!   for (int j = 1; j < n; j++)
//!     out[j] = out[j] + b[i][j];
//! }
//! ```
//!
//! Programs are in bounds and defined at all sizes from 0, also where every choice is made otherwise. Values may be infinite, or no numbers. Elements are `double` or `float`; some
//! choices divide, call or ask for counters, some targets are read in the next turn, and some stand behind an `if`.

use crate::by_size::BySize;
use crate::random::Random;

/// One file with a program for each seed, which prints a line for each size.
pub fn choices_file(seeds: &[u64]) -> String {
    let macros = "#define LIMIT 0.75\n#define FLOAT_LIMIT 0.75f\n#define HUGE 1e308\n";
    macros.to_string() + &BySize { name: "choices", most: 35, scaled: " * 0.03125 - 1.0" }.file(seeds, function)
}

/// What the next choice may read.
struct Body {
    random: Random,
    /// Variables and cells with values.
    values: Vec<String>,
    element: &'static str,
    /// Whether all is of one precision.
    is_pure: bool,
    text: String,
}

fn function(seed: u64) -> String {
    let mut random = Random::stream(seed, 113);
    let element = *random.pick(&["double", "double", "float"]);
    let first = match random.between(0, 3) {
        0 => "in[j + i] * HUGE * 8 - in[i] * HUGE * 4",
        1 => "in[j] * in[j + i] - 0.5",
        _ => "in[j + i] * 0.5 - 1",
    };
    let values = ["a[i][j]", "a[i][j - 1]", "c[j]", "c[n - j]"].map(str::to_string).to_vec();
    let is_pure = random.percent(80);
    let mut body = Body { random, values, element, is_pure, text: String::new() };
    let count = body.random.between(1, 3);
    (0..count).for_each(|at| body.statement(at));
    let Body { text, .. } = body;
    format!(
        "static void choices_{seed}(int n, const double *in, double *out) {{
  {element} a[3][n + 1], b[3][n + 1], c[n + 1], v = 0;
#pragma scop
  for (int j = 0; j <= n; j++)
    c[j] = in[j] * 3;
  for (int i = 0; i < 3; i++) {{
    for (int j = 0; j < n; j++) {{
      a[i][j] = {first};
      b[i][j] = 0;
    }}
    for (int j = 1; j < n; j++) {{
{text}    }}
    for (int j = 1; j < n; j++)
      out[j] = out[j] * 0.5 + c[j] * 0.125 + (b[i][j] == b[i][j] ? b[i][j] : a[i][j] < 1 ? 2 : 3);
  }}
#pragma endscop
  (void)v;
}}
"
    )
}

impl Body {
    fn statement(&mut self, at: i64) {
        let choice = self.choice(2);
        let element = self.element;
        let text = match self.random.between(0, 9) {
            0 | 1 => {
                let name = format!("d{at}");
                let text =
                    format!("      const {element} {name} = {choice};\n      b[i][j] = {name} * {};\n", self.value());
                self.values.push(name);
                text
            }
            2 => {
                let text = format!("      v = {choice};\n      b[i][j] = v + {};\n", self.value());
                self.values.push("v".to_string());
                text
            }
            3 if !self.is_pure => format!("      if (in[j] > 0.5)\n        b[i][j] = {choice};\n"),
            5 | 6 => {
                let (condition, other) = (self.condition(), self.sum());
                format!("      if ({condition})\n        b[i][j] = {choice};\n      else\n        b[i][j] = {other};\n")
            }
            4 => format!("      b[i][j] = {choice};\n      a[i][j] = b[i][j] * 0.5;\n"),
            _ => {
                self.values.push("b[i][j]".to_string());
                format!("      b[i][j] = {choice};\n")
            }
        };
        self.text += &text;
    }

    /// A chain of choices.
    fn choice(&mut self, more: i64) -> String {
        let (condition, value) = (self.condition(), self.sum());
        let other = if more > 0 && self.random.percent(35) { self.choice(more - 1) } else { self.sum() };
        match self.random.percent(20) {
            true => format!("({condition} ? ({value}) : {other})"),
            false => format!("{condition} ? {value} : {other}"),
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.sum(), self.value());
        let sign = *self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
        let one = match self.random.between(0, 40) {
            0 => "j > 2".to_string(),
            1 => self.value(),
            2 => format!("!({left} {sign} {right})"),
            _ => format!("{left} {sign} {right}"),
        };
        if !self.random.percent(40) {
            return one;
        }
        let other = self.condition();
        match self.random.percent(50) {
            true => format!("({one}) && ({other})"),
            false => format!("({one}) || ({other})"),
        }
    }

    /// Up to three values in a sum or a product.
    fn sum(&mut self) -> String {
        let (one, two, three) = (self.value(), self.value(), self.value());
        match self.random.between(0, 39) {
            0 => format!("{one} / {two}"),
            1 if !self.is_pure => format!("(float){one} + {two}"),
            2..5 => format!("{one} + {two} * {three}"),
            5..8 => format!("{one} - ({two} - {three})"),
            8..11 => format!("-{one} * {two}"),
            11..24 => format!("{one} * {two}"),
            _ => one,
        }
    }

    fn value(&mut self) -> String {
        match self.random.between(0, 14) {
            0 if self.is_pure && self.element == "float" => "FLOAT_LIMIT".to_string(),
            0 => "LIMIT".to_string(),
            1 if !self.is_pure || self.element == "float" => "0.25f".to_string(),
            2 => "2".to_string(),
            3 if !self.is_pure || self.element == "double" => "in[i + 1]".to_string(),
            _ => self.random.pick(&self.values).clone(),
        }
    }
}

//! Calls that get addresses: functions that write several cells at once, and read others at any time of the call.

use super::judge::{Counts, judge_file};
use super::{SEARCH, SHORT, Search};
use crate::support::two_threads;
use polyfold_plan::Scope;

/// Functions that write several cells at once, and read others at any time of the call; in one array, in several, where data decide,
/// beside other reads, and with cells that nobody reads afterwards.
const CALLS: &str = "
#pragma polyfold pure(both, turned)
void both(unsigned *a, unsigned *b, unsigned p, unsigned q);
unsigned turned(unsigned *a, const unsigned *b);
void stages(int n, unsigned x[n], unsigned out[n]) {
  unsigned y[n], z[n], u[n];
#pragma scop
  for (int i = 0; i < n; i++) y[i] = x[i];
  for (int i = 0; i < n; i++) turned(&z[i], &y[i]);
  for (int i = 0; i < n; i++) both(&u[i], &y[n - 1 - i], z[i], z[n - 1 - i]);
  for (int i = 0; i < n; i++) out[i] = y[i];
#pragma endscop
}
void history(int n, unsigned x[n], unsigned out[n]) {
  unsigned a[n][n], b[n + 1][n];
#pragma scop
  for (int j = 0; j < n; j++) { a[0][j] = x[j]; b[0][j] = x[j]; b[1][j] = x[j]; }
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++) both(&a[i][j], &b[i + 1][j], a[i - 1][j], b[i - 1][j]);
  for (int j = 0; j < n; j++) out[j] = a[n - 1][j] + b[n][j];
#pragma endscop
}
void one_array(int n, unsigned x[n], unsigned out[n]) {
  unsigned t[n][3];
#pragma scop
  for (int i = 0; i < n; i++) {
    both(&t[i][0], &t[i][2], x[i], x[i]);
    if (x[i] > 3) both(&t[i][1], &t[i][0], t[i][2], 1);
    else turned(&t[i][1], &t[i][2]);
    out[i] = t[i][1] + t[i > 0 ? i - 1 : 0][0];
  }
#pragma endscop
}
void beside(int n, unsigned x[n], unsigned out[n]) {
  unsigned t[n], u[n], s;
#pragma scop
  for (int i = 0; i < n; i++) t[i] = x[i];
  for (int i = 0; i < n; i++) {
    out[i] = turned(&u[i], &x[i]) + t[i];
    both(&s, &t[i], u[i], s = u[i]);
  }
  for (int i = 0; i < n; i++) out[i] += t[i] + u[n - 1 - i];
#pragma endscop
}
";

#[test]
fn calls_that_get_addresses_are_analysed_right() {
    for scope in [Scope::Inter, Scope::Intra, Scope::Outputs] {
        let counts = judge_file(CALLS, Search { scope, ..SEARCH }).expect("no complaints");
        assert!(counts.mappings_replayed + counts.buffers_replayed > 0, "{counts:?}");
    }
}

/// A sequence of numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % most
    }

    fn one<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }

    fn cell(&mut self) -> String {
        let array = self.one(&["t", "t", "u", "v"]);
        let at = self.one(&["i", "i", "i", "n - 1 - i", "i > 0 ? i - 1 : 0", "0"]);
        format!("{array}[{at}]")
    }

    fn value(&mut self) -> String {
        if self.below(3) == 0 { "x[i]".to_string() } else { self.cell() }
    }

    fn statement(&mut self) -> String {
        let (a, b, c) = (self.cell(), self.cell(), self.cell());
        let (p, q) = (self.value(), self.value());
        match self.below(8) {
            0 => format!("{a} = {p} + {q};"),
            1 => format!("out[i] += {p};"),
            2 => format!("turned(&{a}, &{b});"),
            3 => format!("out[i] = turned(&{a}, &{b}) + {p};"),
            4 => format!("if (x[i] > 4) both(&{a}, &{b}, {p}, {q}); else {c} = {p};"),
            _ => format!("both(&{a}, &{b}, {p}, {q});"),
        }
    }

    /// A function of three temporaries, most of them set first.
    fn function(&mut self, name: &str) -> String {
        let mut text = format!(
            "void {name}(int n, unsigned x[n], unsigned out[n]) {{\n  unsigned t[n], u[n], v[n];\n#pragma scop\n"
        );
        for _ in 0..2 + self.below(3) {
            let own = self.one(&["t", "u", "v"]);
            text += &format!("  for (int i = 0; i < n; i++) {{\n    {own}[i] = x[i];\n");
            for _ in 0..1 + self.below(3) {
                text += &format!("    {}\n", self.statement());
            }
            text += "  }\n";
        }
        let last = self.cell();
        text + &format!("  for (int i = 0; i < n; i++) out[i] += {last};\n#pragma endscop\n}}\n")
    }
}

#[test]
#[ignore = "long, in ./check-more"]
fn random_calls_are_analysed_right() {
    let counts = two_threads::map((0..2).collect(), |batch: u64| {
        let mut random = Random(40 + batch);
        let functions: String = (0..12).map(|k| random.function(&format!("f{k}"))).collect();
        let declared = CALLS.split("void stages").next().unwrap_or_default();
        let scope = if batch == 0 { Scope::Inter } else { Scope::Outputs };
        judge_file(&format!("{declared}{functions}"), Search { scope, ..SHORT })
    });
    let mut sum = Counts::default();
    counts.into_iter().for_each(|counts| sum += counts.expect("no complaints"));
    assert!(sum.runs >= 24 && sum.mappings_replayed + sum.buffers_replayed > 0, "{sum:?}");
}

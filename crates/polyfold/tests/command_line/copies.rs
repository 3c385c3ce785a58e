//! Copies between arrays that share: they vanish where the arrays can be placed for that.

use super::files::{agree, optimized};
use crate::support::code::{count, function, has};
use crate::support::declared::declares;

fn program(copy: &str) -> String {
    format!(
        "#include <stdio.h>
static void pad(int n, double in[n][n], double out[n][n]) {{
  double a[n][n], b[n + 2][n + 2];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = in[i][j] * 2.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {copy}
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      out[i][j] = b[i][j + 1] + b[i + 2][j + 1] + b[i + 1][j];
#pragma endscop
}}
int main(void) {{
  static double in[100], out[100];
  for (int n = 1; n <= 10; n++) {{
    for (int i = 0; i < n * n; i++)
      in[i] = i * 7 % 13;
    pad(n, (double (*)[n])in, (double (*)[n])out);
    for (int i = 0; i < n * n; i++)
      printf(\"%g \", out[i]);
  }}
  puts(\"\");
  return 0;
}}
"
    )
}

/// Moved by one along one axis, n + 1 rows are enough; moved along both, n are, and the copy goes.
#[test]
fn a_copy_into_the_inside_of_a_frame_vanishes() {
    let result = optimized("frame", &program("b[i + 1][j + 1] = (a[i][j]);"), &[]);
    assert!(declares(&result, "a_shared", &["n", "n"]), "{result}");
    assert_eq!(count(&result, "for (int i = 0; i < n; i++) _;"), 1, "{result}");
    assert!(!has(function(&result, "pad"), "_ % _"), "{result}");
    agree("frame");
}

#[test]
fn what_computes_stays() {
    for (name, copy) in [("adds", "b[i + 1][j + 1] = a[i][j] + 1;"), ("calls", "b[i + 1][j + 1] = (float)a[i][j];")] {
        let result = optimized(name, &program(copy), &[]);
        assert_eq!(count(&result, "for (int j = 0; j < n; j++) _;"), 2, "{name}: {result}");
        agree(name);
    }
}

/// A number in a condition that goes with the copies is no variable that needs a mention.
#[test]
fn numbers_are_not_mentioned() {
    let text = "void f(int n, unsigned in[n], unsigned out[n]) {
  unsigned a[n], b[n];
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = in[i];
  for (int i = 0; i < n; i++)
    if (i > 2)
      b[i] = a[i];
    else
      b[i] = a[i];
  for (int i = 0; i < n; i++)
    out[i] = b[i] * 2;
#pragma endscop
}
";
    let result = optimized("numbers", text, &[]);
    assert!(!has(&result, "(void)_") && has(&result, "out[i] = a_shared[i] * 2;"), "{result}");
}

/// The frame's inside is turned over afterwards, which only engines for several arrays can place.
fn turned(copy: &str) -> String {
    let consumer = "out[i][j] = b[i][j + 1] + b[i + 2][j + 1] + b[i + 1][j];";
    let turns = format!(
        "c[j][i] = {}
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      out[i][j] = c[j][i] + 1.0;",
        consumer.trim_start_matches("out[i][j] = ")
    );
    program(copy).replace("b[n + 2][n + 2];", "b[n + 2][n + 2], c[n][n];").replace(consumer, &turns)
}

/// The paper's heuristic needs n + 1 rows, in which the copy stays.
#[test]
fn an_engine_pays_a_row_for_a_copy_that_vanishes() {
    for (name, copy, rows, loops) in
        [("pays", "b[i + 1][j + 1] = a[i][j];", "n + 2", 1), ("saves", "b[i + 1][j + 1] = 1 * a[i][j];", "n + 1", 2)]
    {
        let result = optimized(name, &turned(copy), &["--method", "smo"]);
        assert!(declares(&result, "a_shared", &[rows, "n"]), "{name}: {result}");
        assert_eq!(count(&result, "for (int j = 0; j < n; j++) _;"), loops, "{name}: {result}");
        agree(name);
    }
}

#[test]
fn a_transposition_costs_nothing() {
    let text = program("t[j][i] = a[i][j];")
        .replace("b[n + 2][n + 2]", "t[n][n]")
        .replace("b[i][j + 1] + b[i + 2][j + 1] + b[i + 1][j]", "t[i][j] + t[i - 1][j]");
    let result = optimized("transposed", &text, &[]);
    assert!(has(&result, "out[i][j] = a_shared[j][i] + a_shared[j][i - 1];"), "{result}");
    assert_eq!(count(&result, "for (int j = 0; j < n; j++) _;"), 1, "{result}");
    agree("transposed");
}

/// Two statements that go, and share a line.
#[test]
fn statements_of_one_line_go_together() {
    let source = "void f(int n, short in[n], short out[n]) {
  short a[n];
#pragma scop
  a[0] = in[0]; a[0] = in[1]; a[0] = 3;
  for (int x = 0; x < n; x++) {
    a[x] = in[x];
    if (x >= 2) out[x] = a[x - 2];
  }
#pragma endscop
}
";
    let result = super::files::optimized("gone_together", source, &[]);
    assert!(!has(&result, "in[0]") && !has(&result, "in[1]"), "{result}");
}

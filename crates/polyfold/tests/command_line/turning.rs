//! `--emit fast`: rows of small rings that take turns.

use super::files::{agree, optimized, path};
use super::forms::{Function, all_agree};
use crate::support::compiler;

const SIZES: &str = "0, 1, 2, 3, 4, 5, 6, 7, 9, 14";
const TURNS: &[&str] = &["!_ % _"];

fn function(name: &'static str, body: &'static str, says: &'static [&'static str]) -> Function<'static> {
    Function { name, locals: "double a[n + 8][n + 8];", body, n: SIZES, t: "0, 2, 3", says }
}

#[test]
fn rows_take_turns() {
    let functions = [
        function(
            "three_rows",
            "  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      a[i][j] = in[14 * i + j];
    if (i >= 2)
      for (int j = 0; j < n; j++)
        out[14 * i + j] = a[i - 2][j] - 3 * a[i - 1][j] + a[i][j];
  }",
            TURNS,
        ),
        function(
            "from_another_row",
            "  for (int i = 3; i < n; i++) {
    for (int j = 0; j < n; j++)
      a[i][j] = in[14 * i + j];
    if (i >= 7)
      for (int j = 0; j < n; j++)
        out[14 * i + j] = a[i - 4][j] + 2 * a[i - 2][j] - a[i][j];
  }",
            TURNS,
        ),
        function(
            "down",
            "  for (int i = n - 1; i >= 0; i--) {
    for (int j = 0; j < n; j++)
      a[n - 1 - i][j] = in[14 * i + j];
    if (i < n - 2)
      for (int j = 0; j < n; j++)
        out[14 * i + j] = a[n - 1 - i - 2][j] - 3 * a[n - 1 - i - 1][j] + a[n - 1 - i][j];
  }",
            TURNS,
        ),
        function(
            "with_ends",
            "  for (int i = 0; i < n; i++) {
    a[i][0] = in[i];
    for (int j = 1; j < n + 3; j++)
      a[i][j] = in[14 * i + j] + a[i][0];
    a[i][n + 3] = a[i][n + 2];
    if (i >= 2) {
      for (int j = 0; j < n; j++)
        out[14 * i + j] = a[i - 2][j] - 3 * a[i - 1][j + 1] + a[i][j + 4];
    }
  }",
            TURNS,
        ),
        function(
            "written_cell_by_cell",
            "  for (int i = 0; i < n; i++) {
    a[i][0] = in[i] * 2;
    a[i][1] = in[i + 1] * 3;
    if (i >= 2)
      for (int j = 0; j < 2; j++)
        out[2 * i + j] = a[i][j] + a[i - 1][j] - a[i - 2][j];
  }",
            TURNS,
        ),
        function(
            "begun_anew",
            "  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++)
        a[i][j] = in[14 * i + j + k];
      if (i >= 2)
        for (int j = 0; j < n; j++)
          out[14 * i + j] += a[i - 2][j] - k * a[i - 1][j] + a[i][j];
    }",
            TURNS,
        ),
    ];
    all_agree("turning", &functions, &[]);
}

#[test]
fn other_rows_stay() {
    let functions = [
        // Where it begins is no number.
        function(
            "from_a_size",
            "  for (int i = t; i < n; i++) {
    for (int j = 0; j < n; j++)
      a[i][j] = in[14 * i + j];
    if (i >= t + 2)
      for (int j = 0; j < n; j++)
        out[14 * i + j] = a[i - 2][j] - 3 * a[i - 1][j] + a[i][j];
  }",
            &[],
        ),
        function(
            "two_of_them",
            "  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      a[i][j] = in[14 * i + j];
    if (i >= 1)
      for (int j = 0; j < n; j++)
        out[14 * i + j] = a[i - 1][j] - 3 * a[i][j];
  }",
            &[],
        ),
        function(
            "too_many",
            "  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      a[i][j] = in[14 * i + j];
    if (i >= 8)
      for (int j = 0; j < n; j++)
        out[14 * i + j] = a[i - 8][j] - 3 * a[i - 5][j] + a[i - 2][j] - a[i][j];
  }",
            &[],
        ),
        function(
            "of_several_threads",
            "#pragma GCC unroll 2
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      a[i][j] = in[14 * i + j];
    if (i >= 2)
      for (int j = 0; j < n; j++)
        out[14 * i + j] = a[i - 2][j] - 3 * a[i - 1][j] + a[i][j];
  }",
            &[],
        ),
    ];
    all_agree("turning_not", &functions, &[]);
}

/// Rows of two rings that read alike.
#[test]
fn two_rings_take_turns() {
    let body = "  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      a[i][j] = in[14 * i + j];
    if (i >= 2) {
      for (int j = 0; j < n; j++)
        b[i][j] = a[i - 2][j] - 3 * a[i - 1][j] + a[i][j] + (j >= 2 ? b[i][j - 2] : 0);
      if (i >= 4)
        for (int j = 0; j < n; j++)
          out[14 * i + j] = b[i - 2][j] + b[i - 1][j] + 2 * b[i][j];
    }
  }";
    let locals = "double a[n + 8][n + 8], b[n + 8][n + 8];";
    let function = Function { locals, ..function("two_rings", body, TURNS) };
    all_agree("turning_twice", &[function], &["--scope", "intra"]);
}

/// A ring of which several statements in strips use rows: bounds that choose have names, so that what is promised lasts.
#[test]
#[ignore = "long, in ./check-more"]
fn rows_take_turns_in_strips() {
    let functions = [function(
        "in_strips",
        "  for (int i = 0; i < n; i++)
    for (int j = 2; j < n - 2; j++)
      a[i][j] = in[14 * i + j - 2] + 2 * in[14 * i + j] - in[14 * i + j + 2];
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < n - 2; j++)
      out[14 * i + j] = a[i - 2][j] + 4 * a[i - 1][j] - 6 * a[i][j] + 4 * a[i + 1][j] + a[i + 2][j];",
        TURNS,
    )];
    all_agree("turning_in_strips", &functions, &["--schedule", "strips"]);
    all_agree("turning_by_rows", &functions, &["--schedule", "fuse-rows"]);
}

/// A write that goes to several places, until a part of a loop settles to which, goes through pointers that were read through.
#[test]
fn rows_that_scattered_writes_go_to_are_not_const() {
    let source = "#include <stdio.h>
void f(int n, const unsigned *in, unsigned *out) {
  unsigned a[n + 1][n + 1];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] = in[i + j] + 5u;
      if (i >= 1) a[i][j] = a[i][j] * 7 ^ a[i - 1][j];
      if (i >= 2) a[i][j] = a[i][j] * 7 ^ a[i - 2][n - 1 - j];
    }
  for (int j = 0; j < n; j++) out[j] ^= a[n - 1][j];
#pragma endscop
}
int main(void) {
  unsigned in[40], out[20] = {0};
  for (unsigned i = 0; i < 40; i++)
    in[i] = i * 2654435761u >> 3;
  for (int n = 1; n < 20; n++)
    f(n, in, out);
  for (int i = 0; i < 20; i++)
    printf(\"%u \", out[i]);
  puts(\"\");
  return 0;
}
";
    optimized("scattered", source, &["--emit", "fast", "--reallocate", "--schedule", "fuse"]);
    agree("scattered");
    compiler::all_warnings(&path("scattered.out.c")).unwrap();
}

//! `--emit fast`: reads of rows whose places differ by a number, and promises of loops that have their rows from around.

use super::fast::{fast, program};
use super::files::{agree, optimized, path};
use crate::support::code::{count, has};
use crate::support::compiler;

/// A grid to and fro, whose border stays: so many rows of it, in full, at either end, and as many columns, in `columns`. Rows of what moves have
/// n + 2 cells then, and those of the border fewer.
fn grid(border: usize, columns: &str, sum: &str) -> String {
    let last = ["n", "n - 1"][border - 1];
    let inside = |counter: &str| format!("for (int {counter} = {border}; {counter} <= {last}; {counter}++)");
    let (rows, cells) = (inside("i"), inside("j"));
    program(
        "double p[n + 2][n + 2], q[n + 2][n + 2];",
        &format!(
            "  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++)
      q[i][j] = in[i][j];
  for (int s = 1; s <= t; s++) {{
    {rows} {{
{columns}
      {cells}
        p[i][j] = {sum};
    }}
    {rows}
      for (int j = 0; j <= n + 1; j++)
        q[i][j] = p[i][j];
  }}
  {rows}
    {cells}
      out[i][j] = q[i][j];"
        ),
    )
}

const ENDS: &str = "      p[i][0] = q[i][0];\n      p[i][n + 1] = q[i][n + 1];";
const NEIGHBOURS: &str = "0.2 * (q[i][j] + q[i - 1][j] + q[i + 1][j] + q[i][j - 1] + q[i][j + 1])";

/// The loop over a row of `grid` in `NEIGHBOURS`, whose rows above and below begin a cell further on.
const ROW: &str = "POLYFOLD_IVDEP for (int j = 1; j <= n; j++)
  _[j] = 0.2 * (_[j] + _[j - 1] + _[j - 1] + _[j - 1] + _[j + 1]);";

#[test]
#[ignore = "long, in ./check-more"]
fn a_pointer_begins_behind_the_row_that_has_more_cells() {
    let result = fast("row_behind", &grid(1, ENDS, NEIGHBOURS), &[]);
    assert!(has(&result, "const double *_ = i >= 2 ? &_[1] : q_values1;") && has(&result, ROW), "{result}");
}

/// Two rows at either end, of cells from 2 on.
#[test]
#[ignore = "long, in ./check-more"]
fn a_pointer_may_begin_two_cells_behind() {
    let columns = "      for (int j = 0; j <= 1; j++)\n        p[i][j] = q[i][j];
      for (int j = n; j <= n + 1; j++)\n        p[i][j] = q[i][j];";
    let source = grid(2, columns, "0.25 * (q[i][j] + q[i - 2][j] + q[i + 2][j])");
    let result = optimized("row_two_behind", &source, &["--emit", "fast"]);
    agree("row_two_behind");
    compiler::all_warnings(&path("row_two_behind.out.c")).unwrap();
    assert!(
        has(&result, "const double *_ = i >= 4 ? &_[2] : q_values1[i - 2];") && has(&result, "_[j - 2]"),
        "{result}"
    );
}

#[test]
fn counters_may_be_long() {
    let source = grid(1, ENDS, NEIGHBOURS).replace("for (int j = 1;", "for (long j = 1;");
    fast("row_long", &source, &[]);
}

/// What stands around the loop reads the same rows.
#[test]
#[ignore = "long, in ./check-more"]
fn rows_with_other_beginnings_are_shared_around_loops() {
    let columns = "      p[i][0] = q[i][0] + q[i - 1][1];\n      p[i][n + 1] = q[i][n + 1] + q[i - 1][n];";
    let result = fast("row_around", &grid(1, columns, NEIGHBOURS), &[]);
    assert!(has(&result, "_[0] = _[0] + (i >= 2 ? _[1] : q_values1[0]);"), "{result}");
    assert!(has(&result, "_[n + 1] = _[n + 1] + (i >= 2 ? _[n] : q_values1[n - 1]);"), "{result}");
    assert!(has(&result, ROW), "{result}");
}

/// A loop in parts has its rows in front of all of them.
#[test]
#[ignore = "long, in ./check-more"]
fn parts_have_rows_with_other_beginnings() {
    let sum = "q[i][j] + q[i - 1][j]";
    let source = grid(1, ENDS, sum).replace(
        &format!("p[i][j] = {sum};"),
        &format!("if (j == 3)\n          p[i][j] = 0.5 * ({sum});\n        else\n          p[i][j] = {sum};"),
    );
    let result = fast("row_parts", &source, &[]);
    assert_eq!(count(&result, "_[j] + q_values[j - 1]"), 3, "{result}");
    assert_eq!(count(&result, "POLYFOLD_IVDEP for (_; _; _) _[j] = _[j] + q_values[j - 1];"), 1, "{result}");
}

/// One part alone reads other rows, from its fourth cell on: where it has none, nobody points to that.
#[test]
#[ignore = "long, in ./check-more"]
fn parts_have_rows_of_their_own() {
    let sum = "q[i][j] + q[i - 1][j]";
    let source = grid(1, ENDS, sum).replace(
        &format!("p[i][j] = {sum};"),
        &format!("if (j <= 3)\n          p[i][j] = q[i][j];\n        else\n          p[i][j] = {sum};"),
    );
    let result = fast("row_of_part", &source, &[]);
    assert_eq!(count(&result, "q_values[j - 4]"), 2, "it is filled, and read in one part: {result}");
    assert!(has(&result, "POLYFOLD_IVDEP for (_; _; _) _[j] = _[j] + q_values[j - 4];"), "{result}");
}

#[test]
#[ignore = "long, in ./check-more"]
fn a_row_may_be_in_three_places() {
    let source = grid(1, ENDS, NEIGHBOURS).replace(
        "  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      out[i][j] = q[i][j];",
        "  for (int i = 0; i <= n + 1; i++) {
    for (int j = 1; j <= n; j++)
      out[i][j] = q[i][j];
    for (int j = 1; j <= n; j++)
      out[i][j] = out[i][j] + q[i][j] * j;
  }",
    );
    let result = fast("row_three", &source, &[]);
    let row = "const double *_ = i == 0 ? q_values1 : i == n + 1 ? q_values : &_[1];";
    assert_eq!(count(&result, row), 2, "{result}");
    assert!(has(&result, "out[i][j] = _[j - 1];"), "{result}");
}

#[test]
#[ignore = "long, in ./check-more"]
fn rows_of_planes_begin_elsewhere_too() {
    let source = program(
        "double p[n + 2][n + 2][n + 2], q[n + 2][n + 2][n + 2];",
        "  for (int h = 0; h <= n + 1; h++)
    for (int i = 0; i <= n + 1; i++)
      for (int j = 0; j <= n + 1; j++)
        q[h][i][j] = in[i][j] + h;
  for (int s = 1; s <= t; s++) {
    for (int h = 1; h <= n; h++)
      for (int i = 0; i <= n + 1; i++) {
        p[h][i][0] = q[h][i][0];
        for (int j = 1; j <= n; j++)
          p[h][i][j] = 0.25 * (q[h][i][j] + q[h - 1][i][j] + q[h + 1][i][j]);
        p[h][i][n + 1] = q[h][i][n + 1];
      }
    for (int h = 1; h <= n; h++)
      for (int i = 0; i <= n + 1; i++)
        for (int j = 0; j <= n + 1; j++)
          q[h][i][j] = p[h][i][j];
  }
  for (int h = 1; h <= n; h++)
    for (int i = 0; i <= n + 1; i++)
      for (int j = 0; j <= n + 1; j++)
        out[i][j] = q[h][i][j] + 0.5 * out[i][j];",
    );
    let result = optimized("row_planes", &source, &["--emit", "fast"]);
    agree("row_planes");
    compiler::all_warnings(&path("row_planes.out.c")).unwrap();
    assert!(has(&result, "h >= 2 ? &_[1] : q_values1[i]"), "{result}");
    assert!(has(&result, "0.25 * (_[j] + _[j - 1] + _[j - 1])"), "{result}");
}

/// Rows of memory on the heap are no pointers, but planes have names that loops around know.
#[test]
fn loops_whose_names_stand_around_them_have_promises() {
    let source = program(
        "double (*a)[n + 2][n + 2] = malloc(sizeof *a * (n + t + 3));",
        "  for (int h = 0; h <= n + 1; h++)
    for (int i = 0; i <= n + 1; i++)
      for (int j = 0; j <= n + 1; j++)
        a[h][i][j] = in[i][j] + h;
  for (int h = n + 2; h <= n + 1 + t; h++)
    for (int i = 0; i <= n + 1; i++)
      for (int j = 0; j <= n + 1; j++)
        a[h][i][j] = 0.25 * (a[h - 1][i][j] + a[h - 2][i][j] + a[h - n - 1][i][j]);
  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++)
      out[i][j] = a[n + 1 + t][i][j];",
    )
    .replace("#include <stdio.h>", "#include <stdio.h>\n#include <stdlib.h>")
    .replace("#pragma endscop", "#pragma endscop\n  free(a);");
    let result = fast("names_around", &source, &[]);
    assert!(has(&result, "POLYFOLD_IVDEP for (int j = _; _; _) _[j] = 0.25 * _;"), "{result}");
}

//! `--emit fast`: rows that go on from turn to turn of a loop around others.

use super::fast::{fast, program};
use crate::support::code::{has, within};
use crate::support::declared::declares;

/// Rows of `a` that are needed for as long as the next one: `a[i]` out of `a[i - 1]`, each from the other end in its turn.
fn rows_over_time(first: &str, condition: &str, next: &str, before: &str) -> String {
    program(
        "double a[n + 2][n + 2], b[n + 2][n + 2];",
        &format!(
            "  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++)
      a[i][j] = in[i][j];
  for (int s = 1; s <= t; s++) {{
    for (int i = 0; i <= n + 1; i++)
      for (int j = 0; j <= n + 1; j++)
        b[i][j] = a[i][j];
    for (int i = {first}; {condition}; {next})
      for (int j = 0; j <= n + 1; j++)
        a[i][j] = 0.5 * (b[i][j] + b[{before}][j]);
  }}
  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++)
      out[i][j] = a[i][j];"
        ),
    )
}

/// A place that goes on to the next one, or around.
const NEXT: &str = "_ < _ - 1 ? _ + 1 : 0";

#[test]
fn rows_follow_each_other_upward() {
    let result = fast("rows_up", &rows_over_time("1", "i <= n", "i++", "i - 1"), &[]);
    assert!(within(&result, "for (int s = 1; _; _) _;", NEXT) > 0, "{result}");
}

#[test]
fn rows_follow_each_other_downward() {
    let result = fast("rows_down", &rows_over_time("n", "i >= 1", "i--", "i + 1"), &[]);
    assert!(has(&result, "_ = _ > 0 ? _ - 1 : _ - 1;"), "{result}");
}

/// The triangle of a recurrence along diagonals: both subscripts move, one of them by 2.
#[test]
fn rows_that_move_by_two_are_compared_with_two() {
    let source = program(
        "double best[n][n];",
        "  for (int i = n - 1; i >= 0; i--) {
    best[i][i] = in[0][i] * t;
    for (int j = i + 1; j < n; j++) {
      best[i][j] = best[i + 1][j] + best[i][j - 1];
      for (int k = i + 1; k < j; k++)
        best[i][j] = best[i][j] > best[i][k] + best[k + 1][j] ? best[i][j] : best[i][k] + best[k + 1][j];
    }
  }
  out[0][0] = best[0][n - 1];",
    );
    let result = fast("rows_by_two", &source, &["--method", "lattice"]);
    assert!(has(&result, "_ = _ >= 2 ? _ - 2 : _;"), "{result}");
}

/// Each row of a triangle begins two cells behind where the one in front of it did, upwards and downwards.
#[test]
#[ignore = "long, in ./check-more"]
fn rows_of_a_triangle_go_on_from_row_to_row() {
    for (name, head, turn) in [
        ("triangle_up", "int j = 0; j < n; j++", "_ = _ < a_size1 - 2 ? _ + 2 : _ - a_size1 + 2;"),
        ("triangle_down", "int j = n - 1; j >= 0; j--", "_ = _ >= 2 ? _ - 2 : _ + a_size1 - 2;"),
    ] {
        let source = program(
            "double a[n][n][n + 7];",
            &format!(
                "  for ({head})
    for (int i = j; i < n; i++)
      for (int k = 0; k < n + 7; k++)
        a[j][i][k] = in[j][i] * k + t;
  for ({head})
    for (int i = j; i < n; i++) {{
      out[j][i] = 0;
      for (int k = 0; k < n + 7; k++)
        out[j][i] += a[j][i][k];
    }}"
            ),
        );
        let result = fast(name, &source, &[]);
        assert!(has(&result, "long _ = _;") && has(&result, turn), "{result}");
    }
}

/// Five points with a border that stays, whose rows have their two ends.
fn with_ends() -> String {
    program(
        "double a[n + 2][n + 2], b[n + 2][n + 2];",
        "  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++)
      a[i][j] = in[i][j];
  for (int s = 0; s < t; s++) {
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        b[i][j] = (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) * 0.2;
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        a[i][j] = b[i][j];
  }
  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++)
      out[i][j] = a[i][j];",
    )
}

/// The row that a turn writes is the one that the turn before read as its own, by the same pointer.
#[test]
fn a_row_is_passed_on_to_the_next_turn() {
    fast("rows_passed_on", &with_ends(), &[]);
}

/// Rows of a ring, each out of the one behind it, behind row 0 or row d. For d = -1 and n = 0 the loop is reached, has no turn, and row d would be in front of the ring.
#[test]
fn rows_may_begin_in_front_of_the_ring() {
    let source = "#include <stdio.h>
static void f(int n, int d, const double in[n + 2][n + 2], double out[n + 2][n + 2]) {
  double a[n + 2][n + 2];
#pragma scop
  for (int i = 0; i <= FIRST; i++)
    for (int j = 0; j < n + 2; j++)
      a[i][j] = in[i][j];
  for (int i = FIRST + 1; i < n; i++) {
    a[i][0] = a[i - 1][0];
    for (int j = 1; j < n + 2; j++)
      a[i][j] = in[i][j] + a[i - 1][j];
    if (d >= 0 && i >= d)
      for (int j = 0; j < n + 2; j++)
        out[i][j] = a[i - d][j];
  }
#pragma endscop
}
int main(void) {
  static double in[200], out[200];
  for (int n = 0; n <= 9; n++)
    for (int d = n == 0 ? -1 : 0; d <= n; d++) {
      for (int i = 0; i < 200; i++)
        in[i] = i * 7 % 13 + d, out[i] = 0;
      f(n, d, (const double (*)[n + 2])in, (double (*)[n + 2])out);
      for (int i = 0; i < 200; i++)
        printf(\"%.17g \", out[i]);
    }
  return 0;
}
";
    fast("rows_in_front", &source.replace("FIRST", "d"), &[]);
    fast("rows_in_the_ring", &source.replace("FIRST", "0"), &[]);
}

#[test]
#[ignore = "long, in ./check-more"]
fn rows_of_long_counters_go_on() {
    let source = rows_over_time("1", "i <= n", "i++", "i - 1").replace("int s", "long s");
    let result = fast("rows_of_long", &source, &[]);
    assert!(within(&result, "for (long s = 1; _; _) _;", NEXT) > 0, "{result}");
}

#[test]
fn turns_that_end_early_do_not_go_on() {
    let source = rows_over_time("1", "i <= n", "i++", "i - 1").replace(
        "    for (int i = 1; i <= n; i++)\n      for (int j = 0; j <= n + 1; j++)\n        a[i][j] = 0.5 * (b[i][j] + b[i - 1][j]);",
        "    for (int i = 1; i <= n; i++) {\n      if (i == 3)\n        continue;\n      for (int j = 0; j <= n + 1; j++)\n        a[i][j] = 0.5 * (b[i][j] + b[i - 1][j]);\n    }",
    );
    assert!(source.contains("continue"));
    let result = super::files::optimized("rows_continue", &source, &["--emit", "fast"]);
    super::files::agree("rows_continue");
    assert!(declares(&result, "a", &["n + 2", "n + 2"]) && declares(&result, "b", &["n + 2", "n + 2"]), "{result}");
}

/// Two heads in one line: what stands between them gets lines of its own, and what stands below is deeper.
#[test]
#[ignore = "long, in ./check-more"]
fn heads_in_one_line_get_lines_of_their_own() {
    let source = rows_over_time("1", "i <= n", "i++", "i - 1");
    let in_one_line =
        source.replace("i++)\n      for (int j = 0; j <= n + 1; j++)\n", "i++) for (int j = 0; j <= n + 1; j++)\n");
    assert_ne!(source, in_one_line);
    let result = fast("rows_in_one_line", &in_one_line, &[]);
    assert!(within(&result, "for (int s = 1; _; _) _;", NEXT) > 0, "{result}");
}

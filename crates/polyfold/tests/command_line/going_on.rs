//! `--emit fast`: pointers that go on by a row in each turn of the loop right around innermost ones.

use crate::files::{agree, optimized, path};
use crate::support::compiler;

/// Seven points to and fro in three dimensions, with a border that stays: rows of 0 to 5 and 10 cells inside of it.
fn seven_points() -> String {
    format!(
        "#include <stdio.h>
static void f(int n, int t, const double in[n + 2][n + 2][n + 2], double out[n + 2][n + 2][n + 2]) {{
  double p[n + 2][n + 2][n + 2], q[n + 2][n + 2][n + 2];
#pragma scop
  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++)
      for (int k = 0; k <= n + 1; k++)
        q[i][j][k] = in[i][j][k];
  for (int s = 1; s <= t; s++) {{
    for (int i = 1; i <= n; i++)
      {HEAD} {{
        for (int k = 1; k <= n; k++)
          p[i][j][k] = 0.14 * (q[i][j][k] + q[i - 1][j][k] + q[i + 1][j][k] + q[i][j - 1][k] + q[i][j + 1][k]
                               + q[i][j][k - 1] + q[i][j][k + 1]);
      }}
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        for (int k = 1; k <= n; k++)
          q[i][j][k] = p[i][j][k];
  }}
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      for (int k = 1; k <= n; k++)
        out[i][j][k] = q[i][j][k];
#pragma endscop
}}
int main(void) {{
  static double in[1728], out[1728];
  const int sizes[] = {{0, 1, 2, 3, 4, 5, 10}};
  for (int size = 0; size < 7; size++)
    for (int t = 0; t <= 4; t++) {{
      const int n = sizes[size];
      for (int i = 0; i < 1728; i++)
        in[i] = i * 7 % 13 + t, out[i] = 0;
      f(n, t, (const void *)in, (void *)out);
      double sum = 0;
      for (int i = 0; i < 1728; i++)
        sum = sum * 0.9375 + out[i];
      printf(\"%.17g\\n\", sum);
    }}
  return 0;
}}
"
    )
}

const HEAD: &str = "for (int j = 1; j <= n; j++)";

/// The part of a result in which points are computed.
fn points(result: &str) -> &str {
    let behind = &result[result.find("for (int s = 1;").expect(result)..];
    &behind[..behind.find("out[i][j][k]").expect(result)]
}

#[test]
fn what_the_loop_right_around_does_not_change_is_chosen_in_front_of_it() {
    let result = optimized("going_on", &seven_points(), &["--emit", "fast"]);
    agree("going_on");
    compiler::warnings(&path("going_on.out.c")).unwrap();
    let (front, turns) = points(&result).split_once(HEAD).expect(&result);
    for row in [
        "i >= 2 ? p_values[p_values_at0][0] + 1 : q_values3[0];",
        "i == n ? q_values1[0] : p_values[p_values_at2][0] + 1;",
    ] {
        assert!(front.contains(row), "{row}: {result}");
    }
    assert!(front.contains("double *p_row0 = p_values[p_values_at0][0];"), "{result}");
    assert!(front.contains("const long q_row2_cells = i >= 2 ? (long)n + 2 : "), "{result}");
    let (move_on, body) = turns.split_once("p_row0[0] = q_row1[0];").expect(&result);
    assert!(move_on.trim_start_matches([' ', '{', '\n']).starts_with("if (j > 1) {"), "{result}");
    assert!(move_on.contains("p_row0 += (long)n + 2;") && move_on.contains("q_row2 += q_row2_cells;"), "{result}");
    assert!(body.contains("j >= 2 ? p_values[p_values_at1][j - 2] + 1 : q_values2[i - 1];"), "{result}");
    assert!(!body.contains("i >= 2"), "{result}");
}

//! Of mappings with as many cells, those that innermost loops go through without strides and remainders.

use super::files::{agree, optimized};
use crate::support::code::has;

/// `body` on arrays, run for sizes n and t.
fn program(locals: &str, body: &str) -> String {
    format!(
        "#include <stdio.h>
static void f(int n, int t, const double in[n], double out[n]) {{
  {locals}
#pragma scop
{body}
#pragma endscop
}}
int main(void) {{
  double in[40], out[40];
  for (int n = 1; n <= 40; n++)
    for (int t = 1; t <= 9; t++) {{
      for (int i = 0; i < n; i++)
        in[i] = i * 7 % 13 + t, out[i] = 0;
      f(n, t, in, out);
      for (int i = 0; i < n; i++)
        printf(\"%.17g \", out[i]);
    }}
  puts(\"\");
  return 0;
}}
"
    )
}

/// Where an array lives, as the result says; it computes the same in both forms.
#[track_caller]
fn place(name: &str, source: &str, more: &[&str]) -> String {
    optimized(&format!("{name}_fast"), source, &[&["--emit", "fast"], more].concat());
    agree(&format!("{name}_fast"));
    let result = optimized(name, source, more);
    agree(name);
    let said = result.lines().find(|line| line.contains(" lives in ")).unwrap_or(&result);
    said.trim().trim_start_matches("/* ").trim_end_matches(" */").to_string()
}

#[test]
fn rows_that_shrink_with_the_innermost_loop_are_turned() {
    let skewed = program(
        "double a[t + 1][n];",
        "  for (int i = 0; i < n; i++)
    a[0][i] = in[i];
  for (int s = 1; s <= t; s++)
    for (int x = 2 * s; x <= n - 1; x++)
      a[s][x - s] = (a[s - 1][x - s - 1] + a[s - 1][x - s] + a[s - 1][x - s + 1]) * 0.25;
  for (int i = t; i < n - t; i++)
    out[i] = a[t][i];",
    );
    assert_eq!(place("turned", &skewed, &[]), "a[i][j] lives in a[j - i]");
}

/// Compilers unroll the loop over the weights, so that the one over the pixels of a row counts: no segments of at most seven turns, either.
#[test]
#[ignore = "long, in ./check-more"]
fn loops_of_a_few_turns_do_not_decide() {
    let filter = |radius: &str, weights: &str| {
        let body = format!(
            "  for (int i = 0; i < t; i++) {{
    for (int j = 0; j < n; j++)
      rows[i][j] = in[j] * i;
    if (i >= 2 * {radius})
      for (int j = 0; j < n; j++) {{
        double s = 0;
        for ({weights})
          s += (k + 1) * rows[i - {radius} + k][j];
        out[j] += s;
      }}
  }}"
        );
        program("double rows[t][n];", &body)
    };
    let few = filter("3", "int k = -3; k <= 3; k++");
    assert_eq!(place("weights", &few, &[]), "rows[i][j] lives in rows[i mod 7][j]");
    let named = format!("#define R 2\n{}", filter("R", "int k = -R; k <= R; k++"));
    assert_eq!(place("weights_named", &named, &[]), "rows[i][j] lives in rows[i mod 5][j]");
    let result = optimized("weights_whole", &named, &[]);
    assert!(has(&result, "for (int k = -R; k <= R; k++) _;"), "{result}");
    let many = format!("#define R 20\n{}", filter("R", "int k = -R; k <= R; k++").replace("t <= 9", "t <= 50"));
    assert_eq!(place("weights_many", &many, &["--param", "t=100"]), "rows[i][j] lives in rows[j][i mod 41]");
    let wide = filter("7", "int k = -7; k <= 7; k++").replace("t <= 9", "t <= 30");
    assert_eq!(place("weights_wide", &wide, &[]), "rows[i][j] lives in rows[i mod 15][j]");
}

/// Turned, its remainders would have to be taken twice.
#[test]
fn rows_that_would_wrap_around_below_0_stay() {
    let ring = program(
        "double a[n][t + 1];",
        "  for (int i = 0; i < n; i++)
    a[i][0] = in[i];
  for (int s = 0; s < t; s++)
    for (int i = 0; i < n; i++)
      if (i == 0 || i == n - 1)
        a[i][s + 1] = a[i][s];
      else
        a[i][s + 1] = (a[i - 1][s] + a[i][s] + a[i + 1][s]) / 3.0;
  for (int i = 0; i < n; i++)
    out[i] = a[i][t];",
    );
    let said = place("not_turned", &ring, &[]);
    assert!(said.contains("mod") && !said.contains("j - i"), "{said}");
}

/// Cells that an innermost loop goes through stand one behind the other.
#[test]
fn dimensions_stand_in_the_order_of_the_loops() {
    let columns = program(
        "double a[n][n][n];",
        "  for (int k = 0; k < n; k++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[k][j][i] = in[i] + in[j] * (k + t);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        out[i] += a[k][j][i];
  }",
    );
    assert_eq!(place("columns", &columns, &[]), "a[i][j][k] lives in a[k][j]");
}

/// Arrays share a buffer in shifts that were found for rows that go around.
#[test]
fn rows_of_buffers_mix_no_coordinates() {
    let butterflies = program(
        "double a[n][n], c[n][n], r[n][n];",
        "  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = in[j] * (i + t);
  for (int i = 0; i < n / 2; i++)
    for (int j = 0; j < n; j++) {
      c[2 * i][j] = a[2 * i][j] + a[2 * i + 1][j];
      c[2 * i + 1][j] = a[2 * i][j] - a[2 * i + 1][j];
    }
  for (int i = 0; i < n / 2; i++)
    for (int j = 0; j < n; j++) {
      r[2 * i][j] = (c[2 * i][j] + c[2 * i + 1][j]) / 2;
      r[2 * i + 1][j] = (c[2 * i][j] - c[2 * i + 1][j]) / 2;
    }
  for (int i = 0; i < n / 2 * 2; i++)
    for (int j = 1; j < n - 1; j++)
      out[j] += r[i][j - 1] + 2 * r[i][j] + r[i][j + 1];",
    );
    for room in ["0", "3"] {
        assert_eq!(place("butterflies", &butterflies, &["--room", room]), "a[i][j] lives in a_shared[i][j + 2]");
        let result = optimized("butterflies_all", &butterflies, &["--room", room]);
        for place in ["c[i][j] lives in a_shared[i][j + 1]", "r[i][j] lives in a_shared[i][j]"] {
            assert!(result.contains(place), "{result}");
        }
    }
}

//! `--emit fast`: subscripts that stay within one turn of their ring.

use super::fast::{fast, program};
use crate::support::code::has;

/// Each step has an array of its own; the last one begins with the first cell of the ring.
fn steps(last: &str) -> String {
    program(
        "double a[t + 1][n + 2];",
        &format!(
            "  for (int i = 0; i <= n + 1; i++)
    a[0][i] = in[0][i];
  for (int s = 0; s < t; s++) {{
    a[s + 1][0] = a[s][0];
    for (int i = 1; i <= n; i++)
      a[s + 1][i] = 0.25 * a[s][i - 1] + 0.5 * a[s][i] + 0.25 * a[s][i + 1];
    a[s + 1][n + 1] = a[s][n + 1];
  }}
  {last}"
        ),
    )
}

#[test]
#[ignore = "long, in ./check-more"]
fn what_is_read_at_the_end_does_not_go_around() {
    let result = fast("read_at_the_end", &steps("for (int i = 0; i <= n + 1; i++)\n    out[0][i] = a[t][i];"), &[]);
    assert!(has(&result, "for (int i = 0; i <= n + 1; i++) out[0][i] = a[i];"), "{result}");
    let both = "for (int i = 0; i <= n; i++)\n    out[0][i] = a[t][i] - 2 * a[t][i + 1] + a[t][n + 1 - i];";
    let result = fast("read_both_ways", &steps(both), &[]);
    assert!(has(&result, "out[0][i] = a[i] - 2 * a[i + 1] + a[n + 1 - i];"), "{result}");
}

/// In the first turn the cell before is the last of the ring.
#[test]
fn one_of_two_subscripts_goes_around() {
    let both = "for (int i = 0; i <= n; i++) {
    out[0][i] = a[t][i];
    if (i > 0)
      out[1][i] = a[t][i - 1] * 2;
  }
  for (int i = 0; i <= n; i++)
    out[0][i] += a[t][i];";
    fast("one_goes_around", &steps(both), &[]);
}

#[test]
fn rows_stay_too() {
    let source = program(
        "double p[n + 2][n + 2], q[n + 2][n + 2];",
        "  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++)
      q[i][j] = in[i][j];
  for (int s = 1; s <= t; s++) {
    for (int j = 0; j <= n + 1; j++)
      p[0][j] = q[0][j];
    for (int i = 1; i <= n; i++)
      for (int j = 0; j <= n + 1; j++)
        p[i][j] = 0.5 * q[i][j] + 0.25 * (q[i - 1][j] + q[i + 1][j]);
    for (int j = 0; j <= n + 1; j++)
      p[n + 1][j] = q[n + 1][j];
    for (int i = 0; i <= n + 1; i++)
      for (int j = 0; j <= n + 1; j++)
        q[i][j] = p[i][j];
  }
  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++)
      out[i][j] = q[i][j];",
    );
    let result = fast("rows_stay", &source, &[]);
    assert!(has(&result, "out[i][j] = p_values[i][j];"), "{result}");
}

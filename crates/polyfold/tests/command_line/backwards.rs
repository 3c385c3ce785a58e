//! Rings that innermost loops go through backwards are turned around.

use super::fast::{fast, program};
use crate::support::code::has;
use crate::support::declared::declares;

/// Each step has an array of its own.
#[test]
fn steps_in_a_ring_go_up() {
    let source = program(
        "double a[t + 1][n + 2];",
        "  for (int i = 0; i <= n + 1; i++)
    a[0][i] = in[0][i];
  for (int s = 0; s < t; s++) {
    a[s + 1][0] = a[s][0];
    for (int i = 1; i <= n; i++)
      a[s + 1][i] = 0.25 * a[s][i - 1] + 0.5 * a[s][i] + 0.25 * a[s][i + 1];
    a[s + 1][n + 1] = a[s][n + 1];
  }
  for (int i = 0; i <= n + 1; i++)
    out[0][i] = a[t][i];",
    );
    let result = fast("steps_up", &source, &[]);
    assert!(declares(&result, "a", &["n + 3"]), "{result}");
    assert!(!has(&result, "a[_ - i]") && has(&result, "a[_ + i + 2]"), "{result}");
}

/// Both sizes are those of a table, whose rows and columns may be few.
#[test]
fn tables_in_a_ring_go_up() {
    let source = program(
        "double s[t + 1][n + 1], most[t + 1];",
        "  for (int j = 0; j <= n; j++)
    s[0][j] = in[0][j];
  for (int i = 1; i <= t; i++) {
    s[i][0] = 1;
    most[i] = 0;
    for (int j = 1; j <= n; j++) {
      s[i][j] = s[i - 1][j] > s[i][j - 1] ? s[i - 1][j - 1] + in[1][j] : s[i][j - 1] * 0.5 + s[i - 1][j];
      most[i] = most[i] > s[i][j] ? most[i] : s[i][j];
    }
    out[0][i < n ? i : n] = most[i];
  }",
    );
    let result = fast("tables_up", &source, &[]);
    assert!(result.contains("/* s[i][j] lives in s[(j - i + t) mod (n + 2)] */"), "{result}");
}

/// Where loops go down, so do cells whose places grow with their counters.
#[test]
fn rings_of_loops_that_go_down_are_turned_too() {
    let source = program(
        "double a[t + 1][n + 2];",
        "  for (int i = 0; i <= n + 1; i++)
    a[0][i] = in[0][i];
  for (int s = 0; s < t; s++) {
    for (int i = n; i >= 1; i--)
      a[s + 1][i] = 0.25 * a[s][i - 1] + 0.5 * a[s][i] + 0.25 * a[s][i + 1];
    a[s + 1][0] = 0;
    a[s + 1][n + 1] = 1;
  }
  for (int i = 0; i <= n + 1; i++)
    out[0][i] = a[t][i];",
    );
    let result = fast("downwards", &source, &[]);
    assert!(result.contains("/* a[i][j] lives in a[(n - i - j + t + 1) mod (n + 2)] */"), "{result}");
}

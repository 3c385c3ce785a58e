//! Cells that one of several branches writes, as data decide.

use super::files::{agree, optimized};
use crate::support::code::has;
use crate::support::declared::declares;

/// The last case of the longest common subsequence is to be put in place of `LAST`.
const SUBSEQUENCE: &str = r#"
#include <stdio.h>
static int f(int n, int m, const int a[n], const int b[m]) {
  int l[n + 1][m + 1], longest;
#pragma scop
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= m; j++) {
      if (i == 0 || j == 0)
        l[i][j] = 0;
      else if (a[i - 1] == b[j - 1])
        l[i][j] = l[i - 1][j - 1] + 1;
      else if (l[i - 1][j] >= l[i][j - 1])
        l[i][j] = l[i - 1][j];
      LAST
    }
  longest = l[n][m];
#pragma endscop
  return longest;
}
int main(void) {
  int a[7] = {3, 1, 4, 1, 5, 9, 2}, b[6] = {1, 4, 9, 5, 9, 2};
  for (int n = 1; n < 8; n++)
    for (int m = 1; m < 7; m++)
      printf("%d ", f(n, m, a, b));
  return 0;
}
"#;

#[test]
fn branches_that_all_write_a_cell_are_one_write() {
    let result = optimized("subsequence", &SUBSEQUENCE.replace("LAST", "else l[i][j] = l[i][j - 1];"), &[]);
    assert!(declares(&result, "l", &["m + 2"]), "{result}");
    agree("subsequence");
}

#[test]
fn a_branch_that_does_not_write_leaves_the_value_before() {
    for (name, last) in [("unwritten", ""), ("elsewhere", "else l[i - 1][j] = l[i][j - 1];")] {
        let source = SUBSEQUENCE.replace("LAST", last).replace("#pragma scop\n", INITIALIZED);
        let result = optimized(name, &source, &[]);
        assert!(has(&result, "int l[n + 1][m + 1], longest;"), "{result}");
        agree(name);
    }
}

const INITIALIZED: &str = "#pragma scop
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= m; j++)
      l[i][j] = 0;
";

/// `p` holds what the caller, or an earlier call, left in it.
const OLD_VALUES: &str = r#"#include <stdio.h>
static void f(int n, const int x[n], int p[n], int y[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (x[i] > 0)
      p[i] = 1;
    y[i] = p[i];
  }
#pragma endscop
}
int main(void) {
  int x[] = {3, 0, 1, -1}, p[] = {5, 6, 7, 8}, y[4];
  f(4, x, p, y);
  for (int i = 0; i < 4; i++)
    printf("%d ", y[i]);
  return 0;
}
"#;

#[test]
fn what_the_caller_left_in_a_temporary_may_be_read() {
    let result = optimized("old_values", OLD_VALUES, &["--temporary", "p"]);
    assert_eq!(result, OLD_VALUES);
}

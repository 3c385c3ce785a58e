//! Programs that several tests start from.

/// A temporary that becomes one variable.
pub(crate) const SIMPLE: &str = "
void f(int n, int x[n]) {
  int t[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = 2 * x[i];
    x[i] = t[i] + 1;
  }
#pragma endscop
}
";

/// `t` needs k + 1 cells.
pub(crate) const LAG: &str = r#"
#include <stdio.h>
static void f(int n, int k, const int x[n], int out[n]) {
  int t[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = 3 * x[i];
    if (i >= k)
      out[i] = t[i - k];
  }
#pragma endscop
}
int main(void) {
  int x[6] = {3, 1, 4, 1, 5, 9};
  for (int k = 0; k < 5; k++) {
    int out[6] = {0};
    f(6, k, x, out);
    for (int i = 0; i < 6; i++)
      printf("%d ", out[i]);
  }
  printf("\n");
  return 0;
}
"#;

/// Rows of `t` are needed in pairs, whatever n is.
pub(crate) const ROWS: &str = r#"
#include <stdio.h>
static void f(int n, int x[n]) {
  int t[n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    t[0][i] = x[i];
  for (int k = 1; k < n; k++)
    for (int i = 0; i < n; i++)
      t[k][i] = t[k - 1][i] + t[k - 1][0];
  for (int i = 0; i < n; i++)
    x[i] = t[n - 1][i];
#pragma endscop
}
int main(void) {
  static const int sizes[] = {1, 2, 3, 5};
  for (int s = 0; s < 4; s++) {
    int x[5] = {3, 1, 4, 1, 5};
    f(sizes[s], x);
    for (int i = 0; i < sizes[s]; i++)
      printf("%d ", x[i]);
  }
  printf("\n");
  return 0;
}
"#;

/// All of `t` is alive at once, but for large m its cells are used at once.
pub(crate) const CASES: &str = "#include <stdio.h>
static void f(int n, int m, const int x[n], int out[n]) {
  int t[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = x[i];
    out[i] = t[i];
  }
  if (m < 5) {
    for (int i = 0; i < n; i++)
      t[i] = 2 * x[i];
    for (int i = 0; i < n; i++)
      out[i] += t[n - 1 - i];
  }
#pragma endscop
}
int main(void) {
  int x[6] = {3, 1, 4, 1, 5, 9};
  for (int m = 3; m < 7; m++) {
    int out[6] = {0};
    f(6, m, x, out);
    for (int i = 0; i < 6; i++)
      printf(\"%d \", out[i]);
  }
  printf(\"\\n\");
  return 0;
}
";

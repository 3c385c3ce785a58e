//! What C means where a parser or a set of constraints could read something else.

use crate::files::{agree, optimized};

/// What C means where a parser or a set of constraints could read something else: the result must still compute it.
#[test]
fn easily_misread_arithmetic() {
    let sum_in_a_macro = "#include <stdio.h>
#define AT(i, s, j) t[(i) + (s) * (j)]
static unsigned f(int n) {
  unsigned t[n + 3], all = 0;
#pragma scop
  for (int i = 0; i < n + 3; i++)
    t[i] = 5u * (unsigned)i;
  for (int i = 0; i < n; i++)
    all = all * 3u + AT(i, 1, 3);
#pragma endscop
  return all;
}
int main(void) {
  for (int n = 0; n < 9; n++)
    printf(\"%u\\n\", f(n));
}
";
    let wrapping_guard = "#include <stdio.h>
static unsigned f(unsigned n) {
  unsigned t[n + 1][n + 1], all = 0;
#pragma scop
  for (unsigned d = 0; d <= 2 * n; d++)
    for (unsigned i = 0; i <= n; i++)
      if (d - i <= n) {
        t[i][d - i] = i > 0 && d > i ? t[i - 1][d - i - 1] + 1u : 2u;
        all = all * 3u + t[i][d - i];
      }
#pragma endscop
  return all;
}
int main(void) {
  for (unsigned n = 0; n < 7; n++)
    printf(\"%u\\n\", f(n));
}
";
    let unsigned_macro = "#include <stdio.h>
#define H 3ul
#define W 8ul
int main(void) {
  unsigned t[W + 1][H + 1][H + W + 1], all = 0;
#pragma scop
  for (unsigned k = 0; k <= W; k++)
    for (unsigned y = 0; y <= H; y++)
      for (unsigned x = 0; x <= W; x++) {
        t[k][y][y + x] = 7u * k + x;
        if (k >= 1)
          t[k][y][y + x] += t[k - 1][y][y + x];
        all = all * 31u + t[k][y][y + x];
      }
  all += t[W][H][H + W];
#pragma endscop
  printf(\"%u\\n\", all);
}
";
    let sources =
        [("sum_in_a_macro", sum_in_a_macro), ("wrapping_guard", wrapping_guard), ("unsigned_macro", unsigned_macro)];
    for (name, source) in sources {
        optimized(name, source, &[]);
        agree(name);
    }
}

/// A multiple of a counter is computed as `long` where the array may have more than 2^30 rows.
#[test]
fn multiples_of_counters_do_not_overflow() {
    let source = "unsigned f(int n, int lo, unsigned char a[n][4]) {
  unsigned all = 0;
#pragma scop
  for (int i = lo; i < n; i++) {
    for (int j = 3; j >= 0; j--)
      a[i][j] = (i > lo && j < 2) ? a[i - 1][j + 2] : (unsigned char)(i + j);
    all = all * 31u + a[i][0];
  }
#pragma endscop
  return all;
}
";
    let result = optimized("many_rows", source, &["--temporary", "a"]);
    assert_eq!(result.matches("2 * (long)i").count(), 3, "{result}");
}

/* A moving window and the head of an array: one stretch while they meet, two afterwards. */
#include "harness.h"

static void window_and_head(int m, int n, double A[m + n], double B[m + 1]) {
#pragma scop
  for (int i = 0; i <= m; i++) {
#pragma polyfold local
    for (int j = 0; j < n; j++)
      B[i] += A[j] * A[i + j];
  }
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 5, 7, 8, 13, 100};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    const int last[] = {0, 2 * n - 1, 3 * n - 1, 3 * n};
    for (int l = 0; l < 4; l++) {
      const int m = last[l];
      double *a = filled(m + n, 1), *b = filled(m + 1, 2);
      window_and_head(m, n, a, b);
      show(a, m + n);
      show(b, m + 1);
      long in = m + 1;
      for (int i = 0; i <= m; i++)
        in += i < n ? i + n : 2 * n;
      expect("window_and_head", n, 2L * n + 1, in, m + 1);
    }
  }
  return 0;
}

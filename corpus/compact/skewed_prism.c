/* A prism over a triangle, skewed. */
#include "harness.h"

static void skewed_prism(int n, int m, double B[2 * n][m][n], double *s) {
#pragma scop
#pragma polyfold local
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      for (int j = 0; j < n - i; j++)
        s[0] += B[i + j][k][j];
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 6, 7, 10};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    for (int m = 1; m <= 4; m++) {
      double *b = filled(2L * n * m * n, 1), *s = filled(1, 2);
      skewed_prism(n, m, (void *)b, s);
      show(b, 2L * n * m * n);
      show(s, 1);
      expect("skewed_prism", n, m * (n * (n + 1L) / 2) + 1, m * (n * (n + 1L) / 2) + 1, 1);
    }
  }
  return 0;
}

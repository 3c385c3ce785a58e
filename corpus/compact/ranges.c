/* Three references to parts of one array that do not meet, one of them written. */
#include "harness.h"

static void ranges(int n, int m, double A[10 * n][10 * n]) {
#pragma scop
#pragma polyfold local
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      A[2 * i + 6 * n][3 * j + 6 * n] = A[i][j] - A[i + 5 * n][j + 2 * n];
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 10};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    for (int m = 1; m <= MIN(n, 5); m++) {
      double *a = filled(100L * n * n, 1);
      ranges(n, m, (void *)a);
      show(a, 100L * n * n);
      expect("ranges", n, 3L * m * m, 2L * m * m, 1L * m * m);
    }
  }
  return 0;
}

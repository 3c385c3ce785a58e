/* A row that is written and a column that is read: the row owns the cell where they cross. */
#include "harness.h"

static void cross_written(int n, double A[n][n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
#pragma polyfold local
    for (int j = 0; j < n; j++)
      A[i][j] = 0.5 * A[j][i] + 1.0;
  }
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 10, 13, 16};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *a = filled(1L * n * n, 1);
    cross_written(n, (void *)a);
    show(a, 1L * n * n);
    expect("cross_written", n, 2L * n, 1L * n * n, 1L * n * n);
  }
  return 0;
}

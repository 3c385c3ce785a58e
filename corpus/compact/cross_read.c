/* A row and a column that are only read: the cell where they cross has two copies. */
#include "harness.h"

static void cross_read(int n, double A[n][n], double C[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
#pragma polyfold local
    for (int j = 0; j < n; j++)
      C[i] += A[i][j] * A[j][i];
  }
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 10, 13, 16};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *a = filled(1L * n * n, 1);
    double *c = filled(n, 2);
    cross_read(n, (void *)a, c);
    show(a, 1L * n * n);
    show(c, n);
    expect("cross_read", n, 2L * n + 1, 2L * n * n + n, n);
  }
  return 0;
}

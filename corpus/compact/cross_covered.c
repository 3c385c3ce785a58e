/* The whole row is written before the column is read: the cell where they cross is not copied in. */
#include "harness.h"

static void cross_covered(int n, double A[n][n], double s[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
#pragma polyfold local
    {
      for (int j = 0; j < n; j++)
        A[i][j] = 0.25 * i + j;
      for (int j = 0; j < n; j++)
        s[i] += A[j][i];
    }
  }
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 10, 13, 16};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *a = filled(1L * n * n, 1);
    double *s = filled(n, 2);
    cross_covered(n, (void *)a, s);
    show(a, 1L * n * n);
    show(s, n);
    expect("cross_covered", n, 2L * n + 1, 1L * n * n, 1L * n * n + n);
  }
  return 0;
}

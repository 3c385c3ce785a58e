/* Rows of band matrices in tiles of 32: three diagonals, and eight of them in a loop. */
#include "harness.h"

static void tridiagonal(int n, double A[n][n], double x[n], double y[n]) {
#pragma scop
  for (int it = 1; it < n - 1; it += 32) {
#pragma polyfold local arrays(A)
    for (int i = it; i < MIN(n - 1, it + 32); i++)
      y[i] = A[i][i - 1] * x[i - 1] + A[i][i] * x[i] + A[i][i + 1] * x[i + 1];
  }
#pragma endscop
}

static void banded(int n, double A[n][n + 8], double x[n + 8], double y[n]) {
#pragma scop
  for (int it = 0; it < n; it += 32) {
#pragma polyfold local arrays(A)
    for (int i = it; i < MIN(n, it + 32); i++)
      for (int b = 0; b < 8; b++)
        y[i] += A[i][i + b] * x[i + b];
  }
#pragma endscop
}

int main(void) {
  const int sizes[] = {3, 7, 34, 50};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    for (int which = 0; which < 2; which++) {
      double *a = filled(n * (n + 8L), 1), *x = filled(n + 8, 2), *y = filled(n, 3);
      if (which == 0)
        tridiagonal(n, (void *)a, x, y);
      else
        banded(n, (void *)a, x, y);
      show(a, n * (n + 8L));
      show(x, n + 8);
      show(y, n);
      expect("bands", n, which == 0 ? 96 : 256, which == 0 ? 3 * (n - 2L) : 8L * n, 0);
    }
  }
  return 0;
}

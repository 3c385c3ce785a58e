/* Factorization of the lower triangles on the diagonal, in place. */
#include "harness.h"

static void diagonal_tiles(int n, int T, double L[n][n]) {
#pragma scop
  for (int t = 0; t < n; t += T) {
#pragma polyfold local
    for (int k = t; k < t + T; k++) {
      L[k][k] = 1.0 + L[k][k];
      for (int i = k + 1; i < t + T; i++)
        L[i][k] = L[i][k] / L[k][k];
      for (int i = k + 1; i < t + T; i++)
        for (int j = k + 1; j <= i; j++)
          L[i][j] = L[i][j] - L[i][k] * L[j][k];
    }
  }
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 6, 9, 10, 12, 16};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    for (int T = 1; T <= n; T++) {
      if (n % T != 0)
        continue;
      double *l = filled(1L * n * n, 1);
      diagonal_tiles(n, T, (void *)l);
      show(l, 1L * n * n);
      expect("diagonal_tiles", n, T * (T + 1L) / 2, n * (T + 1L) / 2, n * (T + 1L) / 2);
    }
  }
  return 0;
}

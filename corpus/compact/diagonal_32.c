/* Factorization of the lower triangles on the diagonal in tiles of 32, in place. */
#include "harness.h"

static void diagonal_32(int n, double L[n][n]) {
#pragma scop
  for (int t = 0; t < n; t += 32) {
#pragma polyfold local
    for (int k = t; k < MIN(n, t + 32); k++) {
      L[k][k] = 1.0 + L[k][k];
      for (int i = k + 1; i < MIN(n, t + 32); i++)
        L[i][k] = L[i][k] / L[k][k];
      for (int i = k + 1; i < MIN(n, t + 32); i++)
        for (int j = k + 1; j <= i; j++)
          L[i][j] = L[i][j] - L[i][k] * L[j][k];
    }
  }
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 7, 32, 50, 64};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *l = filled(1L * n * n, 1);
    diagonal_32(n, (void *)l);
    show(l, 1L * n * n);
    const long rest = n % 32, copied = n / 32 * 528 + rest * (rest + 1) / 2;
    expect("diagonal_32", n, 528, copied, copied);
  }
  return 0;
}

/* A lower triangle of 32 by 32 solved for panels of 16 columns. */
#include "harness.h"

static void triangular_panels(int n, double L[n][n], double B[n][n]) {
#pragma scop
  for (int it = 0; it < n; it += 32)
    for (int jt = 0; jt < n; jt += 16) {
#pragma polyfold local
      for (int i = it; i < MIN(n, it + 32); i++)
        for (int j = jt; j < MIN(n, jt + 16); j++) {
          for (int k = it; k < i; k++)
            B[i][j] -= L[i][k] * B[k][j];
          B[i][j] = B[i][j] / (L[i][i] + 1.0);
        }
    }
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 7, 32, 50};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *l = filled(1L * n * n, 1), *b = filled(1L * n * n, 2);
    triangular_panels(n, (void *)l, (void *)b);
    show(l, 1L * n * n);
    show(b, 1L * n * n);
    const long rest = n % 32, triangles = n / 32 * 528 + rest * (rest + 1) / 2, cells = 1L * n * n;
    expect("triangular_panels", n, 528 + 32 * 16, triangles + cells, cells);
  }
  return 0;
}

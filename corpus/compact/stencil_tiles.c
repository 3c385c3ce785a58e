/* A stencil of five points, in tiles of 32 by 32. */
#include "harness.h"

static void stencil_tiles(int n, double A[n][n], double B[n][n]) {
#pragma scop
  for (int it = 1; it < n - 1; it += 32)
    for (int jt = 1; jt < n - 1; jt += 32) {
#pragma polyfold local
      for (int i = it; i < MIN(n - 1, it + 32); i++)
        for (int j = jt; j < MIN(n - 1, jt + 32); j++)
          B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i - 1][j] + A[i + 1][j]);
    }
#pragma endscop
}

int main(void) {
  const int sizes[] = {3, 7, 34, 50};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *a = filled(1L * n * n, 1), *b = filled(1L * n * n, 2);
    stencil_tiles(n, (void *)a, (void *)b);
    show(a, 1L * n * n);
    show(b, 1L * n * n);
    const long inner = n - 2, tiles = (inner + 31) / 32;
    expect("stencil_tiles", n, 34L * 34 + 32 * 32, inner * inner + 4 * tiles * inner, inner * inner);
  }
  return 0;
}

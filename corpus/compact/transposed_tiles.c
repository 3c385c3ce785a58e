/* A tile of 32 by 32 and the one across the diagonal, which may be the same. */
#include "harness.h"

static void transposed_tiles(int n, double A[n][n]) {
#pragma scop
  for (int it = 0; it < n; it += 32)
    for (int jt = 0; jt < n; jt += 32) {
#pragma polyfold local
      for (int i = it; i < MIN(n, it + 32); i++)
        for (int j = jt; j < MIN(n, jt + 32); j++)
          A[i][j] = A[i][j] + 0.5 * A[j][i];
    }
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 7, 32, 50, 70};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *a = filled(1L * n * n, 1);
    transposed_tiles(n, (void *)a);
    show(a, 1L * n * n);
    const long rest = n % 32, diagonal = n / 32 * 32 * 32 + rest * rest, cells = 1L * n * n;
    expect("transposed_tiles", n, 2 * 32 * 32, 2 * cells - diagonal, cells);
  }
  return 0;
}

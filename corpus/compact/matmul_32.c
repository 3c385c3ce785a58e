/* A matrix product in tiles of 32. */
#include "harness.h"

static void matmul_32(int n, double A[n][n], double B[n][n], double C[n][n]) {
#pragma scop
  for (int it = 0; it < n; it += 32)
    for (int jt = 0; jt < n; jt += 32)
      for (int kt = 0; kt < n; kt += 32) {
#pragma polyfold local
        for (int i = it; i < MIN(n, it + 32); i++)
          for (int j = jt; j < MIN(n, jt + 32); j++)
            for (int k = kt; k < MIN(n, kt + 32); k++)
              C[i][j] += A[i][k] * B[k][j];
      }
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 7, 32, 50, 64};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *a = filled(1L * n * n, 1), *b = filled(1L * n * n, 2), *c = filled(1L * n * n, 3);
    matmul_32(n, (void *)a, (void *)b, (void *)c);
    show(a, 1L * n * n);
    show(b, 1L * n * n);
    show(c, 1L * n * n);
    const long tiles = (n + 31) / 32;
    expect("matmul_32", n, 3L * 32 * 32, (2 * tiles + 1) * n * n, 1L * n * n);
  }
  return 0;
}

/* A matrix product in tiles of any size, the last ones partial. */
#include "harness.h"

static void matmul_tiles(int n, int T, double A[n][n], double B[n][n], double C[n][n]) {
#pragma scop
  for (int it = 0; it < (n + T - 1) / T; it++)
    for (int jt = 0; jt < (n + T - 1) / T; jt++)
      for (int kt = 0; kt < (n + T - 1) / T; kt++) {
#pragma polyfold local
        for (int i = it * T; i < MIN(n, it * T + T); i++)
          for (int j = jt * T; j < MIN(n, jt * T + T); j++)
            for (int k = kt * T; k < MIN(n, kt * T + T); k++)
              C[i][j] += A[i][k] * B[k][j];
      }
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 12};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    for (int T = 1; T <= 9; T += T < 3 ? 1 : 3) {
      double *a = filled(1L * n * n, 1), *b = filled(1L * n * n, 2), *c = filled(1L * n * n, 3);
      matmul_tiles(n, T, (void *)a, (void *)b, (void *)c);
      show(a, 1L * n * n);
      show(b, 1L * n * n);
      show(c, 1L * n * n);
      const long tiles = (n + T - 1) / T;
      expect("matmul_tiles", n, 3L * T * T, (2 * tiles + 1) * n * n, 1L * n * n);
    }
  }
  return 0;
}

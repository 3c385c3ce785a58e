/* A skewed cube. */
#include "harness.h"

static void skewed_cube(int n, double B[3 * n - 2][2 * n - 1][n], double C[n][n][n]) {
#pragma scop
#pragma polyfold local
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j][k] = B[i + j + k][j + k][k];
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *b = filled((3L * n - 2) * (2 * n - 1) * n, 1);
    double *c = filled(1L * n * n * n, 2);
    skewed_cube(n, (void *)b, (void *)c);
    show(b, (3L * n - 2) * (2 * n - 1) * n);
    show(c, 1L * n * n * n);
    expect("skewed_cube", n, 2L * n * n * n, 1L * n * n * n, 1L * n * n * n);
  }
  return 0;
}

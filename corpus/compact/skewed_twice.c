/* A square skewed along both axes. */
#include "harness.h"

static void skewed_twice(int n, double B[3 * n - 2][2 * n - 1], double C[n][n]) {
#pragma scop
#pragma polyfold local
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      C[i][j] = B[2 * i + j][i + j];
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 10, 13, 16};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *b = filled((3L * n - 2) * (2 * n - 1), 1);
    double *c = filled(1L * n * n, 2);
    skewed_twice(n, (void *)b, (void *)c);
    show(b, (3L * n - 2) * (2 * n - 1));
    show(c, 1L * n * n);
    expect("skewed_twice", n, 2L * n * n, 1L * n * n, 1L * n * n);
  }
  return 0;
}

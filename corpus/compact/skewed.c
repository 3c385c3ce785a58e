/* A skewed square, in place. */
#include "harness.h"

static void skewed(int n, double B[2 * n - 1][n]) {
#pragma scop
#pragma polyfold local
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      B[i + j][j] = B[i + j][j] + i * j;
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 10, 13, 16};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *b = filled((2L * n - 1) * n, 1);
    skewed(n, (void *)b);
    show(b, (2L * n - 1) * n);
    expect("skewed", n, 1L * n * n, 1L * n * n, 1L * n * n);
  }
  return 0;
}

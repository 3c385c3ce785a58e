/* A square that stands on a corner, in place: every other cell of each row. */
#include "harness.h"

static void checkerboard(int n, double A[2 * n - 1][2 * n - 1]) {
#pragma scop
#pragma polyfold local
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i + j][i - j + n - 1] = A[i + j][i - j + n - 1] * 0.5 + i;
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 10, 13, 16};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *a = filled((2L * n - 1) * (2L * n - 1), 1);
    checkerboard(n, (void *)a);
    show(a, (2L * n - 1) * (2L * n - 1));
    expect("checkerboard", n, 1L * n * n, 1L * n * n, 1L * n * n);
  }
  return 0;
}

/* Loops with steps, of which subscripts take multiples. */
#include "harness.h"

static void steps_times_strides(int n, double A[4 * n][6 * n + 1], double B[n][n]) {
#pragma scop
#pragma polyfold local
  for (int i = 0; i < 4 * n; i += 4)
    for (int j = 0; j < 2 * n; j += 2)
      if (i % 4 == 0)
        B[i / 4][j / 2] = A[i][3 * j + 1] + 1.0;
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 10, 13, 16};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *a = filled(4L * n * (6 * n + 1), 1);
    double *b = filled(1L * n * n, 2);
    steps_times_strides(n, (void *)a, (void *)b);
    show(a, 4L * n * (6 * n + 1));
    show(b, 1L * n * n);
    expect("steps_times_strides", n, 2L * n * n, 1L * n * n, 1L * n * n);
  }
  return 0;
}

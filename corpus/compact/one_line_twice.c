/* Two loops whose subscripts move along one line. */
#include "harness.h"

static void one_line_twice(int n, double A[6 * n][3 * n], double *s) {
#pragma scop
#pragma polyfold local
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s[0] += A[2 * i + 4 * j][i + 2 * j];
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 10, 13, 16};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *a = filled(18L * n * n, 1);
    double *s = filled(1, 2);
    one_line_twice(n, (void *)a, s);
    show(a, 18L * n * n);
    show(s, 1);
    expect("one_line_twice", n, 3L * n - 1, 3L * n - 1, 1);
  }
  return 0;
}

/* Few cells far apart: n of a 3n by 3n array, on a line with strides. */
#include "harness.h"

static void strided_line(int n, double A[3 * n][3 * n], double B[n]) {
#pragma scop
#pragma polyfold local
  for (int i = 0; i < n; i++)
    B[i] = 2.0 * A[2 * i + n][3 * i];
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 10, 13, 16};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *a = filled(9L * n * n, 1);
    double *b = filled(n, 2);
    strided_line(n, (void *)a, b);
    show(a, 9L * n * n);
    show(b, n);
    expect("strided_line", n, 2L * n, n, n);
  }
  return 0;
}

/* Cells 4i and 6i + 2, which share some: two dense arrays are smaller than every second cell of one. */
#include "harness.h"

static void two_lattices(int n, double A[6 * n], double B[n]) {
#pragma scop
#pragma polyfold local
  for (int i = 0; i < n; i++)
    B[i] = A[4 * i] * A[6 * i + 2];
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 10, 13, 16};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *a = filled(6L * n, 1);
    double *b = filled(n, 2);
    two_lattices(n, a, b);
    show(a, 6L * n);
    show(b, n);
    expect("two_lattices", n, 3L * n, 2L * n, n);
  }
  return 0;
}

/* Three references to cells of different remainders modulo 3. */
#include "harness.h"

static void residues(int n, double A[3 * n], double B[n]) {
#pragma scop
#pragma polyfold local
  for (int i = 0; i < n; i++)
    B[i] = A[3 * i] + A[3 * i + 1] * A[3 * i + 2];
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 10, 13, 16};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *a = filled(3L * n, 1);
    double *b = filled(n, 2);
    residues(n, a, b);
    show(a, 3L * n);
    show(b, n);
    expect("residues", n, 4L * n, 3L * n, n);
  }
  return 0;
}

/* Data decides what is written: what is copied back has to be copied in. */
#include "harness.h"

static void perhaps_written(int n, double X[n], double Y[2 * n]) {
#pragma scop
#pragma compact region
  for (int i = 0; i < n; i++)
    if (X[i] > 100.0)
      Y[2 * i] = X[i];
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 10, 13, 16};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *x = filled(n, 1);
    double *y = filled(2L * n, 2);
    perhaps_written(n, x, y);
    show(x, n);
    show(y, 2L * n);
    expect("perhaps_written", n, 2L * n, 2L * n, n);
  }
  return 0;
}

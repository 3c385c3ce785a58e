/* A temporary of the region: it is not copied at all, and every second cell of it is never used. */
#include "harness.h"

static void scratch(int n, double X[n], double Y[n]) {
#pragma scop
#pragma polyfold local
  {
    double W[2 * n];
    for (int i = 0; i < n; i++)
      W[2 * i] = X[i] * X[i];
    for (int i = 0; i < n; i++)
      Y[i] = W[2 * i] + W[2 * (n - 1 - i)];
  }
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 10, 13, 16};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *x = filled(n, 1);
    double *y = filled(n, 2);
    scratch(n, x, y);
    show(x, n);
    show(y, n);
    expect("scratch", n, 3L * n, n, n);
  }
  return 0;
}

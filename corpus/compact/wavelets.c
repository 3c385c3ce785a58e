/* Wavelets of level 3: a step of lifting in tiles of 64, and every eighth cell of a picture in tiles of 16 by 16. */
#include "harness.h"

static void lifting(int n, double X[16 * n + 1]) {
#pragma scop
  for (int it = 0; it < n; it += 64) {
#pragma polyfold local
    for (int i = it; i < MIN(n, it + 64); i++)
      X[16 * i + 8] -= 0.5 * (X[16 * i] + X[16 * i + 16]);
  }
#pragma endscop
}

static void thinned(int n, double X[8 * n][8 * n], double Y[n][n]) {
#pragma scop
  for (int it = 0; it < n; it += 16)
    for (int jt = 0; jt < n; jt += 16) {
#pragma polyfold local arrays(X)
      for (int i = it; i < MIN(n, it + 16); i++)
        for (int j = jt; j < MIN(n, jt + 16); j++)
          Y[i][j] = X[8 * i][8 * j];
    }
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 7, 64, 100};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *x = filled(16L * n + 1, 1);
    lifting(n, x);
    show(x, 16L * n + 1);
    expect("lifting", n, 129, 2L * n + (n + 63) / 64, n);
    double *picture = filled(64L * n * n, 1), *y = filled(1L * n * n, 2);
    thinned(n, (void *)picture, (void *)y);
    show(picture, 64L * n * n);
    show(y, 1L * n * n);
    expect("thinned", n, 256, 1L * n * n, 0);
  }
  return 0;
}

/* A filter, block by block. */
#include "harness.h"

static void blocks_read(int K, int T, double X[K * T + 2], double Y[K * T]) {
#pragma scop
  for (int k = 0; k < K; k++) {
#pragma polyfold local
    for (int t = 0; t < T; t++)
      Y[k * T + t] = 0.25 * X[k * T + t] + 0.5 * X[k * T + t + 1] + 0.25 * X[k * T + t + 2];
  }
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 5, 8, 10, 13};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    for (int K = 1; K <= 5; K++) {
      const int T = n;
      double *x = filled(K * T + 2L, 1), *y = filled(1L * K * T, 2);
      blocks_read(K, T, x, y);
      show(x, K * T + 2L);
      show(y, 1L * K * T);
      expect("blocks_read", n, 2L * T + 2, K * (T + 2L), 1L * K * T);
    }
  }
  return 0;
}

/* A recurrence that goes on from block to block. */
#include "harness.h"

static void blocks_carried(int K, int T, double A[K * T + 1]) {
#pragma scop
  for (int k = 0; k < K; k++) {
#pragma polyfold local
    for (int t = 0; t < T; t++)
      A[k * T + t + 1] = A[k * T + t + 1] + 0.5 * A[k * T + t];
  }
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 5, 8, 10, 13};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    for (int K = 1; K <= 5; K++) {
      const int T = n;
      double *a = filled(K * T + 1L, 1);
      blocks_carried(K, T, a);
      show(a, K * T + 1L);
      expect("blocks_carried", n, T + 1, K * (T + 1L), 1L * K * T);
    }
  }
  return 0;
}

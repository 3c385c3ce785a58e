/* A recurrence in each block, which begins anew. */
#include "harness.h"

static void blocks_in_place(int K, int T, double A[K * T]) {
#pragma scop
  for (int k = 0; k < K; k++) {
#pragma polyfold local
    for (int t = 1; t < T; t++)
      A[k * T + t] = A[k * T + t] + 0.5 * A[k * T + t - 1];
  }
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 5, 8, 10, 13};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    for (int K = 1; K <= 5; K++) {
      const int T = n;
      double *a = filled(1L * K * T, 1);
      blocks_in_place(K, T, a);
      show(a, 1L * K * T);
      expect("blocks_in_place", n, T, T > 1 ? 1L * K * T : 0, K * (T - 1L));
    }
  }
  return 0;
}

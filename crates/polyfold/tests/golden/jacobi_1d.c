/* Three-point averages for T steps; every step has an array of its own where two would do, or little more than one. */
#include "corpus.h"

void jacobi_1d(int n, int T, double in[n], double out[n]) {
  /* A[i][j] lives in A[(j - i + T) mod (n + 1)] */
  double A[n + 1];
#pragma scop
  for (int i = 0; i < n; ) {
    const long A_at = (i + T) % (n + 1) - i;
    const int end = n - A_at + 1 < n ? n - A_at + 1 : n;
    for (; i < end; i++)
      A[A_at + i] = in[i];
  }
  for (int t = 0; t < T; t++) {
    int i = 0;
    for (; i < n && i < 1; i++)
      A[(i - t + T - 1) % (n + 1)] = A[(i - t + T) % (n + 1)];
    for (; i < n - 1; ) {
      const long A_at1 = (i - t + T - 1) % (n + 1) - i;
      const int end = n - A_at1 - 1 < n - 1 ? n - A_at1 - 1 : n - 1;
      for (; i < end; i++)
        A[A_at1 + i] = (A[A_at1 + i] + A[A_at1 + i + 1] + A[A_at1 + i + 2]) / 3.0;
      for (; i < n - 1 && A_at1 + i < n + 1; i++)
        A[(i - t + T - 1) % (n + 1)] = (A[(i - t + T - 1) % (n + 1)] + A[(i - t + T) % (n + 1)] + A[(i - t + T + 1) % (n + 1)]) / 3.0;
    }
    for (; i < n; i++)
      A[(i - t + T - 1) % (n + 1)] = A[(i - t + T) % (n + 1)];
  }
  for (int i = 0; i < n; i++)
    out[i] = A[i];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {2, 3}, {3, 2}, {50, 20}};
  for (int s = 0; s < 4; s++) {
    int n = sizes[s][0], T = sizes[s][1];
    double in[n], out[n];
    fill_double(in, sizeof in, 1);
    jacobi_1d(n, T, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

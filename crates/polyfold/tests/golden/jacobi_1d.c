/* Three-point averages for T steps; every step has an array of its own where two would do, or little more than one. */
#include "corpus.h"

void jacobi_1d(int n, int T, double in[n], double out[n]) {
  /* A[i][j] lives in A[(i - j) mod (n + 1)] */
  double A[n + 1];
#pragma scop
  for (int i = 0; i < n; i++)
    A[(-i + (n + 1)) % (n + 1)] = in[i];
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++)
      if (i == 0 || i == n - 1)
        A[(t - i + 1 + (n + 1)) % (n + 1)] = A[(t - i + (n + 1)) % (n + 1)];
      else
        A[(t - i + 1 + (n + 1)) % (n + 1)] = (A[(t - i + 1 + (n + 1)) % (n + 1)] + A[(t - i + (n + 1)) % (n + 1)] + A[(t - i - 1 + (n + 1)) % (n + 1)]) / 3.0;
  for (int i = 0; i < n; i++)
    out[i] = A[(T - i + (n + 1)) % (n + 1)];
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

/* Three-point averages for T steps; every step has an array of its own where two would do, or little more than one. */
#include "corpus.h"

void jacobi_1d(int n, int T, double in[n], double out[n]) {
  /* A[i][j] lives in A[(i - j) mod (n + 1)] */
  double A[n + 1];
#pragma scop
  for (int i = 0; i < n; ) {
    const long A_at0 = (-i + (n + 1)) % (n + 1) + i;
    int last = n - 1;
    if (A_at0 < last)
      last = A_at0;
    for (; i <= last; i++)
      A[A_at0 - i] = in[i];
  }
  for (int t = 0; t < T; t++) {
    int i = 0;
    A[(t - i + 1 + (n + 1)) % (n + 1)] = A[(t - i + (n + 1)) % (n + 1)];
    i++;
    for (; i <= n - 2; ) {
      const long A_at0 = (t - i - 1 + (n + 1)) % (n + 1) + i;
      const long A_at1 = (t - i + (n + 1)) % (n + 1) + i;
      const long A_at2 = (t - i + 1 + (n + 1)) % (n + 1) + i;
      int last = n - 2;
      if (A_at0 < last)
        last = A_at0;
      if (A_at1 < last)
        last = A_at1;
      if (A_at2 < last)
        last = A_at2;
      for (; i <= last; i++)
        A[A_at2 - i] = (A[A_at2 - i] + A[A_at1 - i] + A[A_at0 - i]) / 3.0;
    }
    if (i < n)
      A[(t - i + 1 + (n + 1)) % (n + 1)] = A[(t - i + (n + 1)) % (n + 1)];
  }
  for (int i = 0; i < n; ) {
    const long A_at0 = (T - i + (n + 1)) % (n + 1) + i;
    int last = n - 1;
    if (A_at0 < last)
      last = A_at0;
    for (; i <= last; i++)
      out[i] = A[A_at0 - i];
  }
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

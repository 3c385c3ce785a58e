/* Three-point averages for T steps; every step has an array of its own where two would do, or little more than one. */
#include "corpus.h"

void jacobi_1d(int n, int T, double in[n], double out[n]) {
  /* A[i][j] lives in A[(j - i + T) mod (n + 1)] */
  double A[n + 1];
#pragma scop
  for (int i = 0; i < n; ) {
    const long A_at0 = (i + T) % (n + 1) - i;
    int last = n - 1;
    if (n - A_at0 < last)
      last = n - A_at0;
    for (; i <= last; i++)
      A[A_at0 + i] = in[i];
  }
  {
    long A_at0 = ((long)T - 1) % (n + 1);
    for (int t = 0; t < T; t++) {
      int i = 0;
      long A_at1 = A_at0 - i;
      {
        const long A_at2 = A_at1 + i + 1 < (n + 1) ? A_at1 + i + 1 : 0;
        A[A_at1 + i] = A[A_at2];
      }
      i++;
      if (A_at1 + i == (n + 1))
        A_at1 = -(long)i;
      int last = n - 2;
      if (n - 2 - A_at1 < last)
        last = n - 2 - A_at1;
      for (; i <= last; i++)
        A[A_at1 + i] = (A[A_at1 + i] + A[A_at1 + i + 1] + A[A_at1 + i + 2]) / 3.0;
      if (i < n - 2 && A_at1 + i == n - 1) {
        A[n - 1] = (A[n - 1] + A[n] + A[0]) / 3.0;
        i++;
        A[n] = (A[n] + A[0] + A[1]) / 3.0;
        i++;
      }
      for (; i <= n - 2 && A_at1 + i < (n + 1); i++) {
        const long A_at2 = A_at1 + i + 1 < (n + 1) ? A_at1 + i + 1 : 0;
        const long A_at3 = A_at2 + 1 < (n + 1) ? A_at2 + 1 : 0;
        A[A_at1 + i] = (A[A_at1 + i] + A[A_at2] + A[A_at3]) / 3.0;
      }
      if (A_at1 + i == (n + 1))
        A_at1 = -(long)i;
      for (; i <= n - 2; i++)
        A[A_at1 + i] = (A[A_at1 + i] + A[A_at1 + i + 1] + A[A_at1 + i + 2]) / 3.0;
      if (i < n) {
        const long A_at2 = A_at1 + i + 1 < (n + 1) ? A_at1 + i + 1 : 0;
        A[A_at1 + i] = A[A_at2];
      }
      A_at0 = A_at0 > 0 ? A_at0 - 1 : n;
    }
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

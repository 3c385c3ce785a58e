/* Smoothing for T steps with two rows and a fixed border: what a step reads, and what it writes, copied back. */
#include "corpus.h"

void two_grids_1d(int n, int T, double in[n], double out[n]) {
  /* now[j] lives in now_values[(i + j) mod (n + 1)] while i turns of the loop over t are left */
  /* next[j] lives in now_values[(i + j) mod (n + 1)] while i turns of the loop over t are left */
  double now_values[n + 1];
  #if defined __GNUC__ && !defined __clang__
  #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
  #else
  #define POLYFOLD_IVDEP
  #endif
#pragma scop
  for (int i = 0; i < n; ) {
    const long now_values_at = ((T <= 0 ? 0 : (long)T) + i) % (n + 1) - i;
    const int end = n - now_values_at + 1 < n ? n - now_values_at + 1 : n;
    for (; i < end; i++)
      now_values[now_values_at + i] = in[i];
  }
  long now_values_at2 = ((long)T + n - 2) % (n + 1);
  for (int t = 0; t < T; t++) {
    const long now_values_at3 = now_values_at2 < n ? now_values_at2 + 1 : 0;
    const long now_values_at4 = now_values_at3 < n ? now_values_at3 + 1 : 0;
    const long now_values_at5 = now_values_at4 < n ? now_values_at4 + 1 : 0;
    now_values[now_values_at4] = now_values[now_values_at5];
    long now_values_at1 = now_values_at5 - 1;
    for (int i = 1; i < n - 1; ) {
      const int end = n - now_values_at1 - 1 < n - 1 ? n - now_values_at1 - 1 : n - 1;
      POLYFOLD_IVDEP
      for (; i < end; i++)
        now_values[now_values_at1 + i] = 0.25 * now_values[now_values_at1 + i] + 0.5 * now_values[now_values_at1 + i + 1] + 0.25 * now_values[now_values_at1 + i + 2];
      for (; i < n - 1 && now_values_at1 + i < n + 1; i++)
        now_values[((long)T - t + i - 1) % (n + 1)] = 0.25 * now_values[((long)T - t + i - 1) % (n + 1)] + 0.5 * now_values[((long)T - t + i) % (n + 1)] + 0.25 * now_values[((long)T - t + i + 1) % (n + 1)];
      if (now_values_at1 + i >= n + 1)
        now_values_at1 -= n + 1;
    }
    now_values[now_values_at2] = now_values[now_values_at3];
    now_values_at2 = now_values_at2 > 0 ? now_values_at2 - 1 : n;
  }
  for (int i = 0; i < n; i++)
    out[i] = now_values[i];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {2, 3}, {3, 2}, {4, 0}, {50, 20}};
  for (int s = 0; s < 5; s++) {
    int n = sizes[s][0], T = sizes[s][1];
    double in[n], out[n];
    fill_double(in, sizeof in, 1);
    two_grids_1d(n, T, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

/* Smoothing for T steps with two rows and a fixed border: what a step reads, and what it writes, copied back. */
#include "corpus.h"

void two_grids_1d(int n, int T, double in[n], double out[n]) {
  /* now[j] lives in now_values[(i + j) mod (n + 1)] while i turns of the loop over t are left */
  /* next[j] lives in now_values[(i + j) mod (n + 1)] while i turns of the loop over t are left */
  double now_values[n + 1];
#pragma scop
  for (int i = 0; i < n; ) {
    const long now_values_at0 = ((long)(T <= 0 ? 0 : (long)T) + (long)i) % ((long)n + 1) - i;
    int last = n - 1;
    if ((long)n - now_values_at0 < last)
      last = (long)n - now_values_at0;
    for (; i <= last; i++)
      now_values[now_values_at0 + i] = in[i];
  }
  {
    long now_values_at0 = ((long)T - 1) % ((long)n + 1);
    long now_values_at1 = ((long)T + n - 2) % ((long)n + 1);
    for (int t = 0; t < T; t++) {
      const long now_values_at2 = now_values_at0 + 1 < ((long)n + 1) ? now_values_at0 + 1 : 0;
      const long now_values_at3 = now_values_at1 + 1 < ((long)n + 1) ? now_values_at1 + 1 : 0;
      now_values[now_values_at0] = now_values[now_values_at2];
      {
        int i = 1;
        if (i < n - 1) {
          long now_values_at4 = now_values_at2 - i;
          int last = n - 2;
          if ((long)n - 2 - now_values_at4 < last)
            last = (long)n - 2 - now_values_at4;
          for (; i <= last; i++)
            now_values[now_values_at4 + i] = 0.25 * now_values[now_values_at4 + i] + 0.5 * now_values[now_values_at4 + i + 1] + 0.25 * now_values[now_values_at4 + i + 2];
          if (i < n - 2 && now_values_at4 + i == (long)n - 1) {
            now_values[(long)n - 1] = 0.25 * now_values[(long)n - 1] + 0.5 * now_values[(long)n] + 0.25 * now_values[0];
            i++;
            now_values[(long)n] = 0.25 * now_values[(long)n] + 0.5 * now_values[0] + 0.25 * now_values[1];
            i++;
          }
          for (; i < n - 1 && now_values_at4 + i < ((long)n + 1); i++) {
            const long now_values_at5 = now_values_at4 + i + 1 < ((long)n + 1) ? now_values_at4 + i + 1 : 0;
            const long now_values_at6 = now_values_at5 + 1 < ((long)n + 1) ? now_values_at5 + 1 : 0;
            now_values[now_values_at4 + i] = 0.25 * now_values[now_values_at4 + i] + 0.5 * now_values[now_values_at5] + 0.25 * now_values[now_values_at6];
          }
          now_values_at4 -= ((long)n + 1);
          for (; i < n - 1; i++)
            now_values[now_values_at4 + i] = 0.25 * now_values[now_values_at4 + i] + 0.5 * now_values[now_values_at4 + i + 1] + 0.25 * now_values[now_values_at4 + i + 2];
        }
      }
      now_values[now_values_at1] = now_values[now_values_at3];
      now_values_at0 = now_values_at0 > 0 ? now_values_at0 - 1 : (long)n;
      now_values_at1 = now_values_at1 > 0 ? now_values_at1 - 1 : (long)n;
    }
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

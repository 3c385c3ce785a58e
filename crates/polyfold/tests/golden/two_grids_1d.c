/* Smoothing for T steps with two rows and a fixed border: what a step reads, and what it writes, copied back. */
#include "corpus.h"

void two_grids_1d(int n, int T, double in[n], double out[n]) {
  /* now[j] for n >= j + 2 && j >= 1 lives in now_values[(i + j) mod now_values_size] while i turns of the loop over t are left */
  /* next[j] lives in now_values[(i + j) mod now_values_size] while i turns of the loop over t are left */
  const int now_values_size = n == 1 ? 1 : n - 1;
  double now_values[now_values_size];
  /* now[j] for j == 0 lives in now_values1 */
  double now_values1 = 0;
  /* now[j] for n >= 2 && j + 1 == n lives in now_values2 */
  double now_values2 = 0;
#pragma scop
  {
    int i = 0;
    now_values1 = in[i];
    i++;
    for (; i <= n - 2; ) {
      const long now_values_at0 = ((long)(T <= 0 ? 0 : (long)T) + (long)i) % now_values_size - i;
      int last = n - 2;
      if (now_values_size - 1 - now_values_at0 < last)
        last = now_values_size - 1 - now_values_at0;
      for (; i <= last; i++)
        now_values[now_values_at0 + i] = in[i];
    }
    if (i < n)
      now_values2 = in[i];
  }
  {
    long now_values_at0 = (long)T % now_values_size;
    for (int t = 0; t < T; t++) {
      {
        int i = 1;
        if (i < n - 1) {
          long now_values_at1 = now_values_at0 - i;
          if (i < n - 1 && i <= 1) {
            const long now_values_at2 = now_values_at1 + i + 1 < now_values_size ? now_values_at1 + i + 1 : 0;
            const long now_values_at3 = now_values_at2 + 1 < now_values_size ? now_values_at2 + 1 : 0;
            now_values[now_values_at1 + i] = 0.25 * now_values1 + 0.5 * now_values[now_values_at2] + 0.25 * (n >= 4 ? now_values[now_values_at3] : now_values2);
            i++;
          }
          if (now_values_at1 + i == now_values_size)
            now_values_at1 = -(long)i;
          int last = n - 3;
          if (now_values_size - 3 - now_values_at1 < last)
            last = now_values_size - 3 - now_values_at1;
          for (; i <= last; i++)
            now_values[now_values_at1 + i] = 0.25 * now_values[now_values_at1 + i] + 0.5 * now_values[now_values_at1 + i + 1] + 0.25 * now_values[now_values_at1 + i + 2];
          for (; i <= n - 3 && now_values_at1 + i < now_values_size; i++) {
            const long now_values_at2 = now_values_at1 + i + 1 < now_values_size ? now_values_at1 + i + 1 : 0;
            const long now_values_at3 = now_values_at2 + 1 < now_values_size ? now_values_at2 + 1 : 0;
            now_values[now_values_at1 + i] = 0.25 * now_values[now_values_at1 + i] + 0.5 * now_values[now_values_at2] + 0.25 * now_values[now_values_at3];
          }
          if (now_values_at1 + i == now_values_size)
            now_values_at1 = -(long)i;
          for (; i <= n - 3; i++)
            now_values[now_values_at1 + i] = 0.25 * now_values[now_values_at1 + i] + 0.5 * now_values[now_values_at1 + i + 1] + 0.25 * now_values[now_values_at1 + i + 2];
          if (i < n - 1) {
            const long now_values_at2 = now_values_at1 + i + 1 < now_values_size ? now_values_at1 + i + 1 : 0;
            now_values[now_values_at1 + i] = 0.25 * now_values[now_values_at1 + i] + 0.5 * now_values[now_values_at2] + 0.25 * now_values2;
          }
        }
      }
      now_values_at0 = now_values_at0 > 0 ? now_values_at0 - 1 : now_values_size - 1;
    }
  }
  {
    int i = 0;
    out[i] = now_values1;
    i++;
    for (; i <= n - 2; ) {
      const long now_values_at0 = i % now_values_size - i;
      int last = n - 2;
      if (now_values_size - 1 - now_values_at0 < last)
        last = now_values_size - 1 - now_values_at0;
      for (; i <= last; i++)
        out[i] = now_values[now_values_at0 + i];
    }
    if (i < n)
      out[i] = now_values2;
  }
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

/* Smoothing for T steps with two rows and a fixed border: what a step reads, and what it writes, copied back. */
#include "corpus.h"

void two_grids_1d(int n, int T, double in[n], double out[n]) {
  /* now[i] for n >= i + 2 && i >= 1 lives in now_values[now_values_from + i], 1 cell further down after each turn of the loop over t */
  /* next[i] lives in now_values[now_values_from + i], 1 cell further down after each turn of the loop over t */
  double now_values[n + (n + 63) / 64 + 5];
  const long now_values_top = (n + 63) / 64 + 6;
  long now_values_from = now_values_top;
  /* now[j] for j == 0 lives in now_values1 */
  double now_values1 = 0;
  /* now[j] for n >= 2 && j + 1 == n lives in now_values2 */
  double now_values2 = 0;
#pragma scop
  {
    int i = 0;
    now_values1 = in[i];
    i++;
    for (; i <= n - 2; i++)
      now_values[now_values_from + i] = in[i];
    if (i < n)
      now_values2 = in[i];
  }
  for (int t = 0; t < T; t++) {
    {
      int i = 1;
      if (i < n - 1 && i <= 1) {
        now_values[now_values_from + i - 1] = 0.25 * now_values1 + 0.5 * now_values[now_values_from + i] + 0.25 * (n >= 4 ? now_values[now_values_from + i + 1] : now_values2);
        i++;
      }
      for (; i <= n - 3; i++)
        now_values[now_values_from + i - 1] = 0.25 * now_values[now_values_from + i - 1] + 0.5 * now_values[now_values_from + i] + 0.25 * now_values[now_values_from + i + 1];
      if (i < n - 1)
        now_values[now_values_from + i - 1] = 0.25 * now_values[now_values_from + i - 1] + 0.5 * now_values[now_values_from + i] + 0.25 * now_values2;
    }
    if (now_values_from > 0)
      now_values_from--;
    else {
      for (long at = n - 3; at >= 0; at--)
        now_values[at + now_values_top + 1] = now_values[at];
      now_values_from = now_values_top;
    }
  }
  {
    int i = 0;
    out[i] = now_values1;
    i++;
    for (; i <= n - 2; i++)
      out[i] = now_values[now_values_from + i];
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

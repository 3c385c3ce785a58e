/* Smoothing for T steps with two rows and a fixed border: what a step reads, and what it writes, copied back. */
#include "corpus.h"

void two_grids_1d(int n, int T, double in[n], double out[n]) {
  double now[n], next[n];
#pragma scop
  for (int i = 0; i < n; i++)
    now[i] = in[i];
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = 0.25 * now[i - 1] + 0.5 * now[i] + 0.25 * now[i + 1];
    for (int i = 1; i < n - 1; i++)
      now[i] = next[i];
  }
  for (int i = 0; i < n; i++)
    out[i] = now[i];
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

/* A table of weights and things, its first row by itself. */
#include "corpus.h"

void knapsack_rows(int n, int w, const double v[n], double out[w + 1]) {
  double c[n + 1][w + 1];
#pragma scop
  for (int x = 0; x <= w; x++)
    c[0][x] = 0;
  for (int i = 1; i <= n; i++)
    for (int x = 0; x <= w; x++)
      c[i][x] = x >= 3 ? MAX(c[i - 1][x], c[i - 1][x - 3] + v[i - 1]) : c[i - 1][x];
  for (int x = 0; x <= w; x++)
    out[x] = c[n][x];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 9}, {2, 9}, {5, 12}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0], w = sizes[run][1];
    double v[n];
    fill_double(v, sizeof v, 1);
    double out[w + 1];
    fill_double(out, sizeof out, 9);
    knapsack_rows(n, w, v, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

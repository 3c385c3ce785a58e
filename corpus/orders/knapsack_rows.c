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

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{1, 9}, {2, 9}, {5, 12}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int w = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double *v = malloc(sizeof(double[n]));
    fill_double(v, sizeof(double[n]), 1);
    double *out = malloc(sizeof(double[w + 1]));
    fill_double(out, sizeof(double[w + 1]), 9);
    for (int again = 0; again < times; again++)
      knapsack_rows(n, w, v, out);
    print_hash("out", out, sizeof(double[w + 1]));
    free(v);
    free(out);
  }
  return 0;
}

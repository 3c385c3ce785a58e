/* Costs computed row by row, and a recursion along antidiagonals that reads them, as a wavefront in parallel does. */
#include "corpus.h"

void antidiagonals(int h, int w, const double a[h], const double b[w], double out[h + w - 1]) {
  double cost[h][w], best[h + w - 1][w];
#pragma scop
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++)
      cost[i][j] = a[i] * b[j];
  for (int d = 0; d < h + w - 1; d++) {
    out[d] = 0;
    for (int j = 0; j < w; j++)
      if (d - j >= 0 && d - j < h) {
        best[d][j] = cost[d - j][j] + (j > 0 && d - j > 0 ? best[d - 2][j - 1] : 0);
        out[d] += best[d][j];
      }
  }
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{1, 1}, {2, 3}, {6, 5}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int h = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int w = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double *a = malloc(sizeof(double[h]));
    fill_double(a, sizeof(double[h]), 1);
    double *b = malloc(sizeof(double[w]));
    fill_double(b, sizeof(double[w]), 2);
    double *out = malloc(sizeof(double[h + w - 1]));
    fill_double(out, sizeof(double[h + w - 1]), 9);
    for (int again = 0; again < times; again++)
      antidiagonals(h, w, a, b, out);
    print_hash("out", out, sizeof(double[h + w - 1]));
    free(a);
    free(b);
    free(out);
  }
  return 0;
}

/* A recursive filter along rows, then three taps down columns. */
#include "corpus.h"

void iir_rows_fir_columns(int h, int w, const double in[h][w], double out[h - 2][w]) {
  double f[h][w];
#pragma scop
  for (int y = 0; y < h; y++) {
    f[y][0] = in[y][0];
    for (int x = 1; x < w; x++)
      f[y][x] = 0.5 * f[y][x - 1] + in[y][x];
  }
  for (int y = 0; y < h - 2; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = f[y][x] + 2 * f[y + 1][x] + f[y + 2][x];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{3, 1}, {3, 3}, {6, 5}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int h = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int w = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double (*in)[w] = malloc(sizeof(double[h][w]));
    fill_double(in, sizeof(double[h][w]), 1);
    double (*out)[w] = malloc(sizeof(double[h - 2][w]));
    fill_double(out, sizeof(double[h - 2][w]), 9);
    for (int again = 0; again < times; again++)
      iir_rows_fir_columns(h, w, (void *)in, (void *)out);
    print_hash("out", out, sizeof(double[h - 2][w]));
    free(in);
    free(out);
  }
  return 0;
}

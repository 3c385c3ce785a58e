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

int main(void) {
  static const int sizes[][2] = {{3, 1}, {3, 3}, {6, 5}};
  for (int run = 0; run < 3; run++) {
    int h = sizes[run][0], w = sizes[run][1];
    double in[h][w];
    fill_double(in, sizeof in, 1);
    double out[h - 2][w];
    fill_double(out, sizeof out, 9);
    iir_rows_fir_columns(h, w, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

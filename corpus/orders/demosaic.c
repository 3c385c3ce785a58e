/* Colours from a Bayer pattern of two by two, then a filter. */
#include "corpus.h"

void demosaic(int h, int w, const double raw[2 * h][2 * w], double out[h][w]) {
  double r[h][w], g[h][w];
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      r[y][x] = raw[2 * y][2 * x];
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      g[y][x] = raw[2 * y][2 * x + 1] + raw[2 * y + 1][2 * x];
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = r[y][x] + 0.5 * g[y][x];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 2}, {2, 3}, {5, 4}};
  for (int run = 0; run < 3; run++) {
    int h = sizes[run][0], w = sizes[run][1];
    double raw[2 * h][2 * w];
    fill_double(raw, sizeof raw, 1);
    double out[h][w];
    fill_double(out, sizeof out, 9);
    demosaic(h, w, raw, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

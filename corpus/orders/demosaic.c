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

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{1, 2}, {2, 3}, {5, 4}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int h = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int w = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double (*raw)[2 * w] = malloc(sizeof(double[2 * h][2 * w]));
    fill_double(raw, sizeof(double[2 * h][2 * w]), 1);
    double (*out)[w] = malloc(sizeof(double[h][w]));
    fill_double(out, sizeof(double[h][w]), 9);
    for (int again = 0; again < times; again++)
      demosaic(h, w, (void *)raw, (void *)out);
    print_hash("out", out, sizeof(double[h][w]));
    free(raw);
    free(out);
  }
  return 0;
}

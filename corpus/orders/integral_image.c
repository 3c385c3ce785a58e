/* Running sums along rows and down columns, then a box of five by five. */
#include "corpus.h"

void integral_image(int h, int w, const double in[h][w], double out[h - 5][w - 5]) {
  double r[h][w], s[h][w];
#pragma scop
  for (int y = 0; y < h; y++) {
    r[y][0] = in[y][0];
    for (int x = 1; x < w; x++)
      r[y][x] = r[y][x - 1] + in[y][x];
  }
  for (int x = 0; x < w; x++)
    s[0][x] = r[0][x];
  for (int y = 1; y < h; y++)
    for (int x = 0; x < w; x++)
      s[y][x] = s[y - 1][x] + r[y][x];
  for (int y = 0; y < h - 5; y++)
    for (int x = 0; x < w - 5; x++)
      out[y][x] = s[y + 5][x + 5] - s[y][x + 5] - s[y + 5][x] + s[y][x];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{6, 6}, {6, 7}, {9, 8}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int h = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int w = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double (*in)[w] = malloc(sizeof(double[h][w]));
    fill_double(in, sizeof(double[h][w]), 1);
    double (*out)[w - 5] = malloc(sizeof(double[h - 5][w - 5]));
    fill_double(out, sizeof(double[h - 5][w - 5]), 9);
    for (int again = 0; again < times; again++)
      integral_image(h, w, (void *)in, (void *)out);
    print_hash("out", out, sizeof(double[h - 5][w - 5]));
    free(in);
    free(out);
  }
  return 0;
}

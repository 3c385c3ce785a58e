/* Colour at half the size, and back: what a 4:2:0 codec loses. */
#include "corpus.h"

void chroma(int h, int w, const double u[2 * h][2 * w], double out[2 * h][2 * w]) {
  double f[2 * h][2 * w], s[h][w];
#pragma scop
  for (int y = 0; y < 2 * h; y++)
    for (int x = 0; x < 2 * w; x++)
      f[y][x] = 0.5 * u[y][x];
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      s[y][x] = f[2 * y][2 * x] + f[2 * y + 1][2 * x] + f[2 * y][2 * x + 1] + f[2 * y + 1][2 * x + 1];
  for (int y = 0; y < 2 * h; y++)
    for (int x = 0; x < 2 * w; x++)
      out[y][x] = s[y / 2][x / 2];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{1, 1}, {2, 3}, {5, 4}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int h = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int w = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double (*u)[2 * w] = malloc(sizeof(double[2 * h][2 * w]));
    fill_double(u, sizeof(double[2 * h][2 * w]), 1);
    double (*out)[2 * w] = malloc(sizeof(double[2 * h][2 * w]));
    fill_double(out, sizeof(double[2 * h][2 * w]), 9);
    for (int again = 0; again < times; again++)
      chroma(h, w, (void *)u, (void *)out);
    print_hash("out", out, sizeof(double[2 * h][2 * w]));
    free(u);
    free(out);
  }
  return 0;
}

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

int main(void) {
  static const int sizes[][2] = {{1, 1}, {2, 3}, {5, 4}};
  for (int run = 0; run < 3; run++) {
    int h = sizes[run][0], w = sizes[run][1];
    double u[2 * h][2 * w];
    fill_double(u, sizeof u, 1);
    double out[2 * h][2 * w];
    fill_double(out, sizeof out, 9);
    chroma(h, w, u, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

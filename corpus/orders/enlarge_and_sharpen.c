/* A picture is enlarged by two, then sharpened. */
#include "corpus.h"

void enlarge_and_sharpen(int h, int w, const double in[h + 1][w + 1], double out[2 * h - 2][2 * w -
    2]) {
  double u[2 * h][2 * w];
#pragma scop
  for (int y = 0; y < 2 * h; y++)
    for (int x = 0; x < 2 * w; x++)
      u[y][x] = 0.5 * (in[y / 2][x / 2] + in[(y + 1) / 2][(x + 1) / 2]);
  for (int y = 0; y < 2 * h - 2; y++)
    for (int x = 0; x < 2 * w - 2; x++)
      out[y][x] = 3 * u[y + 1][x + 1] - u[y][x + 1] - u[y + 2][x + 1];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{2, 2}, {2, 3}, {5, 4}};
  for (int run = 0; run < 3; run++) {
    int h = sizes[run][0], w = sizes[run][1];
    double in[h + 1][w + 1];
    fill_double(in, sizeof in, 1);
    double out[2 * h - 2][2 * w - 2];
    fill_double(out, sizeof out, 9);
    enlarge_and_sharpen(h, w, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

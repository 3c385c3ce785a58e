/* Three levels of a picture pyramid, each of half the size. */
#include "corpus.h"

void pyramid_three(int h, int w, const double in[8 * h + 14][8 * w + 14], double out[h][w]) {
  double a[4 * h + 6][4 * w + 6], b[2 * h + 2][2 * w + 2];
#pragma scop
  for (int y = 0; y < 4 * h + 6; y++)
    for (int x = 0; x < 4 * w + 6; x++)
      a[y][x] = in[2 * y][2 * x] + in[2 * y + 1][2 * x + 1] + in[2 * y + 2][2 * x + 2];
  for (int y = 0; y < 2 * h + 2; y++)
    for (int x = 0; x < 2 * w + 2; x++)
      b[y][x] = a[2 * y][2 * x] + a[2 * y + 1][2 * x + 1] + a[2 * y + 2][2 * x + 2];
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = b[2 * y][2 * x] + b[2 * y + 1][2 * x + 1] + b[2 * y + 2][2 * x + 2];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {2, 3}, {4, 3}};
  for (int run = 0; run < 3; run++) {
    int h = sizes[run][0], w = sizes[run][1];
    double in[8 * h + 14][8 * w + 14];
    fill_double(in, sizeof in, 1);
    double out[h][w];
    fill_double(out, sizeof out, 9);
    pyramid_three(h, w, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

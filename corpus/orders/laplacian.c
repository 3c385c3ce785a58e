/* One level down, up again, and what is lost: a Laplacian pyramid. */
#include "corpus.h"

void laplacian(int h, int w, const double in[2 * h + 2][2 * w + 2], double out[2 * h - 2][2 * w -
    2]) {
  double a[2 * h + 2][2 * w + 2], l[h][w];
#pragma scop
  for (int y = 0; y < 2 * h + 2; y++)
    for (int x = 0; x < 2 * w + 2; x++)
      a[y][x] = 0.5 * in[y][x];
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      l[y][x] = a[2 * y][2 * x] + a[2 * y + 1][2 * x + 1] + a[2 * y + 2][2 * x + 2];
  for (int y = 0; y < 2 * h - 2; y++)
    for (int x = 0; x < 2 * w - 2; x++)
      out[y][x] = a[y][x] - 0.25 * (l[y / 2][x / 2] + l[(y + 1) / 2][(x + 1) / 2]);
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{2, 2}, {2, 3}, {5, 4}};
  for (int run = 0; run < 3; run++) {
    int h = sizes[run][0], w = sizes[run][1];
    double in[2 * h + 2][2 * w + 2];
    fill_double(in, sizeof in, 1);
    double out[2 * h - 2][2 * w - 2];
    fill_double(out, sizeof out, 9);
    laplacian(h, w, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

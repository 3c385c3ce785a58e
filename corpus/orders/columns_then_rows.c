/* A filter that walks columns, then one that walks rows. */
#include "corpus.h"

void columns_then_rows(int h, int w, const double in[h][w], double out[h - 2][w - 2]) {
  double c[h - 2][w];
#pragma scop
  for (int x = 0; x < w; x++)
    for (int y = 0; y < h - 2; y++)
      c[y][x] = in[y][x] + in[y + 1][x] + in[y + 2][x];
  for (int y = 0; y < h - 2; y++)
    for (int x = 0; x < w - 2; x++)
      out[y][x] = c[y][x] + c[y][x + 1] + c[y][x + 2];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{3, 3}, {4, 5}, {6, 5}};
  for (int run = 0; run < 3; run++) {
    int h = sizes[run][0], w = sizes[run][1];
    double in[h][w];
    fill_double(in, sizeof in, 1);
    double out[h - 2][w - 2];
    fill_double(out, sizeof out, 9);
    columns_then_rows(h, w, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

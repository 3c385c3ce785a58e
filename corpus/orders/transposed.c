/* A filter along rows that writes columns, then one along rows of that. */
#include "corpus.h"

void transposed(int h, int w, const double in[h][w], double out[w - 2][h - 2]) {
  double t[w - 2][h];
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w - 2; x++)
      t[x][y] = in[y][x] + in[y][x + 1] + in[y][x + 2];
  for (int x = 0; x < w - 2; x++)
    for (int y = 0; y < h - 2; y++)
      out[x][y] = t[x][y] + t[x][y + 1] + t[x][y + 2];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{3, 3}, {4, 5}, {6, 5}};
  for (int run = 0; run < 3; run++) {
    int h = sizes[run][0], w = sizes[run][1];
    double in[h][w];
    fill_double(in, sizeof in, 1);
    double out[w - 2][h - 2];
    fill_double(out, sizeof out, 9);
    transposed(h, w, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

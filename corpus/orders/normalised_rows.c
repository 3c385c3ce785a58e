/* Each row of a filtered picture is divided by its sum. */
#include "corpus.h"

void normalised_rows(int h, int w, const double in[h][w], double out[h][w]) {
  double a[h][w], s[h];
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      a[y][x] = in[y][x] * in[y][x] + 1;
  for (int y = 0; y < h; y++) {
    s[y] = 0;
    for (int x = 0; x < w; x++)
      s[y] += a[y][x];
  }
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = a[y][x] / s[y];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {2, 3}, {5, 4}};
  for (int run = 0; run < 3; run++) {
    int h = sizes[run][0], w = sizes[run][1];
    double in[h][w];
    fill_double(in, sizeof in, 1);
    double out[h][w];
    fill_double(out, sizeof out, 9);
    normalised_rows(h, w, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

/* A summed-area table in two passes, and the mean over a window from its four corners. */
#include "corpus.h"
#define R 2

void prefix_sums(int h, int w, unsigned in[h][w], unsigned sum[h][w]) {
  unsigned row[h][w + 1], area[h + 1][w + 1];
#pragma scop
  for (int i = 0; i < h; i++) {
    row[i][0] = 0;
    for (int j = 0; j < w; j++)
      row[i][j + 1] = row[i][j] + in[i][j];
  }
  for (int j = 0; j <= w; j++) {
    area[0][j] = 0;
    for (int i = 0; i < h; i++)
      area[i + 1][j] = area[i][j] + row[i][j];
  }
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++)
      sum[i][j] = area[MIN(i + R + 1, h)][MIN(j + R + 1, w)] - area[MAX(i - R, 0)][MIN(j + R + 1, w)] -
                  area[MIN(i + R + 1, h)][MAX(j - R, 0)] + area[MAX(i - R, 0)][MAX(j - R, 0)];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {3, 2}, {18, 25}};
  for (int s = 0; s < 3; s++) {
    int h = sizes[s][0], w = sizes[s][1];
    unsigned in[h][w], sum[h][w];
    fill_int(in, sizeof in, 1, 256);
    prefix_sums(h, w, in, sum);
    print_hash("sum", sum, sizeof sum);
  }
  return 0;
}

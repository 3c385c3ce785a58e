/* A summed-area table in two passes, and the mean over a window from its four corners. */
#include "corpus.h"
#define R 2

void prefix_sums(int h, int w, unsigned in[h][w], unsigned sum[h][w]) {
  _Static_assert(R == 2, "the storage below was chosen by polyfold for R == 2");
  /* row[i][j] lives in row_shared[i + 1][j] */
  /* area[i][j] lives in row_shared[i][j] */
  unsigned row_shared[h + 1][w + 1];
#pragma scop
  for (int i = 0; i < h; i++) {
    row_shared[i + 1][0] = 0;
    for (int j = 0; j < w; j++)
      row_shared[i + 1][j + 1] = row_shared[i + 1][j] + in[i][j];
  }
  for (int j = 0; j <= w; j++) {
    row_shared[0][j] = 0;
    for (int i = 0; i < h; i++)
      row_shared[i + 1][j] = row_shared[i][j] + row_shared[i + 1][j];
  }
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++)
      sum[i][j] = row_shared[MIN(i + R + 1, h)][MIN(j + R + 1, w)] - row_shared[MAX(i - R, 0)][MIN(j + R + 1, w)] -
                  row_shared[MIN(i + R + 1, h)][MAX(j - R, 0)] + row_shared[MAX(i - R, 0)][MAX(j - R, 0)];
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

/* Morphological opening with a 3 x 3 square: two minimum filters, then two maximum filters; borders repeat. */
#include "corpus.h"
typedef unsigned char pixel;

void opening(int h, int w, pixel in[h][w], pixel out[h][w]) {
  /* low_row[i][j] lives in low_row_shared[i + 2][j] */
  /* low[i][j] lives in low_row_shared[i + 1][j] */
  /* high_row[i][j] lives in low_row_shared[i][j] */
  pixel low_row_shared[h + 2][w];
  #if defined __GNUC__ && !defined __clang__
  #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
  #else
  #define POLYFOLD_IVDEP
  #endif
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      low_row_shared[y + 2][x] = MIN(in[y][x], MIN(in[y][MAX(x - 1, 0)], in[y][MIN(x + 1, w - 1)]));
  for (int y = 0; y < h; y++)
    POLYFOLD_IVDEP
    for (int x = 0; x < w; x++)
      low_row_shared[y + 1][x] = (low_row_shared[y + 2][x] < ((low_row_shared[((y - 1) > (0) ? (y - 1) : (0)) + 2][x] < low_row_shared[((y + 1) < (h - 1) ? (y + 1) : (h - 1)) + 2][x] ? low_row_shared[((y - 1) > (0) ? (y - 1) : (0)) + 2][x] : low_row_shared[((y + 1) < (h - 1) ? (y + 1) : (h - 1)) + 2][x])) ? low_row_shared[y + 2][x] : ((low_row_shared[((y - 1) > (0) ? (y - 1) : (0)) + 2][x] < low_row_shared[((y + 1) < (h - 1) ? (y + 1) : (h - 1)) + 2][x] ? low_row_shared[((y - 1) > (0) ? (y - 1) : (0)) + 2][x] : low_row_shared[((y + 1) < (h - 1) ? (y + 1) : (h - 1)) + 2][x])));
  for (int y = 0; y < h; y++)
    POLYFOLD_IVDEP
    for (int x = 0; x < w; x++)
      low_row_shared[y][x] = (low_row_shared[y + 1][x] > ((low_row_shared[y + 1][(x - 1) > (0) ? (x - 1) : (0)] > low_row_shared[y + 1][(x + 1) < (w - 1) ? (x + 1) : (w - 1)] ? low_row_shared[y + 1][(x - 1) > (0) ? (x - 1) : (0)] : low_row_shared[y + 1][(x + 1) < (w - 1) ? (x + 1) : (w - 1)])) ? low_row_shared[y + 1][x] : ((low_row_shared[y + 1][(x - 1) > (0) ? (x - 1) : (0)] > low_row_shared[y + 1][(x + 1) < (w - 1) ? (x + 1) : (w - 1)] ? low_row_shared[y + 1][(x - 1) > (0) ? (x - 1) : (0)] : low_row_shared[y + 1][(x + 1) < (w - 1) ? (x + 1) : (w - 1)])));
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = (low_row_shared[y][x] > ((low_row_shared[(y - 1) > (0) ? (y - 1) : (0)][x] > low_row_shared[(y + 1) < (h - 1) ? (y + 1) : (h - 1)][x] ? low_row_shared[(y - 1) > (0) ? (y - 1) : (0)][x] : low_row_shared[(y + 1) < (h - 1) ? (y + 1) : (h - 1)][x])) ? low_row_shared[y][x] : ((low_row_shared[(y - 1) > (0) ? (y - 1) : (0)][x] > low_row_shared[(y + 1) < (h - 1) ? (y + 1) : (h - 1)][x] ? low_row_shared[(y - 1) > (0) ? (y - 1) : (0)][x] : low_row_shared[(y + 1) < (h - 1) ? (y + 1) : (h - 1)][x])));
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {2, 5}, {21, 16}};
  for (int s = 0; s < 3; s++) {
    int h = sizes[s][0], w = sizes[s][1];
    pixel in[h][w], out[h][w];
    fill_bytes(in, sizeof in, 1);
    opening(h, w, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

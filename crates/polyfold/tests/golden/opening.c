/* Morphological opening with a 3 x 3 square: two minimum filters, then two maximum filters; borders repeat. */
#include "corpus.h"
typedef unsigned char pixel;

void opening(int h, int w, pixel in[h][w], pixel out[h][w]) {
  /* low_row[i][j] lives in low_row_shared[i][j] */
  /* low[i][j] lives in low_row_shared[(i - 1) mod (h + 1)][j] */
  /* high_row[i][j] lives in low_row_shared[(i - 2) mod (h + 1)][j] */
  pixel low_row_shared[h + 1][w];
  #if defined __GNUC__ && !defined __clang__
  #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that another one writes */
  #else
  #define POLYFOLD_IVDEP
  #endif
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      low_row_shared[y][x] = MIN(in[y][x], MIN(in[y][MAX(x - 1, 0)], in[y][MIN(x + 1, w - 1)]));
  {
    long low_row_shared_at0 = (-1 + (long)(h + 1)) % (h + 1);
    for (int y = 0; y < h; y++) {
      POLYFOLD_IVDEP
      for (int x = 0; x < w; x++)
        low_row_shared[low_row_shared_at0][x] = (low_row_shared[y][x] < ((low_row_shared[(y - 1) > (0) ? (y - 1) : (0)][x] < low_row_shared[(y + 1) < (h - 1) ? (y + 1) : (h - 1)][x] ? low_row_shared[(y - 1) > (0) ? (y - 1) : (0)][x] : low_row_shared[(y + 1) < (h - 1) ? (y + 1) : (h - 1)][x])) ? low_row_shared[y][x] : ((low_row_shared[(y - 1) > (0) ? (y - 1) : (0)][x] < low_row_shared[(y + 1) < (h - 1) ? (y + 1) : (h - 1)][x] ? low_row_shared[(y - 1) > (0) ? (y - 1) : (0)][x] : low_row_shared[(y + 1) < (h - 1) ? (y + 1) : (h - 1)][x])));
      low_row_shared_at0 = low_row_shared_at0 + 1 < (h + 1) ? low_row_shared_at0 + 1 : 0;
    }
  }
  {
    long low_row_shared_at0 = (-2 + (long)(h + 1)) % (h + 1);
    for (int y = 0; y < h; y++) {
      const long low_row_shared_at1 = low_row_shared_at0 + 1 < (h + 1) ? low_row_shared_at0 + 1 : 0;
      POLYFOLD_IVDEP
      for (int x = 0; x < w; x++)
        low_row_shared[low_row_shared_at0][x] = (low_row_shared[low_row_shared_at1][x] > ((low_row_shared[low_row_shared_at1][(x - 1) > (0) ? (x - 1) : (0)] > low_row_shared[low_row_shared_at1][(x + 1) < (w - 1) ? (x + 1) : (w - 1)] ? low_row_shared[low_row_shared_at1][(x - 1) > (0) ? (x - 1) : (0)] : low_row_shared[low_row_shared_at1][(x + 1) < (w - 1) ? (x + 1) : (w - 1)])) ? low_row_shared[low_row_shared_at1][x] : ((low_row_shared[low_row_shared_at1][(x - 1) > (0) ? (x - 1) : (0)] > low_row_shared[low_row_shared_at1][(x + 1) < (w - 1) ? (x + 1) : (w - 1)] ? low_row_shared[low_row_shared_at1][(x - 1) > (0) ? (x - 1) : (0)] : low_row_shared[low_row_shared_at1][(x + 1) < (w - 1) ? (x + 1) : (w - 1)])));
      low_row_shared_at0 = low_row_shared_at1;
    }
  }
  {
    long low_row_shared_at0 = (-2 + (long)(h + 1)) % (h + 1);
    for (int y = 0; y < h; y++) {
      const long low_row_shared_at1 = ((((y - 1) > (0) ? (y - 1) : (0)) - 2) + (h + 1)) % (h + 1);
      const long low_row_shared_at2 = ((((y + 1) < (h - 1) ? (y + 1) : (h - 1)) - 2) + (h + 1)) % (h + 1);
      for (int x = 0; x < w; x++)
        out[y][x] = (low_row_shared[low_row_shared_at0][x] > ((low_row_shared[low_row_shared_at1][x] > low_row_shared[low_row_shared_at2][x] ? low_row_shared[low_row_shared_at1][x] : low_row_shared[low_row_shared_at2][x])) ? low_row_shared[low_row_shared_at0][x] : ((low_row_shared[low_row_shared_at1][x] > low_row_shared[low_row_shared_at2][x] ? low_row_shared[low_row_shared_at1][x] : low_row_shared[low_row_shared_at2][x])));
      low_row_shared_at0 = low_row_shared_at0 + 1 < (h + 1) ? low_row_shared_at0 + 1 : 0;
    }
  }
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

/* Two levels of an image pyramid: down by averaging 2 x 2, and up again by repeating, for the detail that is lost. */
#include "corpus.h"

void pyramid(int h, int w, float in[2 * h][2 * w], float detail[2 * h][2 * w], float small[h][w]) {
  float wide[h][2 * w];
  /* pair[i][j] lives in pair_shared[i][j] */
  /* half[i][j] lives in pair_shared[i][j] */
  float pair_shared[2 * h][w];
  #if defined __GNUC__ && !defined __clang__
  #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
  #else
  #define POLYFOLD_IVDEP
  #endif
#pragma scop
  for (int y = 0; y < 2 * h; y++)
    for (int x = 0; x < w; x++)
      pair_shared[y][x] = in[y][2 * x] + in[y][2 * x + 1];
  for (int y = 0; y < h; y++)
    POLYFOLD_IVDEP
    for (int x = 0; x < w; x++)
      pair_shared[y][x] = 0.25f * (pair_shared[2 * y][x] + pair_shared[2 * y + 1][x]);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < 2 * w; x++)
      wide[y][x] = pair_shared[y][x / 2];
  for (int y = 0; y < 2 * h; y++)
    for (int x = 0; x < 2 * w; x++)
      detail[y][x] = in[y][x] - wide[y / 2][x];
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      small[y][x] = pair_shared[y][x];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {2, 3}, {12, 10}};
  for (int s = 0; s < 3; s++) {
    int h = sizes[s][0], w = sizes[s][1];
    float in[2 * h][2 * w], detail[2 * h][2 * w], small[h][w];
    fill_float(in, sizeof in, 1);
    pyramid(h, w, in, detail, small);
    print_hash("detail", detail, sizeof detail);
    print_hash("small", small, sizeof small);
  }
  return 0;
}

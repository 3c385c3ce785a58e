/* A separable blur with weights 1 4 6 4 1, the rows of the second pass five lines behind the first. Macro sizes. */
#include "corpus.h"
#ifndef H
#define H 26
#define W 34
#endif

void blur_5x5(int in[H][W], int out[H][W]) {
  /* across[i][j] lives in across[i mod 5][j - 2] */
  int across[5][W - 4];
  _Static_assert(W >= 6, "the storage below was chosen by polyfold for W >= 6");
#pragma scop
  long across_at = 3;
  for (int y = 0; y < H + 2; y++) {
    const long across_at1 = across_at < 4 ? across_at + 1 : 0;
    const long across_at2 = across_at1 < 4 ? across_at1 + 1 : 0;
    const long across_at3 = across_at2 < 4 ? across_at2 + 1 : 0;
    const long across_at4 = across_at3 < 4 ? across_at3 + 1 : 0;
    if (y < H) {
      int *across_row = across[across_at2];
      for (int x = 2; x < W - 2; x++)
        across_row[x - 2] = in[y][x - 2] + 4 * in[y][x - 1] + 6 * in[y][x] + 4 * in[y][x + 1] + in[y][x + 2];
    }
    if (y >= 4 && y < H) {
      const int *across_row1 = across[across_at3];
      const int *across_row2 = across[across_at4];
      const int *across_row3 = across[across_at];
      const int *across_row4 = across[across_at1];
      const int *across_row5 = across[across_at2];
      for (int x = 2; x < W - 2; x++)
        out[y - 2][x] = (across_row1[x - 2] + 4 * across_row2[x - 2] + 6 * across_row3[x - 2] + 4 * across_row4[x - 2] +
                         across_row5[x - 2] + 128) / 256;
    }
    across_at = across_at1;
  }
#pragma endscop
}

int main(void) {
  static int in[H][W], out[H][W];
  fill_int(in, sizeof in, 1, 256);
  blur_5x5(in, out);
  print_hash("out", out, sizeof out);
  return 0;
}

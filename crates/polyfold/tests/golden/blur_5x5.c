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
  {
    int *across_ring0 = across[1];
    int *across_ring1 = across[2];
    int *across_ring2 = across[3];
    int *across_ring3 = across[4];
    int *across_ring4 = across[0];
    for (int y = 0; y < H + 2; y++) {
      if (y < H)
        for (int x = 2; x < W - 2; x++)
          across_ring4[x - 2] = in[y][x - 2] + 4 * in[y][x - 1] + 6 * in[y][x] + 4 * in[y][x + 1] + in[y][x + 2];
      if (y >= 4 && y < H)
        for (int x = 2; x < W - 2; x++)
          out[y - 2][x] = (across_ring0[x - 2] + 4 * across_ring1[x - 2] + 6 * across_ring2[x - 2] + 4 * across_ring3[x - 2] +
                           across_ring4[x - 2] + 128) / 256;
      int *const across_first = across_ring0;
      across_ring0 = across_ring1;
      across_ring1 = across_ring2;
      across_ring2 = across_ring3;
      across_ring3 = across_ring4;
      across_ring4 = across_first;
    }
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

/* Morphological opening with a 3 x 3 square: two minimum filters, then two maximum filters; borders repeat. */
#include "corpus.h"
typedef unsigned char pixel;

void opening(int h, int w, pixel in[h][w], pixel out[h][w]) {
  pixel low_row[h][w], low[h][w], high_row[h][w];
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      low_row[y][x] = MIN(in[y][x], MIN(in[y][MAX(x - 1, 0)], in[y][MIN(x + 1, w - 1)]));
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      low[y][x] = MIN(low_row[y][x], MIN(low_row[MAX(y - 1, 0)][x], low_row[MIN(y + 1, h - 1)][x]));
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      high_row[y][x] = MAX(low[y][x], MAX(low[y][MAX(x - 1, 0)], low[y][MIN(x + 1, w - 1)]));
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = MAX(high_row[y][x], MAX(high_row[MAX(y - 1, 0)][x], high_row[MIN(y + 1, h - 1)][x]));
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

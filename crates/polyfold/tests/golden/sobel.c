/* Edges of an image of bytes: Sobel's gradients, their size, a threshold that the data decides, and a thinning pass. */
#include "corpus.h"
typedef unsigned char pixel;

void sobel(int h, int w, int threshold, pixel in[h][w], pixel out[h][w]) {
  pixel edge[h][w];
  /* gx is one variable: no two cells of gx are needed at a time */
  /* gy is one variable: no two cells of gy are needed at a time */
  /* size is one variable: no two cells of size are needed at a time */
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      edge[y][x] = 0;
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      int gx = in[y - 1][x + 1] + 2 * in[y][x + 1] + in[y + 1][x + 1] - in[y - 1][x - 1] - 2 * in[y][x - 1] -
                 in[y + 1][x - 1];
      int gy = in[y + 1][x - 1] + 2 * in[y + 1][x] + in[y + 1][x + 1] - in[y - 1][x - 1] - 2 * in[y - 1][x] -
                 in[y - 1][x + 1];
      int size = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
      if (size > threshold)
        edge[y][x] = 255;
    }
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = x > 0 && x < w - 1 ? MIN(edge[y][x], MAX(edge[y][x - 1], edge[y][x + 1])) : edge[y][x];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {3, 4}, {24, 30}};
  for (int s = 0; s < 3; s++) {
    int h = sizes[s][0], w = sizes[s][1];
    pixel in[h][w], out[h][w];
    fill_bytes(in, sizeof in, 1);
    sobel(h, w, 300, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

/* Edges of an image of bytes: Sobel's gradients, their size, a threshold that the data decides, and a thinning pass. */
#include "corpus.h"
typedef unsigned char pixel;

void sobel(int h, int w, int threshold, pixel in[h][w], pixel out[h][w]) {
  int gx[h][w], gy[h][w], size[h][w];
  pixel edge[h][w];
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      edge[y][x] = 0;
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      gx[y][x] = in[y - 1][x + 1] + 2 * in[y][x + 1] + in[y + 1][x + 1] - in[y - 1][x - 1] - 2 * in[y][x - 1] -
                 in[y + 1][x - 1];
      gy[y][x] = in[y + 1][x - 1] + 2 * in[y + 1][x] + in[y + 1][x + 1] - in[y - 1][x - 1] - 2 * in[y - 1][x] -
                 in[y - 1][x + 1];
      size[y][x] = ABS(gx[y][x]) + ABS(gy[y][x]);
      if (size[y][x] > threshold)
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

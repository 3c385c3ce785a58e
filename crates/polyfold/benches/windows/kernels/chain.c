/* Four filters one after the other, along rows. */
void kernel(int h, int w, const float in[h][w], float out[h][w]) {
  float a[h][w], b[h][w], c[h][w];
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      a[y][x] = 0.5f * in[y][x] + 1;
  for (int y = 0; y < h; y++)
    for (int x = 2; x < w; x++)
      b[y][x] = a[y][x] + 2 * a[y][x - 1] + a[y][x - 2];
  for (int y = 0; y < h; y++)
    for (int x = 4; x < w; x++)
      c[y][x] = b[y][x] * b[y][x - 2] - a[y][x - 4];
  for (int y = 0; y < h; y++)
    for (int x = 5; x < w; x++)
      out[y][x] = c[y][x] + c[y][x - 1];
#pragma endscop
}

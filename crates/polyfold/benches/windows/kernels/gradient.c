/* A blur along rows, and the square of its gradient, in both directions. */
void kernel(int h, int w, const float in[h][w], float out[h][w]) {
  float blurred[h][w], across[h][w], down[h][w];
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 2; x < w - 2; x++)
      blurred[y][x] = (in[y][x - 2] + 4 * in[y][x - 1] + 6 * in[y][x] + 4 * in[y][x + 1] + in[y][x + 2]) / 16;
  for (int y = 1; y < h - 1; y++)
    for (int x = 3; x < w - 3; x++)
      across[y][x] = blurred[y][x + 1] - blurred[y][x - 1];
  for (int y = 1; y < h - 1; y++)
    for (int x = 3; x < w - 3; x++)
      down[y][x] = blurred[y + 1][x] - blurred[y - 1][x];
  for (int y = 1; y < h - 1; y++)
    for (int x = 3; x < w - 3; x++)
      out[y][x] = across[y][x] * across[y][x] + down[y][x] * down[y][x];
#pragma endscop
}

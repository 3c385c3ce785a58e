/* Three by three, columns first, and what is left of the picture without it. */
void kernel(int h, int w, const float in[h][w], float out[h][w]) {
  float columns[h][w], blurred[h][w];
#pragma scop
  for (int y = 1; y < h - 1; y++)
    for (int x = 0; x < w; x++)
      columns[y][x] = (in[y - 1][x] + in[y][x] + in[y + 1][x]) / 3;
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++)
      blurred[y][x] = (columns[y][x - 1] + columns[y][x] + columns[y][x + 1]) / 3;
  for (int y = 1; y < h - 1; y++)
    for (int x = 2; x < w - 1; x++)
      out[y][x] = 2 * in[y][x] - blurred[y][x] * blurred[y][x - 1];
#pragma endscop
}

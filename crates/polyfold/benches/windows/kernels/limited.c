/* Means, of which large differences are taken as they are and small ones count less. */
void kernel(int h, int w, const float in[h][w], float out[h][w]) {
  float mean[h][w], detail[h][w];
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 2; x < w - 2; x++)
      mean[y][x] = (in[y][x - 2] + in[y][x - 1] + in[y][x] + in[y][x + 1] + in[y][x + 2]) * 0.2f;
  for (int y = 0; y < h; y++)
    for (int x = 2; x < w - 2; x++)
      detail[y][x] = in[y][x] - mean[y][x] < 20 && mean[y][x] - in[y][x] < 20 ? (in[y][x] - mean[y][x]) * 0.25f : in[y][x] - mean[y][x];
  for (int y = 0; y < h; y++)
    for (int x = 2; x < w - 2; x++)
      out[y][x] = mean[y][x] + detail[y][x];
#pragma endscop
}

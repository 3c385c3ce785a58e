/* Four stages of pixels, of which one reads its neighbours in all directions. */
void kernel(int h, int w, const unsigned char in[h][w], unsigned char out[h][w]) {
  int light[h][w], edge[h][w], sharp[h][w];
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      light[y][x] = in[y][x] * 3;
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++)
      edge[y][x] = 4 * light[y][x] - light[y - 1][x] - light[y + 1][x] - light[y][x - 1] - light[y][x + 1];
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++)
      sharp[y][x] = light[y][x] + edge[y][x] / 4;
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++)
      out[y][x] = (unsigned char)(sharp[y][x] < 0 ? 0 : sharp[y][x] > 765 ? 255 : sharp[y][x] / 3);
#pragma endscop
}

/* A gradient, of which small values are 0 and others smaller. */
void kernel(int h, int w, const float in[h][w], float out[h][w]) {
  float across[h][w], both[h][w];
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 1; x < w - 1; x++)
      across[y][x] = in[y][x + 1] - in[y][x - 1];
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++)
      both[y][x] = across[y - 1][x] + 2 * across[y][x] + across[y + 1][x];
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++)
      if (both[y][x] > 96)
        out[y][x] = both[y][x] - 96;
      else if (both[y][x] < -96)
        out[y][x] = both[y][x] + 96;
      else
        out[y][x] = 0;
#pragma endscop
}

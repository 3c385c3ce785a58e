/* blur_5x5, line 10 */
  for (int y = 0; y < H; y++) {
    for (int x = 2; x < W - 2; x++)
      across[y][x] = in[y][x - 2] + 4 * in[y][x - 1] + 6 * in[y][x] + 4 * in[y][x + 1] + in[y][x + 2];
    if (y >= 4)
      for (int x = 2; x < W - 2; x++)
        out[y - 2][x] = (across[y - 4][x] + 4 * across[y - 3][x] + 6 * across[y - 2][x] + 4 * across[y - 1][x] +
                         across[y][x] + 128) / 256;
  }

/* unsharp, line 12 */
  for (int y = 0; y < h; y++) {
    for (int x = 0; x < w; x++) {
      if (x > 0 && x < w - 1)
        across[y * w + x] = (in[(y * w + x) - 1] + 2 * in[y * w + x] + in[(y * w + x) + 1]) / 4;
      else
        across[y * w + x] = in[y * w + x];
    }
    if (y >= 2) {
      for (int x = 0; x < w; x++)
        blurred[(y - 1) * w + x] = (across[(y - 2) * w + x] + 2 * across[(y - 1) * w + x] + across[y * w + x]) / 4;
      for (int x = 0; x < w; x++)
        out[(y - 1) * w + x] = in[(y - 1) * w + x] + amount * (in[(y - 1) * w + x] - blurred[(y - 1) * w + x]);
    }
  }

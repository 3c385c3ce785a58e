/* wavelet, line 6 */
  for (int y = 0; y < h; y++) {
    for (int x = 0; x < 2 * w; x += 2)
      even[y][x / 2] = in[y][x];
    for (int x = 1; x < 2 * w; x += 2)
      odd[y][x / 2] = in[y][x];
    for (int x = 0; x < w; x++)
      detail[y][x + 1] = odd[y][x] - (even[y][x] + even[y][MIN(x + 1, w - 1)]) / 2;
    detail[y][0] = detail[y][1];
    for (int x = 0; x < w; x++) {
      low[y][x] = even[y][x] + (detail[y][x] + detail[y][x + 1] + 2) / 4;
      high[y][x] = detail[y][x + 1];
    }
  }

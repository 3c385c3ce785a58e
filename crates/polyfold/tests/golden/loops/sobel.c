/* sobel, line 8 */
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      edge[y][x] = 0;
  for (int y = 1; y < h - 1; y++) {
    for (int x = 1; x < w - 1; x++) {
      gx[y][x] = in[y - 1][x + 1] + 2 * in[y][x + 1] + in[y + 1][x + 1] - in[y - 1][x - 1] - 2 * in[y][x - 1] -
                 in[y + 1][x - 1];
      gy[y][x] = in[y + 1][x - 1] + 2 * in[y + 1][x] + in[y + 1][x + 1] - in[y - 1][x - 1] - 2 * in[y - 1][x] -
                 in[y - 1][x + 1];
      size[y][x] = ABS(gx[y][x]) + ABS(gy[y][x]);
      if (size[y][x] > threshold)
        edge[y][x] = 255;
    }
  }
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = x > 0 && x < w - 1 ? MIN(edge[y][x], MAX(edge[y][x - 1], edge[y][x + 1])) : edge[y][x];

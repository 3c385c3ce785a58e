/* pyramid, line 6 */
  for (int y = 0; y < 2 * h; y++)
    for (int x = 0; x < w; x++)
      pair[y][x] = in[y][2 * x] + in[y][2 * x + 1];
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      half[y][x] = 0.25f * (pair[2 * y][x] + pair[2 * y + 1][x]);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < 2 * w; x++)
      wide[y][x] = half[y][x / 2];
  for (int y = 0; y < 2 * h; y++)
    for (int x = 0; x < 2 * w; x++)
      detail[y][x] = in[y][x] - wide[y / 2][x];
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      small[y][x] = half[y][x];

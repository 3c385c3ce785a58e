/* opening, line 7 */
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      low_row[y][x] = MIN(in[y][x], MIN(in[y][MAX(x - 1, 0)], in[y][MIN(x + 1, w - 1)]));
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      low[y][x] = MIN(low_row[y][x], MIN(low_row[MAX(y - 1, 0)][x], low_row[MIN(y + 1, h - 1)][x]));
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      high_row[y][x] = MAX(low[y][x], MAX(low[y][MAX(x - 1, 0)], low[y][MIN(x + 1, w - 1)]));
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = MAX(high_row[y][x], MAX(high_row[MAX(y - 1, 0)][x], high_row[MIN(y + 1, h - 1)][x]));

/* prefix_sums, line 7 */
  for (int i = 0; i < h; i++) {
    row[i][0] = 0;
    for (int j = 0; j < w; j++)
      row[i][j + 1] = row[i][j] + in[i][j];
  }
  for (int j = 0; j <= w; j++) {
    area[0][j] = 0;
    for (int i = 0; i < h; i++)
      area[i + 1][j] = area[i][j] + row[i][j];
  }
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++)
      sum[i][j] = area[MIN(i + R + 1, h)][MIN(j + R + 1, w)] - area[MAX(i - R, 0)][MIN(j + R + 1, w)] -
                  area[MIN(i + R + 1, h)][MAX(j - R, 0)] + area[MAX(i - R, 0)][MAX(j - R, 0)];

/* two_grids_2d, line 6 */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      old[i][j] = plate[i][j];
  for (int left = steps; left > 0; left--) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        new[i][j] = old[i][j] + 0.125f * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1] - 4 * old[i][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        old[i][j] = new[i][j];
  }
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      plate[i][j] = old[i][j];

/* nine_points, line 6 */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      now[i][j] = plate[i][j];
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        next[i][j] = 0.0625f * (now[i - 1][j - 1] + now[i - 1][j + 1] + now[i + 1][j - 1] + now[i + 1][j + 1])
          + 0.125f * (now[i - 1][j] + now[i][j - 1] + now[i][j + 1] + now[i + 1][j]) + 0.25f * now[i][j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        now[i][j] = next[i][j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      plate[i][j] = now[i][j];

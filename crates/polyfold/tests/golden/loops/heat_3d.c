/* heat_3d, line 6 */
  for (int p = 0; p <= 1; p++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          A[p][i][j][k] = cube[i][j][k];
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          A[(t + 1) % 2][i][j][k] =
              0.125f * (A[t % 2][i + 1][j][k] - 2.0f * A[t % 2][i][j][k] + A[t % 2][i - 1][j][k]) +
              0.125f * (A[t % 2][i][j + 1][k] - 2.0f * A[t % 2][i][j][k] + A[t % 2][i][j - 1][k]) +
              0.125f * (A[t % 2][i][j][k + 1] - 2.0f * A[t % 2][i][j][k] + A[t % 2][i][j][k - 1]) + A[t % 2][i][j][k];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        cube[i][j][k] = A[T % 2][i][j][k];

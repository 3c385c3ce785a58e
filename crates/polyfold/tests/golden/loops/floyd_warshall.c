/* floyd_warshall, line 6 */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      D[0][i][j] = length[i][j];
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        D[k + 1][i][j] = MIN(D[k][i][j], D[k][i][k] + D[k][k][j]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      shortest[i][j] = D[n][i][j];

/* seidel_2d, line 6 */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[0][i][j] = grid[i][j];
  for (int t = 1; t <= T; t++) {
    for (int i = 0; i < n; i++) {
      A[t][i][0] = A[t - 1][i][0];
      if (n >= i + 2 && i >= 1)
        for (int j = 1; j < n - 1; j++)
          A[t][i][j] = (A[t][i - 1][j - 1] + A[t][i - 1][j] + A[t][i - 1][j + 1] + A[t][i][j - 1] + A[t - 1][i][j] +
                        A[t - 1][i][j + 1] + A[t - 1][i + 1][j - 1] + A[t - 1][i + 1][j] + A[t - 1][i + 1][j + 1]) /
                       9.0;
      else if (i + 1 == n)
        for (int j = 1; j < n - 1; j++)
          A[t][n - 1][j] = A[t - 1][n - 1][j];
      if (i >= 1)
        A[t][i][n - 1] = A[t - 1][i][n - 1];
      else
        for (int j = 1; j < n; j++)
          A[t][0][j] = A[t - 1][0][j];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      grid[i][j] = A[T][i][j];

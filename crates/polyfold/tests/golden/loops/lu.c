/* lu, line 6 */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      U[0][i][j] = A[i][j];
  for (int k = 0; k < n - 1; k++) {
    for (int i = k + 1; i < n; i++) {
      factor[i][k] = U[k][i][k] / U[k][k][k];
      lower[i][k] = factor[i][k];
      for (int j = k + 1; j < n; j++)
        U[k + 1][i][j] = U[k][i][j] - factor[i][k] * U[k][k][j];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      upper[i][j] = U[i][i][j];

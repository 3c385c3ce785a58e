/* atax, line 6 */
  for (int i = 0; i < n; i++)
    y[i] = 0.0;
  for (int i = 0; i < m; i++) {
    Ax[i] = 0.0;
    for (int j = 0; j < n; j++)
      Ax[i] = Ax[i] + A[i][j] * x[j];
    for (int j = 0; j < n; j++)
      y[j] = y[j] + A[i][j] * Ax[i];
  }

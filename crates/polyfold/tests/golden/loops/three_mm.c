/* three_mm, line 6 */
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      F[i][j] = 0.0;
      for (int k = 0; k < m; k++)
        F[i][j] += C[i][k] * D[k][j];
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      E[i][j] = 0.0;
      for (int k = 0; k < m; k++)
        E[i][j] += A[i][k] * B[k][j];
    }
    for (int j = 0; j < n; j++) {
      G[i][j] = 0.0;
      for (int k = 0; k < n; k++)
        G[i][j] += E[i][k] * F[k][j];
    }
  }

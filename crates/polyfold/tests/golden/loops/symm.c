/* symm, line 6 */
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) {
      below[i][j] = 0.0;
      for (int k = 0; k < i; k++) {
        C[k][j] += alpha * B[i][j] * A[i][k];
        below[i][j] += B[k][j] * A[i][k];
      }
      C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * below[i][j];
    }
  }

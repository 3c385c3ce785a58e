/* trisolv, line 6 */
  for (int i = 0; i < n; i++) {
    sum[i][0] = b[i];
    for (int j = 0; j < i; j++)
      sum[i][j + 1] = sum[i][j] - L[i][j] * x[j];
    x[i] = sum[i][i] / (1.0 + L[i][i]);
  }

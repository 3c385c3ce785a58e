/* covariance, line 6 */
  for (int j = 0; j < m; j++) {
    mean[j] = 0.0;
    for (int i = 0; i < n; i++)
      mean[j] += data[i][j];
    mean[j] /= n;
    for (int i = 0; i < n; i++)
      centred[i][j] = data[i][j] - mean[j];
    for (int k = 0; k <= j; k++) {
      cov[j][k] = 0.0;
      for (int i = 0; i < n; i++)
        cov[j][k] += centred[i][j] * centred[i][k];
      cov[k][j] = cov[j][k];
    }
  }

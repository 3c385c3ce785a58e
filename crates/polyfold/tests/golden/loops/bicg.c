/* bicg, line 6 */
  for (int j = 0; j < n; j++)
    down[0][j] = 0.0;
  for (int i = 0; i < m; i++) {
    along[i][0] = 0.0;
    for (int j = 0; j < n; j++) {
      down[i + 1][j] = down[i][j] + r[i] * A[i][j];
      along[i][j + 1] = along[i][j] + A[i][j] * p[j];
    }
    q[i] = along[i][n];
  }
  for (int j = 0; j < n; j++)
    s[j] = down[m][j];

/* nussinov, line 6 */
  for (int i = n - 1; i >= 0; i--) {
    best[i][i] = 0;
    for (int j = i + 1; j < n; j++) {
      best[i][j] = MAX(best[i + 1][j], best[i][j - 1]);
      if (j - i >= 2)
        best[i][j] = MAX(best[i][j], best[i + 1][j - 1] + (strand[i] + strand[j] == 3 ? 1 : 0));
      for (int k = i + 1; k < j; k++)
        best[i][j] = MAX(best[i][j], best[i][k] + best[k + 1][j]);
    }
  }
  pairs[0] = best[0][n - 1];

/* lcs, line 6 */
  for (int i = 0; i <= n; i++)
    L[i][0] = 0;
  for (int j = 1; j <= m; j++)
    L[0][j] = 0;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      L[i][j] = a[i - 1] == b[j - 1] ? L[i - 1][j - 1] + 1 : MAX(L[i - 1][j], L[i][j - 1]);
  length[0] = L[n][m];

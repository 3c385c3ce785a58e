/* life, line 7 */
  for (int t = 0; t <= T; t++) {
    for (int i = 0; i <= n + 1; i++) {
      L[t][i][0] = 0;
      L[t][i][n + 1] = 0;
      L[t][0][i] = 0;
      L[t][n + 1][i] = 0;
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      L[0][i + 1][j + 1] = board[i][j] % 2;
  for (int t = 0; t < T; t++) {
    for (int i = 1; i <= n; i++) {
      for (int j = 1; j <= n; j++) {
        neighbours[t][i][j] = L[t][i - 1][j - 1] + L[t][i - 1][j] + L[t][i - 1][j + 1] + L[t][i][j - 1] +
                              L[t][i][j + 1] + L[t][i + 1][j - 1] + L[t][i + 1][j] + L[t][i + 1][j + 1];
        L[t + 1][i][j] = neighbours[t][i][j] == 3 || (neighbours[t][i][j] == 2 && L[t][i][j] == 1);
      }
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      board[i][j] = L[T][i + 1][j + 1];

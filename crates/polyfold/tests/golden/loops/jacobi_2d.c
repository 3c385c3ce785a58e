/* jacobi_2d, line 13 */
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      A[0][i][j] = grid[i][j];
  for (t = 1; t <= T; t++) {
    for (i = 0; i < N; i++) {
      A[t][i][0] = A[t - 1][i][0];
      A[t][i][_PB_N - 1] = A[t - 1][i][_PB_N - 1];
    }
    for (j = 1; j < N - 1; j++) {
      A[t][0][j] = A[t - 1][0][j];
      A[t][_PB_N - 1][j] = A[t - 1][_PB_N - 1][j];
    }
    for (i = 1; i < N - 1; i++)
      for (j = 1; j < N - 1; j++)
        A[t][i][j] = SCALAR_VAL(0.2) * (A[t - 1][i][j] + A[t - 1][i][j - 1] + A[t - 1][i][1 + j] +
                                        A[t - 1][1 + i][j] + A[t - 1][i - 1][j]);
  }
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      grid[i][j] = A[_PB_T][i][j];

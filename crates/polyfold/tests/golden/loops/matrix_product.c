/* matrix_product, line 18 */
  for (i = 0; i < N; i++) {
    for (j = 0; j < N; j++) {
      AB[i][j] = 0;
      for (k = 0; k < N; k++)
        AB[i][j] += A[i][k] * B[k][j];
    }
    for (j = 0; j < N; j++) {
      D[i][j] = 0;
      for (k = 0; k < N; k++)
        D[i][j] += AB[i][k] * C[k][j];
    }
  }

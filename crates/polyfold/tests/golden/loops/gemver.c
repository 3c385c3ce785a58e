/* gemver, line 13 */
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      B[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
  for (i = 0; i < N; i++) {
    x[i] = SCALAR_VAL(0.0);
    for (j = 0; j < N; j++)
      x[i] += beta * B[j][i] * y[j];
    x[i] += z[i];
  }
  for (i = 0; i < N; i++) {
    w[i] = SCALAR_VAL(0.0);
    for (j = 0; j < N; j++)
      w[i] += alpha * B[i][j] * x[j];
  }

/* correlation, line 11 */
  for (j = 0; j < M; j++) {
    mean[j] = SCALAR_VAL(0.0);
    for (i = 0; i < N; i++)
      mean[j] += data[i][j];
    mean[j] /= N;
  }
  for (j = 0; j < M; j++) {
    square[j] = SCALAR_VAL(0.0);
    for (i = 0; i < N; i++)
      square[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
    deviation[j] = SQRT_FUN(square[j] / N);
    deviation[j] = deviation[j] <= SCALAR_VAL(0.1) ? SCALAR_VAL(1.0) : deviation[j];
  }
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++)
      scaled[i][j] = (data[i][j] - mean[j]) / (SQRT_FUN(SCALAR_VAL(N)) * deviation[j]);
  for (j = 0; j < M; j++) {
    corr[j][j] = SCALAR_VAL(1.0);
    for (k = j + 1; k < M; k++) {
      corr[j][k] = SCALAR_VAL(0.0);
      for (i = 0; i < N; i++)
        corr[j][k] += scaled[i][j] * scaled[i][k];
      corr[k][j] = corr[j][k];
    }
  }

/* two_mm, line 18 */
  for (i = 0; i < NI; i++) {
    for (j = 0; j < NJ; j++) {
      AB[i][j] = SCALAR_VAL(0.0);
      for (k = 0; k < NK; k++)
        AB[i][j] += alpha * A[i][k] * B[k][j];
    }
  }
  for (i = 0; i < NI; i++) {
    for (j = 0; j < NL; j++) {
      D[i][j] *= beta;
      for (k = 0; k < NJ; k++)
        D[i][j] += AB[i][k] * C[k][j];
    }
  }

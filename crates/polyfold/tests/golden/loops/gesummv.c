/* gesummv, line 11 */
for (i = 0; i < N; i++) {
  Ax[i] = SCALAR_VAL(0.0);
  Bx[i] = SCALAR_VAL(0.0);
  for (j = 0; j < N; j++) {
    Ax[i] = A[i][j] * x[j] + Ax[i];
    Bx[i] = B[i][j] * x[j] + Bx[i];
  }
  y[i] = alpha * Ax[i] + beta * Bx[i];
}

/* Durbin's recursion, with all that it ever computes kept. */
void kernel(int n, int steps, const double r[n], double out[n]) {
  double alpha[n], beta[n], sum[n][n], y[n][n];
#pragma scop
  y[0][0] = r[0];
  beta[0] = 1;
  alpha[0] = r[0];
  for (int k = 1; k < n; k++) {
    beta[k] = beta[k - 1] - alpha[k - 1] * alpha[k - 1] * beta[k - 1];
    sum[0][k] = r[k];
    for (int i = 0; i < k; i++)
      sum[i + 1][k] = sum[i][k] + r[k - i - 1] * y[i][k - 1];
    alpha[k] = -sum[k][k] / beta[k];
    for (int i = 0; i < k; i++)
      y[i][k] = y[i][k - 1] + alpha[k] * y[k - i - 1][k - 1];
    y[k][k] = alpha[k];
  }
  for (int i = 0; i < n; i++)
    out[i] = y[i][n - 1];
#pragma endscop
}

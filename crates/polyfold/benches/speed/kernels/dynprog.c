/* Dynamic programming over intervals, with every partial sum kept. */
void kernel(int n, int steps, const unsigned w[n][n], unsigned out[n][n]) {
  unsigned c[n][n], sum[n][n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] = w[j][i];
  for (int i = 0; i <= n - 2; i++)
    for (int j = i + 1; j <= n - 1; j++) {
      sum[i][j][i] = 0;
      for (int k = i + 1; k <= j - 1; k++)
        sum[i][j][k] = sum[i][j][k - 1] + c[i][k] + c[k][j];
      c[i][j] = sum[i][j][j - 1] + w[i][j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[i][j] = c[i][j];
#pragma endscop
}

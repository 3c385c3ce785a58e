/* The sum in a variable. */
void kernel(int n, int steps, const unsigned w[n][n], unsigned out[n][n]) {
  unsigned c[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] = w[j][i];
  for (int i = 0; i <= n - 2; i++)
    for (int j = i + 1; j <= n - 1; j++) {
      unsigned sum = 0;
      for (int k = i + 1; k <= j - 1; k++)
        sum += c[i][k] + c[k][j];
      c[i][j] = sum + w[i][j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[i][j] = c[i][j];
}

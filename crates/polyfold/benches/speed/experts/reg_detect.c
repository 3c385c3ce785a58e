/* The same loops, with sums along a cell in a variable. */
void kernel(int n, int steps, const unsigned tangent[n][n], unsigned path[n][n]) {
  unsigned sums[n][n], mean[n][n], diff[n][n][steps];
  for (int j = 0; j < n; j++) {
    unsigned sum = 0;
    for (int i = j; i < n; i++) {
      sum += tangent[j][i];
      sums[j][i] = sum;
    }
  }
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      for (int k = 0; k < steps; k++)
        diff[j][i][k] = sums[j][i];
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      unsigned sum = 0;
      for (int k = 0; k < steps; k++)
        sum += diff[j][i][k];
      mean[j][i] = sum;
    }
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      path[j][i] = j > 0 ? path[j - 1][i - 1] + mean[j][i] : mean[j][i];
}

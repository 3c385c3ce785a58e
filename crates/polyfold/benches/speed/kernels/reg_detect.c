/* Regularity detection on a grid of n by n with `steps` values a cell. */
void kernel(int n, int steps, const unsigned tangent[n][n], unsigned path[n][n]) {
  unsigned sum_t[n][n], mean[n][n], diff[n][n][steps], sum_d[n][n][steps];
#pragma scop
  for (int j = 0; j < n; j++) {
    sum_t[j][j] = tangent[j][j];
    for (int i = j + 1; i < n; i++)
      sum_t[j][i] = sum_t[j][i - 1] + tangent[j][i];
  }
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      for (int k = 0; k < steps; k++)
        diff[j][i][k] = sum_t[j][i];
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      sum_d[j][i][0] = diff[j][i][0];
      for (int k = 1; k < steps; k++)
        sum_d[j][i][k] = sum_d[j][i][k - 1] + diff[j][i][k];
      mean[j][i] = sum_d[j][i][steps - 1];
    }
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      if (j > 0)
        path[j][i] = path[j - 1][i - 1] + mean[j][i];
      else
        path[j][i] = mean[j][i];
#pragma endscop
}

/* All stages row by row, the first two rows ahead, into whole arrays. */
void kernel(int n, int steps, const double in[n][n], double out[restrict n][n]) {
  double across[n][n], blurred[n][n], sharp[n][n];
  for (int i = 0; i < n; i++) {
    for (int j = 2; j < n - 2; j++)
      across[i][j] = (in[i][j - 2] + in[i][j + 2]) * 0.0625 + (in[i][j - 1] + in[i][j + 1]) * 0.25 + in[i][j] * 0.375;
    if (i < 4)
      continue;
    int k = i - 2;
    for (int j = 2; j < n - 2; j++)
      blurred[k][j] = (across[k - 2][j] + across[k + 2][j]) * 0.0625 + (across[k - 1][j] + across[k + 1][j]) * 0.25
                      + across[k][j] * 0.375;
    for (int j = 2; j < n - 2; j++)
      sharp[k][j] = in[k][j] * 1.5 - blurred[k][j] * 0.5;
    for (int j = 2; j < n - 2; j++)
      out[k][j] = in[k][j] - blurred[k][j] < 0.02 && blurred[k][j] - in[k][j] < 0.02 ? in[k][j] : sharp[k][j];
  }
}

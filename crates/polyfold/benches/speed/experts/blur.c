/* Both stages row by row, the first a row ahead, into a whole array. */
void kernel(int n, int steps, const double in[n][n], double out[restrict n][n]) {
  double across[n][n];
  for (int i = 0; i < n; i++) {
    for (int j = 1; j < n - 1; j++)
      across[i][j] = (in[i][j - 1] + in[i][j] + in[i][j + 1]) * 0.33;
    if (i >= 2)
      for (int j = 1; j < n - 1; j++)
        out[i - 1][j] = (across[i - 2][j] + across[i - 1][j] + across[i][j]) * 0.33;
  }
}

/* Two arrays that change places. */
void kernel(int n, int steps, const double in[n][n][n], double out[n][n][n]) {
  double first[n][n][n], second[n][n][n];
  double (*old)[n][n] = first, (*new)[n][n] = second;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        first[i][j][k] = in[i][j][k];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      second[0][i][j] = in[0][i][j];
      second[n - 1][i][j] = in[n - 1][i][j];
      second[i][0][j] = in[i][0][j];
      second[i][n - 1][j] = in[i][n - 1][j];
      second[i][j][0] = in[i][j][0];
      second[i][j][n - 1] = in[i][j][n - 1];
    }
  for (int t = 0; t < steps; t++) {
    double (*restrict to)[n][n] = new;
    const double (*restrict from)[n][n] = (const void *)old;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          to[i][j][k] = (from[i][j][k] + from[i - 1][j][k] + from[i + 1][j][k] + from[i][j - 1][k] + from[i][j + 1][k]
                         + from[i][j][k - 1] + from[i][j][k + 1]) * 0.14;
    new = old;
    old = to;
  }
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        out[i][j][k] = old[i][j][k];
}

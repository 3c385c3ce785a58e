/* Two arrays that change places. */
void kernel(int n, int steps, const double in[n][n], double out[n][n]) {
  double first[n][n], second[n][n];
  double (*old)[n] = first, (*new)[n] = second;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      first[i][j] = in[i][j];
  for (int j = 0; j < n; j++) {
    second[0][j] = in[0][j];
    second[n - 1][j] = in[n - 1][j];
    second[j][0] = in[j][0];
    second[j][n - 1] = in[j][n - 1];
  }
  for (int t = 0; t < steps; t++) {
    double (*restrict to)[n] = new;
    const double (*restrict from)[n] = (const void *)old;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        to[i][j] = (from[i][j] + from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]) * 0.2;
    new = old;
    old = to;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[i][j] = old[i][j];
}

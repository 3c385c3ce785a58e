/* Two arrays that change places. */
static void step(int n, const double *restrict from, double *restrict to) {
  long row = n, plane = row * n;
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++) {
      const double *restrict old = from + i * plane + j * row;
      double *restrict new = to + i * plane + j * row;
      for (long k = 1; k < n - 1; k++)
        new[k] = (old[k] + old[k - plane] + old[k + plane] + old[k - row] + old[k + row] + old[k - 1] + old[k + 1]) * 0.14;
    }
}

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
    double (*last)[n][n] = old;
    step(n, &old[0][0][0], &new[0][0][0]);
    old = new;
    new = last;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        out[i][j][k] = old[i][j][k];
}

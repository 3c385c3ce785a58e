/* Two arrays that change places. */
static void step(int n, const double from[restrict n][n], double to[restrict n][n]) {
  for (int i = 1; i < n - 1; i++) {
    const double *above = from[i - 1], *here = from[i], *below = from[i + 1];
    double *row = to[i];
    for (int j = 1; j < n - 1; j++)
      row[j] = (here[j] + above[j] + below[j] + here[j - 1] + here[j + 1]) * 0.2;
  }
}

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
    double (*last)[n] = old;
    step(n, (const void *)old, new);
    old = new;
    new = last;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[i][j] = old[i][j];
}

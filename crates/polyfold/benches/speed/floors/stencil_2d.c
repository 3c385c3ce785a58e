/* Not the stencil: its loads, sums and stores of each step, in place, with rows that are stored from aligned places, with neither a border
 * nor a ring. */
void kernel(int n, int steps, const double in[n][n], double out[n][n]) {
  const int row_cells = (n + 6) / 4 * 4;
  double P[n - 1][row_cells] __attribute__((aligned(64)));
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < n; j++)
      P[i][j + 3] = in[i][j];
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n - 2; i++) {
      double *row = P[i] + 3;
      const double *here = P[i + 1] + 3, *below = P[i + 2 < n - 1 ? i + 2 : 0] + 3;
#pragma GCC ivdep
      for (int j = 1; j < n - 1; j++)
        row[j] = (here[j] + row[j] + below[j] + here[j - 1] + here[j + 1]) * 0.2;
    }
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < n; j++)
      out[i][j] = P[i][j + 3];
}

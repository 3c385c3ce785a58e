/* A blur along the rows, then along the columns. */
void kernel(int n, int steps, const double in[n][n], double out[n][n]) {
  double across[n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n - 1; j++)
      across[i][j] = (in[i][j - 1] + in[i][j] + in[i][j + 1]) * 0.33;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      out[i][j] = (across[i - 1][j] + across[i][j] + across[i + 1][j]) * 0.33;
#pragma endscop
}

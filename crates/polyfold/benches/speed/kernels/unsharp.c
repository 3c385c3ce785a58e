/* An unsharp mask: blurred both ways, sharpened, and kept where that changes little. */
void kernel(int n, int steps, const double in[n][n], double out[n][n]) {
  double across[n][n], blurred[n][n], sharp[n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 2; j < n - 2; j++)
      across[i][j] = (in[i][j - 2] + in[i][j + 2]) * 0.0625 + (in[i][j - 1] + in[i][j + 1]) * 0.25 + in[i][j] * 0.375;
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < n - 2; j++)
      blurred[i][j] = (across[i - 2][j] + across[i + 2][j]) * 0.0625 + (across[i - 1][j] + across[i + 1][j]) * 0.25
                      + across[i][j] * 0.375;
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < n - 2; j++)
      sharp[i][j] = in[i][j] * 1.5 - blurred[i][j] * 0.5;
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < n - 2; j++)
      out[i][j] = in[i][j] - blurred[i][j] < 0.02 && blurred[i][j] - in[i][j] < 0.02 ? in[i][j] : sharp[i][j];
#pragma endscop
}

/* Seven points in three dimensions, to and fro between two arrays; each step copies the border. */
void kernel(int n, int steps, const double in[n][n][n], double out[n][n][n]) {
  double P[n][n][n], Q[n][n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        Q[i][j][k] = in[i][j][k];
  for (int t = 0; t < steps; t++) {
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        P[0][j][k] = Q[0][j][k];
    for (int i = 1; i < n - 1; i++) {
      for (int k = 0; k < n; k++)
        P[i][0][k] = Q[i][0][k];
      for (int j = 1; j < n - 1; j++) {
        P[i][j][0] = Q[i][j][0];
        for (int k = 1; k < n - 1; k++)
          P[i][j][k] = (Q[i][j][k] + Q[i - 1][j][k] + Q[i + 1][j][k] + Q[i][j - 1][k] + Q[i][j + 1][k]
                        + Q[i][j][k - 1] + Q[i][j][k + 1]) * 0.14;
        P[i][j][n - 1] = Q[i][j][n - 1];
      }
      for (int k = 0; k < n; k++)
        P[i][n - 1][k] = Q[i][n - 1][k];
    }
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        P[n - 1][j][k] = Q[n - 1][j][k];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          Q[i][j][k] = P[i][j][k];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        out[i][j][k] = Q[i][j][k];
#pragma endscop
}

/* Five points in two dimensions, to and fro between two arrays; each step copies the border. */
void kernel(int n, int steps, const double in[n][n], double out[n][n]) {
  double P[n][n], Q[n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      Q[i][j] = in[i][j];
  for (int t = 0; t < steps; t++) {
    for (int j = 0; j < n; j++)
      P[0][j] = Q[0][j];
    for (int i = 1; i < n - 1; i++) {
      P[i][0] = Q[i][0];
      for (int j = 1; j < n - 1; j++)
        P[i][j] = (Q[i][j] + Q[i - 1][j] + Q[i + 1][j] + Q[i][j - 1] + Q[i][j + 1]) * 0.2;
      P[i][n - 1] = Q[i][n - 1];
    }
    for (int j = 0; j < n; j++)
      P[n - 1][j] = Q[n - 1][j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        Q[i][j] = P[i][j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[i][j] = Q[i][j];
#pragma endscop
}

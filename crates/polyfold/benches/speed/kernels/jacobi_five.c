/* Five steps of a two-dimensional smoother, each with an array of its own; border cells are copied. */
#define INSIDE(i, j) ((i) > 0 && (i) < n - 1 && (j) > 0 && (j) < n - 1)
void kernel(int n, int steps, const double in[n][n], double out[n][n]) {
  double A[n][n], B[n][n], C[n][n], D[n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (INSIDE(i, j))
        A[i][j] = in[i][j] + 0.2 * (in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1]);
      else
        A[i][j] = in[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (INSIDE(i, j))
        B[i][j] = A[i][j] + 0.2 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
      else
        B[i][j] = A[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (INSIDE(i, j))
        C[i][j] = B[i][j] + 0.2 * (B[i - 1][j] + B[i + 1][j] + B[i][j - 1] + B[i][j + 1]);
      else
        C[i][j] = B[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (INSIDE(i, j))
        D[i][j] = C[i][j] + 0.2 * (C[i - 1][j] + C[i + 1][j] + C[i][j - 1] + C[i][j + 1]);
      else
        D[i][j] = C[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (INSIDE(i, j))
        out[i][j] = D[i][j] + 0.2 * (D[i - 1][j] + D[i + 1][j] + D[i][j - 1] + D[i][j + 1]);
      else
        out[i][j] = D[i][j];
#pragma endscop
}

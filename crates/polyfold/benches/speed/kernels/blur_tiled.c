/* A blur in tiles of 256 columns: across the rows into an array, then along each row out of it. */
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
void kernel(int n, int steps, const double in[n + 2][n], double out[n][n]) {
  double across[n][n];
#pragma scop
  for (int X = 0; X < n; X += 256)
    for (int Y = 0; Y < n; Y += 256)
      for (int x = X; x < min(X + 256, n); x++) {
        for (int y = Y; y < min(Y + 256, n); y++)
          across[x][y] = (in[x][y] + in[x + 1][y] + in[x + 2][y]) * 0.33;
        for (int y = max(Y, 2); y < min(Y + 256, n); y++)
          out[x][y] = (across[x][y - 2] + across[x][y - 1] + across[x][y]) * 0.33;
      }
#pragma endscop
}

/* Sums in variables. */
void kernel(int n, int steps, const unsigned in[n][n], unsigned out[restrict n][n]) {
  unsigned tmp[n][n];
  for (int x = 1; x < n - 1; x++)
    for (int y = 0; y < n; y++)
      tmp[x][y] = (in[x - 1][y] + 2 * in[x][y] + in[x + 1][y]) / 4;
  for (int x = 1; x < n - 1; x++)
    for (int y = 1; y < n - 1; y++)
      out[x][y] = (tmp[x][y - 1] + 2 * tmp[x][y] + tmp[x][y + 1]) / 4;
}

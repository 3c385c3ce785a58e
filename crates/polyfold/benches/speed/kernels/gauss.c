/* A Gaussian blur both ways, with every sum of the three taps in an array. */
void kernel(int n, int steps, const unsigned in[n][n], unsigned out[n][n]) {
  unsigned taps[3], tmp[n][n], sum1[n][n][4], sum2[n][n][4];
#pragma scop
  taps[0] = 1;
  taps[1] = 2;
  taps[2] = 1;
  for (int x = 1; x < n - 1; x++)
    for (int y = 0; y < n; y++) {
      sum1[x][y][0] = 0;
      for (int k = 0; k < 3; k++)
        sum1[x][y][k + 1] = sum1[x][y][k] + in[x + k - 1][y] * taps[k];
      tmp[x][y] = sum1[x][y][3] / 4;
    }
  for (int x = 1; x < n - 1; x++)
    for (int y = 1; y < n - 1; y++) {
      sum2[x][y][0] = 0;
      for (int k = 0; k < 3; k++)
        sum2[x][y][k + 1] = sum2[x][y][k] + tmp[x][y + k - 1] * taps[k];
      out[x][y] = sum2[x][y][3] / 4;
    }
#pragma endscop
}

/* Three points in one dimension over fewer cells with every step, in skewed tiles of 64 steps and 2048 cells; all steps are kept. */
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
void kernel(int n, int steps, const double in[n], double out[n]) {
  double A[steps + 1][n];
#pragma scop
  for (int i = 0; i < n; i++)
    A[0][i] = in[i];
  for (int T = 0; T <= steps / 64; T++)
    for (int X = 0; X <= n / 2048; X++)
      for (int t = max(1, 64 * T); t <= min(steps, 64 * T + 63); t++)
        for (int x = max(2 * t, 2048 * X); x <= min(n - 1, 2048 * X + 2047); x++)
          A[t][x - t] = (A[t - 1][x - t - 1] + A[t - 1][x - t] + A[t - 1][x - t + 1]) * 0.33;
  for (int i = steps; i < n - steps; i++)
    out[i] = A[steps][i];
#pragma endscop
}

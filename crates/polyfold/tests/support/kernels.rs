//! Kernels that tests and benchmarks name.
#![allow(dead_code, unreachable_pub)]

/// Bee, Figure 2(a): Durbin's recursion, rebuilt from its lifetimes in §3.1.
pub const DURBIN: &str = "
void durbin(int n, unsigned r[n], unsigned out[n]) {
  unsigned alpha[n], beta[n], sum[n][n], y[n][n];
#pragma scop
  y[0][0] = r[0];
  beta[0] = 1;
  alpha[0] = r[0];
  for (int k = 1; k < n; k++) {
    beta[k] = beta[k-1] - alpha[k-1] * alpha[k-1] * beta[k-1];
    sum[0][k] = r[k];
    for (int i = 0; i < k; i++)
      sum[i+1][k] = sum[i][k] + r[k-i-1] * y[i][k-1];
    alpha[k] = -sum[k][k] * beta[k];
    for (int i = 0; i < k; i++)
      y[i][k] = y[i][k-1] + alpha[k] * y[k-i-1][k-1];
    y[k][k] = alpha[k];
  }
  for (int i = 0; i < n; i++)
    out[i] = y[i][n-1];
#pragma endscop
}
";

/// Cholesky factorisation in place, on a copy.
pub const CHOLESKY: &str = "
#include <math.h>
void cholesky(int n, double in[n][n], double out[n][n]) {
  double A[n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      A[i][j] = in[i][j];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    for (int k = 0; k < i; k++)
      A[i][i] -= A[i][k] * A[i][k];
    A[i][i] = sqrt(A[i][i]);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      out[i][j] = A[i][j];
#pragma endscop
}
";

/// A one-dimensional Jacobi iteration that keeps every time step, in skewed tiles of 32 by 32.
pub const TILED_JACOBI: &str = "
#define max(a, b) ((a) > (b) ? (a) : (b))
#define min(a, b) ((a) < (b) ? (a) : (b))
void jacobi(int n, int t, double in[n], double out[n]) {
  double A[t + 1][n];
#pragma scop
  for (int i = 0; i < n; i++)
    A[0][i] = in[i];
  for (int k = 1; k <= t; k++) {
    A[k][0] = in[0];
    A[k][n - 1] = in[n - 1];
  }
  for (int T = 0; T <= t / 32; T++)
    for (int X = 0; X <= (n + t) / 32; X++)
      for (int k = max(1, 32 * T); k <= min(t, 32 * T + 31); k++)
        for (int x = max(k + 1, 32 * X); x <= min(k + n - 2, 32 * X + 31); x++)
          A[k][x - k] = 0.33 * (A[k - 1][x - k - 1] + A[k - 1][x - k] + A[k - 1][x - k + 1]);
  for (int i = 0; i < n; i++)
    out[i] = A[t][i];
#pragma endscop
}
";

/// Bee, Figure 4: regularity detection. The printed text loses braces, writes `diff[i][i][k]`, and declares `tangent`
/// too small for its subscripts.
pub const REG_DETECT: &str = "
#define N 6
#define P 64
void reg_detect(unsigned tangent[N * N], unsigned path[N][N]) {
  unsigned sum_t[N][N], mean[N][N];
  unsigned diff[N][N][P], sum_d[N][N][P];
#pragma scop
  for (int j = 0; j <= N - 1; j++) {
    sum_t[j][j] = tangent[(N + 1) * j];
    for (int i = j + 1; i <= N - 1; i++)
      sum_t[j][i] = sum_t[j][i - 1] + tangent[i + N * j];
  }
  for (int j = 0; j <= N - 1; j++)
    for (int i = j; i <= N - 1; i++)
      for (int k = 0; k <= P - 1; k++)
        diff[j][i][k] = sum_t[j][i];
  for (int j = 0; j <= N - 1; j++)
    for (int i = j; i <= N - 1; i++) {
      sum_d[j][i][0] = diff[j][i][0];
      for (int k = 1; k <= P - 1; k++)
        sum_d[j][i][k] = sum_d[j][i][k - 1] + diff[j][i][k];
      mean[j][i] = sum_d[j][i][P - 1];
    }
  for (int j = 0; j <= N - 1; j++)
    for (int i = j; i <= N - 1; i++)
      if (j > 0)
        path[j][i] = path[j - 1][i - 1] + mean[j][i];
      else
        path[j][i] = mean[j][i];
#pragma endscop
}
";

/// Bee, Figure 4: dynamic programming. `c` is live-in: `c[k][j]` is read before its only write.
pub const DYNPROG: &str = "
#define N 10
void dynprog(unsigned W[N][N], unsigned c[N][N], unsigned out[1]) {
  unsigned sum_c[N][N][N];
#pragma scop
  for (int i = 0; i <= N - 2; i++)
    for (int j = i + 1; j <= N - 1; j++) {
      sum_c[i][j][i] = 0;
      for (int k = i + 1; k <= j - 1; k++)
        sum_c[i][j][k] = sum_c[i][j][k - 1] + c[i][k] + c[k][j];
      c[i][j] = sum_c[i][j][j - 1] + W[i][j];
    }
  out[0] = c[0][N - 1];
#pragma endscop
}
";

/// Bee, Figure 4: Gaussian blur. The printed text reads `Gauss[-1]` and a row below the image; its loop over `tot`
/// stands there twice.
pub const GAUSS: &str = "
#define M 50
#define N 50
#define T 1
void gauss(unsigned in_image[N][M], unsigned Gauss[4], unsigned gauss_image[N][M]) {
  unsigned tot[4];
  unsigned g_tmp[N][M];
  unsigned g_acc1[N][M][4], g_acc2[N][M][4];
#pragma scop
  tot[0] = 0;
  for (int k = T - 1; k <= 1 + T; k++)
    tot[k + 2 - T] = tot[k + 1 - T] + Gauss[k + 1 - T];
  for (int k = T - 1; k <= 1 + T; k++)
    tot[k + 2 - T] = tot[k + 1 - T] + Gauss[k + 1 - T];
  for (int x = 1; x < N - 1; x++)
    for (int y = 0; y < M; y++) {
      g_acc1[x][y][0] = 0;
      for (int k = T - 1; k <= 1 + T; k++)
        g_acc1[x][y][k + 2 - T] = g_acc1[x][y][k + 1 - T] + in_image[x + k - T][y] * Gauss[k + 1 - T];
      g_tmp[x][y] = g_acc1[x][y][3] / tot[3];
    }
  for (int x = 1; x < N - 1; x++)
    for (int y = 1; y < M - 1; y++) {
      g_acc2[x][y][0] = 0;
      for (int k = T - 1; k <= 1 + T; k++)
        g_acc2[x][y][k + 2 - T] = g_acc2[x][y][k + 1 - T] + g_tmp[x][y + k - T] * Gauss[k + 1 - T];
      gauss_image[x][y] = g_acc2[x][y][3] / tot[3];
    }
#pragma endscop
}
";

/// Bee, Figure 4: motion detection. The printed text declares `A` and `Delta` too small for their subscripts, and
/// writes `ODelta` one further than it reads it.
pub const MOT_DETECT: &str = "
#define m 4
#define n 4
#define M 32
#define N 32
void mot_detect(unsigned A[M + m + 1][N + n + 1], unsigned opt[1]) {
  unsigned ODelta[(M - m + 1) * (N - n + 1) + 1];
  unsigned Delta[M - m + 1][N - n + 1][(2 * m + 1) * (2 * n + 1) + 1];
#pragma scop
  ODelta[0] = 0;
  for (int i = m; i <= M; i++)
    for (int j = n; j <= N; j++) {
      Delta[i - m][j - n][0] = 0;
      for (int k = i - m; k <= i + m; k++)
        for (int l = j - n; l <= j + n; l++)
          Delta[i - m][j - n][(2 * n + 1) * k - (2 * n + 1) * i + l - j + (2 * m * n + m + n + 1)] =
            A[i][j] - A[k][l]
            + Delta[i - m][j - n][(2 * n + 1) * k - (2 * n + 1) * i + l - j + (2 * m * n + m + n)];
      ODelta[(N - n + 1) * i + j - (m * N - m * n + m + n - 1)] =
        Delta[i - m][j - n][(2 * m + 1) * (2 * n + 1)] + ODelta[(N - n + 1) * i + j - (m * N - m * n + m + n)];
    }
  opt[0] = ODelta[(M - m + 1) * (N - n + 1)];
#pragma endscop
}
";

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

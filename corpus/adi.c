/* Alternating directions: in each half-step a tridiagonal system per line is solved with coefficients p and q, forward
   along the line and then backward. */
#include "corpus.h"
#ifndef N
#define N 16
#define T 4
#endif

void adi(double u[N][N]) {
  double v[N][N], p[N][N], q[N][N];
#pragma scop
  for (int t = 1; t <= T; t++) {
    for (int i = 1; i < N - 1; i++) {
      v[0][i] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = v[0][i];
      for (int j = 1; j < N - 1; j++) {
        p[i][j] = 0.25 / (1.5 - 0.25 * p[i][j - 1]);
        q[i][j] = (0.25 * u[j][i - 1] + 0.5 * u[j][i] + 0.25 * u[j][i + 1] + 0.25 * q[i][j - 1]) /
                  (1.5 - 0.25 * p[i][j - 1]);
      }
      v[N - 1][i] = 1.0;
      for (int j = N - 2; j >= 1; j--)
        v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
    for (int i = 1; i < N - 1; i++) {
      u[i][0] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = u[i][0];
      for (int j = 1; j < N - 1; j++) {
        p[i][j] = 0.25 / (1.5 - 0.25 * p[i][j - 1]);
        q[i][j] = (0.25 * (i > 1 ? v[i - 1][j] : 1.0) + 0.5 * v[i][j] + 0.25 * v[i + 1][j] + 0.25 * q[i][j - 1]) /
                  (1.5 - 0.25 * p[i][j - 1]);
      }
      u[i][N - 1] = 1.0;
      for (int j = N - 2; j >= 1; j--)
        u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
#pragma endscop
}

int main(void) {
  static double u[N][N];
  fill_double(u, sizeof u, 1);
  adi(u);
  print_hash("u", u, sizeof u);
  return 0;
}

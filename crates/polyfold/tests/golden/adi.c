/* Alternating directions: in each half-step a tridiagonal system per line is solved with coefficients p and q, forward
   along the line and then backward. */
#include "corpus.h"
#ifndef N
#define N 16
#define T 4
#endif

void adi(double u[N][N]) {
  /* v[i][j] lives in v[i][j - 1] */
  /* p[i][j] lives in p[j] */
  /* q[i][j] lives in q[j] */
  double v[N][N - 2], p[N - 1] = {0}, q[N - 1] = {0};
  _Static_assert(T == 4, "the storage below was chosen by polyfold for T == 4");
  _Static_assert(N >= 4, "the storage below was chosen by polyfold for N >= 4");
#pragma scop
  for (int t = 1; t <= T; t++) {
    for (int i = 1; i < N - 1; i++) {
      v[0][i - 1] = 1.0;
      p[0] = 0.0;
      q[0] = v[0][i - 1];
      for (int j = 1; j < N - 1; j++) {
        p[j] = 0.25 / (1.5 - 0.25 * p[j - 1]);
        q[j] = (0.25 * u[j][i - 1] + 0.5 * u[j][i] + 0.25 * u[j][i + 1] + 0.25 * q[j - 1]) /
                  (1.5 - 0.25 * p[j - 1]);
      }
      v[N - 1][i - 1] = 1.0;
      for (int j = N - 2; j >= 1; j--)
        v[j][i - 1] = p[j] * v[j + 1][i - 1] + q[j];
    }
    for (int i = 1; i < N - 1; i++) {
      u[i][0] = 1.0;
      p[0] = 0.0;
      q[0] = u[i][0];
      for (int j = 1; j < N - 1; j++) {
        p[j] = 0.25 / (1.5 - 0.25 * p[j - 1]);
        q[j] = (0.25 * (i > 1 ? v[i - 1][j - 1] : 1.0) + 0.5 * v[i][j - 1] + 0.25 * v[i + 1][j - 1] + 0.25 * q[j - 1]) /
                  (1.5 - 0.25 * p[j - 1]);
      }
      u[i][N - 1] = 1.0;
      for (int j = N - 2; j >= 1; j--)
        u[i][j] = p[j] * u[i][j + 1] + q[j];
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

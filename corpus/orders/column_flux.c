/* Fluxes through levels of an atmosphere: sums down, then divergences upwards. */
#include "corpus.h"

void column_flux(int k, int n, const double q[k][n], double t[k][n]) {
  double f[k + 1][n];
#pragma scop
  for (int i = 0; i < n; i++)
    f[0][i] = 0;
  for (int l = 0; l < k; l++)
    for (int i = 0; i < n; i++)
      f[l + 1][i] = 0.9 * f[l][i] + q[l][i];
  for (int l = k - 1; l >= 0; l--)
    for (int i = 0; i < n; i++)
      t[l][i] = f[l + 1][i] - f[l][i];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{2, 1}, {3, 4}, {6, 5}};
  for (int run = 0; run < 3; run++) {
    int k = sizes[run][0], n = sizes[run][1];
    double q[k][n];
    fill_double(q, sizeof q, 1);
    double t[k][n];
    fill_double(t, sizeof t, 9);
    column_flux(k, n, q, t);
    print_hash("t", t, sizeof t);
  }
  return 0;
}

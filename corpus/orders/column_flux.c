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

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{2, 1}, {3, 4}, {6, 5}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int k = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int n = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double (*q)[n] = malloc(sizeof(double[k][n]));
    fill_double(q, sizeof(double[k][n]), 1);
    double (*t)[n] = malloc(sizeof(double[k][n]));
    fill_double(t, sizeof(double[k][n]), 9);
    for (int again = 0; again < times; again++)
      column_flux(k, n, (void *)q, (void *)t);
    print_hash("t", t, sizeof(double[k][n]));
    free(q);
    free(t);
  }
  return 0;
}

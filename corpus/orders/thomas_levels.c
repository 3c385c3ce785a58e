/* Implicit diffusion with levels outermost: a sweep down, a sweep up. */
#include "corpus.h"

void thomas_levels(int k, int n, const double a[k][n], const double d[k][n], double x[k][n]) {
  double p[k][n];
#pragma scop
  for (int i = 0; i < n; i++)
    p[0][i] = d[0][i];
  for (int l = 1; l < k; l++)
    for (int i = 0; i < n; i++) {
      double m = a[l][i] * p[l - 1][i];
      p[l][i] = d[l][i] - m;
    }
  for (int i = 0; i < n; i++)
    x[k - 1][i] = p[k - 1][i];
  for (int l = k - 2; l >= 0; l--)
    for (int i = 0; i < n; i++)
      x[l][i] = p[l][i] - 0.5 * x[l + 1][i];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{2, 1}, {3, 4}, {6, 5}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int k = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int n = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double (*a)[n] = malloc(sizeof(double[k][n]));
    fill_double(a, sizeof(double[k][n]), 1);
    double (*d)[n] = malloc(sizeof(double[k][n]));
    fill_double(d, sizeof(double[k][n]), 2);
    double (*x)[n] = malloc(sizeof(double[k][n]));
    fill_double(x, sizeof(double[k][n]), 9);
    for (int again = 0; again < times; again++)
      thomas_levels(k, n, (void *)a, (void *)d, (void *)x);
    print_hash("x", x, sizeof(double[k][n]));
    free(a);
    free(d);
    free(x);
  }
  return 0;
}

/* Implicit diffusion with levels outermost: a sweep down, a sweep up. */
#include "corpus.h"

void thomas_levels(int k, int n, const double a[k][n], const double d[k][n], double x[k][n]) {
  double p[k][n];
#pragma scop
  for (int i = 0; i < n; i++)
    p[0][i] = d[0][i];
  for (int l = 1; l < k; l++)
    for (int i = 0; i < n; i++)
      p[l][i] = d[l][i] - a[l][i] * p[l - 1][i];
  for (int i = 0; i < n; i++)
    x[k - 1][i] = p[k - 1][i];
  for (int l = k - 2; l >= 0; l--)
    for (int i = 0; i < n; i++)
      x[l][i] = p[l][i] - 0.5 * x[l + 1][i];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{2, 1}, {3, 4}, {6, 5}};
  for (int run = 0; run < 3; run++) {
    int k = sizes[run][0], n = sizes[run][1];
    double a[k][n];
    fill_double(a, sizeof a, 1);
    double d[k][n];
    fill_double(d, sizeof d, 2);
    double x[k][n];
    fill_double(x, sizeof x, 9);
    thomas_levels(k, n, a, d, x);
    print_hash("x", x, sizeof x);
  }
  return 0;
}

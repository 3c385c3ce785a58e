/* A table that is computed in a band around its diagonal, then each row's best. */
#include "corpus.h"

void banded(int n, const double a[n], const double b[n + 2], double out[n]) {
  double c[n + 1][n + 4];
#pragma scop
  for (int j = 0; j < n + 4; j++)
    c[0][j] = 0;
  for (int i = 1; i <= n; i++)
    for (int j = i; j <= i + 2; j++)
      c[i][j] = c[i - 1][j - 1] + a[i - 1] * b[j - 1];
  for (int i = 1; i <= n; i++)
    out[i - 1] = c[i][i] + c[i][i + 1] + c[i][i + 2];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][1] = {{3}, {4}, {9}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    double *a = malloc(sizeof(double[n]));
    fill_double(a, sizeof(double[n]), 1);
    double *b = malloc(sizeof(double[n + 2]));
    fill_double(b, sizeof(double[n + 2]), 2);
    double *out = malloc(sizeof(double[n]));
    fill_double(out, sizeof(double[n]), 9);
    for (int again = 0; again < times; again++)
      banded(n, a, b, out);
    print_hash("out", out, sizeof(double[n]));
    free(a);
    free(b);
    free(out);
  }
  return 0;
}

/* Smith and Waterman: the best score of any place. */
#include "corpus.h"

void local_alignment(int m, int n, const double a[m], const double b[n], double out[1]) {
  double c[m + 1][n + 1];
#pragma scop
  for (int j = 0; j <= n; j++)
    c[0][j] = 0;
  for (int i = 1; i <= m; i++)
    c[i][0] = 0;
  for (int i = 1; i <= m; i++)
    for (int j = 1; j <= n; j++)
      c[i][j] = MAX(0, MAX(c[i - 1][j - 1] + a[i - 1] - b[j - 1], MAX(c[i - 1][j], c[i][j - 1]) - 1));
  out[0] = 0;
  for (int i = 1; i <= m; i++)
    for (int j = 1; j <= n; j++)
      out[0] = MAX(out[0], c[i][j]);
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{1, 1}, {2, 3}, {6, 5}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int m = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int n = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double *a = malloc(sizeof(double[m]));
    fill_double(a, sizeof(double[m]), 1);
    double *b = malloc(sizeof(double[n]));
    fill_double(b, sizeof(double[n]), 2);
    double *out = malloc(sizeof(double[1]));
    fill_double(out, sizeof(double[1]), 9);
    for (int again = 0; again < times; again++)
      local_alignment(m, n, a, b, out);
    print_hash("out", out, sizeof(double[1]));
    free(a);
    free(b);
    free(out);
  }
  return 0;
}

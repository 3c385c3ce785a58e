/* A rod cools in time; each fourth step is written out. */
#include "corpus.h"

void snapshots(int n, int m, const double first[m], double out[n][m]) {
  double u[4 * n][m];
#pragma scop
  for (int x = 0; x < m; x++)
    u[0][x] = first[x];
  for (int t = 1; t < 4 * n; t++)
    for (int x = 0; x < m; x++)
      u[t][x] = 0.9 * u[t - 1][x] + 0.1;
  for (int s = 0; s < n; s++)
    for (int x = 0; x < m; x++)
      out[s][x] = 2 * u[4 * s][x];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{1, 3}, {2, 5}, {5, 9}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int m = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double *first = malloc(sizeof(double[m]));
    fill_double(first, sizeof(double[m]), 1);
    double (*out)[m] = malloc(sizeof(double[n][m]));
    fill_double(out, sizeof(double[n][m]), 9);
    for (int again = 0; again < times; again++)
      snapshots(n, m, first, (void *)out);
    print_hash("out", out, sizeof(double[n][m]));
    free(first);
    free(out);
  }
  return 0;
}

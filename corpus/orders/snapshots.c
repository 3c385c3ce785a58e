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

int main(void) {
  static const int sizes[][2] = {{1, 3}, {2, 5}, {5, 9}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0], m = sizes[run][1];
    double first[m];
    fill_double(first, sizeof first, 1);
    double out[n][m];
    fill_double(out, sizeof out, 9);
    snapshots(n, m, first, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

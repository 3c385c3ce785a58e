/* Alignment of two sequences with costs for gaps, from a border of sums. */
#include "corpus.h"

void alignment(int m, int n, const double a[m], const double b[n], double out[m]) {
  double c[m + 1][n + 1];
#pragma scop
  for (int j = 0; j <= n; j++)
    c[0][j] = 2 * j;
  for (int i = 1; i <= m; i++) {
    c[i][0] = 2 * i;
    for (int j = 1; j <= n; j++)
      c[i][j] = MIN(c[i - 1][j - 1] + a[i - 1] * b[j - 1], MIN(c[i - 1][j], c[i][j - 1]) + 2);
  }
  for (int i = 1; i <= m; i++)
    out[i - 1] = c[i][n];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {2, 3}, {6, 5}};
  for (int run = 0; run < 3; run++) {
    int m = sizes[run][0], n = sizes[run][1];
    double a[m];
    fill_double(a, sizeof a, 1);
    double b[n];
    fill_double(b, sizeof b, 2);
    double out[m];
    fill_double(out, sizeof out, 9);
    alignment(m, n, a, b, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

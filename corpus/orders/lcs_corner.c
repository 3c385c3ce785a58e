/* Longest common subsequence, borders and corner by themselves. */
#include "corpus.h"

void lcs_corner(int m, int n, const double a[m], const double b[n], double out[1]) {
  double c[m + 1][n + 1];
#pragma scop
  c[0][0] = 0;
  for (int i = 1; i <= m; i++)
    c[i][0] = 0;
  for (int j = 1; j <= n; j++)
    c[0][j] = 0;
  for (int i = 1; i <= m; i++)
    for (int j = 1; j <= n; j++)
      c[i][j] = MAX(c[i - 1][j - 1] + (a[i - 1] < b[j - 1] ? 1 : 0), MAX(c[i - 1][j], c[i][j - 1]));
  out[0] = c[m][n];
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
    double out[1];
    fill_double(out, sizeof out, 9);
    lcs_corner(m, n, a, b, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

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

int main(void) {
  static const int sizes[][1] = {{3}, {4}, {9}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0];
    double a[n];
    fill_double(a, sizeof a, 1);
    double b[n + 2];
    fill_double(b, sizeof b, 2);
    double out[n];
    fill_double(out, sizeof out, 9);
    banded(n, a, b, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}

/* Many tridiagonal systems at once, by elimination forward and substitution backward: one line's coefficients live on. */
#include "corpus.h"

void thomas(int lines, int n, double low[n], double mid[n], double high[n], double rhs[lines][n], double x[lines][n]) {
  /* c[i][j] lives in c[j] */
  /* d[i][j] lives in d[j] */
  double c[n], d[n];
  /* pivot is one variable: no two cells of pivot are needed at a time */
#pragma scop
  for (int l = 0; l < lines; l++) {
    c[0] = high[0] / mid[0];
    d[0] = rhs[l][0] / mid[0];
    for (int i = 1; i < n; i++) {
      double pivot = mid[i] - low[i] * c[i - 1];
      c[i] = high[i] / pivot;
      d[i] = (rhs[l][i] - low[i] * d[i - 1]) / pivot;
    }
    x[l][n - 1] = d[n - 1];
    for (int i = n - 2; i >= 0; i--)
      x[l][i] = d[i] - c[i] * x[l][i + 1];
  }
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {2, 3}, {10, 20}};
  for (int s = 0; s < 3; s++) {
    int lines = sizes[s][0], n = sizes[s][1];
    double low[n], mid[n], high[n], rhs[lines][n], x[lines][n];
    fill_double(low, sizeof low, 1);
    fill_double(high, sizeof high, 2);
    fill_double(rhs, sizeof rhs, 3);
    for (int i = 0; i < n; i++)
      mid[i] = 3.0 + i % 2;
    thomas(lines, n, low, mid, high, rhs, x);
    print_hash("x", x, sizeof x);
  }
  return 0;
}

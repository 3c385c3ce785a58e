/* s = A' r and q = A p in one pass over A; the products are kept before they are added up, which nobody would need. */
#include "corpus.h"

void bicg(int m, int n, double A[m][n], double r[m], double p[n], double s[n], double q[m]) {
  /* down[i][j] lives in down[j] */
  double down[n];
  /* along is one variable: no two cells of along are needed at a time */
#pragma scop
  for (int j = 0; j < n; j++)
    down[j] = 0.0;
  for (int i = 0; i < m; i++) {
    double along = 0.0;
    for (int j = 0; j < n; j++) {
      down[j] = down[j] + r[i] * A[i][j];
      along = along + A[i][j] * p[j];
    }
    q[i] = along;
  }
  for (int j = 0; j < n; j++)
    s[j] = down[j];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {6, 4}, {25, 33}};
  for (int k = 0; k < 3; k++) {
    int m = sizes[k][0], n = sizes[k][1];
    double A[m][n], r[m], p[n], s[n], q[m];
    fill_double(A, sizeof A, 1);
    fill_double(r, sizeof r, 2);
    fill_double(p, sizeof p, 3);
    bicg(m, n, A, r, p, s, q);
    print_hash("s", s, sizeof s);
    print_hash("q", q, sizeof q);
  }
  return 0;
}

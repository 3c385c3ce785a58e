/* y = A' (A x): each element of A x is used at once, and needs one cell. */
#include "corpus.h"

void atax(int m, int n, double A[m][n], double x[n], double y[n]) {
  /* Ax is one variable: no two cells of Ax are needed at a time */
#pragma scop
  for (int i = 0; i < n; i++)
    y[i] = 0.0;
  for (int i = 0; i < m; i++) {
    double Ax = 0.0;
    for (int j = 0; j < n; j++)
      Ax = Ax + A[i][j] * x[j];
    for (int j = 0; j < n; j++)
      y[j] = y[j] + A[i][j] * Ax;
  }
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {5, 3}, {30, 42}};
  for (int s = 0; s < 3; s++) {
    int m = sizes[s][0], n = sizes[s][1];
    double A[m][n], x[n], y[n];
    fill_double(A, sizeof A, 1);
    fill_double(x, sizeof x, 2);
    atax(m, n, A, x, y);
    print_hash("y", y, sizeof y);
  }
  return 0;
}

/* Forward substitution L x = b, each partial sum in a cell of its own. */
#include "corpus.h"

void trisolv(int n, double L[n][n], double b[n], double x[n]) {
  double sum[n][n + 1];
#pragma scop
  for (int i = 0; i < n; i++) {
    sum[i][0] = b[i];
    for (int j = 0; j < i; j++)
      sum[i][j + 1] = sum[i][j] - L[i][j] * x[j];
    x[i] = sum[i][i] / (1.0 + L[i][i]);
  }
#pragma endscop
}

int main(void) {
  static const int sizes[] = {1, 2, 3, 10, 60};
  for (int s = 0; s < 5; s++) {
    int n = sizes[s];
    double L[n][n], b[n], x[n];
    fill_double(L, sizeof L, 1);
    fill_double(b, sizeof b, 2);
    trisolv(n, L, b, x);
    print_hash("x", x, sizeof x);
  }
  return 0;
}

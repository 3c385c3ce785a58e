/* Forward substitution L x = b, each partial sum in a cell of its own. */
#include "corpus.h"

void trisolv(int n, double L[n][n], double b[n], double x[n]) {
  /* sum is one variable: no two cells of sum are needed at a time */
#pragma scop
  for (int i = 0; i < n; i++) {
    double sum = b[i];
    for (int j = 0; j < i; j++)
      sum = sum - L[i][j] * x[j];
    x[i] = sum / (1.0 + L[i][i]);
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

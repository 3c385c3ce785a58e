/* Gaussian elimination without pivots, one matrix per step: U[k] is what is left after k eliminations. */
#include "corpus.h"

void lu(int n, double A[n][n], double lower[n][n], double upper[n][n]) {
  /* U[i][j][k] lives in U[j][k] */
  double U[n][n];
  /* factor is one variable: no two cells of factor are needed at a time */
  #if defined __GNUC__ && !defined __clang__
  #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
  #else
  #define POLYFOLD_IVDEP
  #endif
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      U[i][j] = A[i][j];
  for (int k = 0; k < n - 1; k++)
    for (int i = k + 1; i < n; i++) {
      double factor = U[i][k] / U[k][k];
      lower[i][k] = factor;
      POLYFOLD_IVDEP
      for (int j = k + 1; j < n; j++)
        U[i][j] = U[i][j] - factor * U[k][j];
    }
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      upper[i][j] = U[i][j];
#pragma endscop
}

int main(void) {
  static const int sizes[] = {1, 2, 3, 7, 20};
  for (int s = 0; s < 5; s++) {
    int n = sizes[s];
    double A[n][n], lower[n][n], upper[n][n];
    fill_double(A, sizeof A, 1);
    fill_double(lower, sizeof lower, 2);
    fill_double(upper, sizeof upper, 3);
    for (int i = 0; i < n; i++)
      A[i][i] += n;
    lu(n, A, lower, upper);
    print_hash("lower", lower, sizeof lower);
    print_hash("upper", upper, sizeof upper);
  }
  return 0;
}

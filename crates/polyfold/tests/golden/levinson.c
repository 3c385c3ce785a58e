/* Levinson's recursion for a symmetric Toeplitz system: predictor coefficients of every order, each from the last. */
#include "corpus.h"

void levinson(int n, double r[n + 1], double predictor[n + 1]) {
  /* a[i][j] lives in a[i mod 2][j] */
  /* error is one variable: no two cells of error are needed at a time */
  double a[2][n + 1], error;
  /* reflection is one variable: no two cells of reflection are needed at a time */
  /* gap is one variable: no two cells of gap are needed at a time */
  #if defined __GNUC__ && !defined __clang__
  #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
  #else
  #define POLYFOLD_IVDEP
  #endif
#pragma scop
  a[0][0] = 1.0;
  error = r[0];
  long a_at = 0;
  const double *a_row = a[a_at];
  for (int m = 1; m <= n; m++) {
    const long a_at1 = a_at < 1 ? a_at + 1 : 0;
    double gap = 0.0;
    for (int i = 0; i < m; i++)
      gap = gap + a_row[i] * r[m - i];
    double reflection = -gap / error;
    double *a_row1 = a[a_at1];
    a_row1[0] = 1.0;
    POLYFOLD_IVDEP
    for (int i = 1; i < m; i++)
      a_row1[i] = a_row[i] + reflection * a_row[m - i];
    a_row1[m] = reflection;
    error = error * (1.0 - reflection * reflection);
    a_at = a_at1;
    a_row = a_row1;
  }
  for (int i = 0; i <= n; i++)
    predictor[i] = a[n % 2][i];
#pragma endscop
}

int main(void) {
  static const int sizes[] = {1, 2, 3, 8, 40};
  for (int s = 0; s < 5; s++) {
    int n = sizes[s];
    double r[n + 1], predictor[n + 1];
    fill_double(r, sizeof r, 1);
    r[0] = n + 1.0;
    levinson(n, r, predictor);
    print_hash("predictor", predictor, sizeof predictor);
  }
  return 0;
}
